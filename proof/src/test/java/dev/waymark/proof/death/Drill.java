package dev.waymark.proof.death;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.message.Subscription.Listener;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.KillSwitch;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Plays one scene on an engine that dies at a given commit, and goes on with the next one on the
 * same store.
 *
 * <p>A process that is killed does nothing more: its scheduler is simply never pumped again. What
 * the scene was doing is done again, as a caller without an answer would, under the same ids.
 */
public final class Drill {

  /** Something from outside, safe to be repeated under the given name. */
  public interface Act {
    void on(Drill drill, String name);
  }

  private static final Caller ANNA = Caller.of("anna");

  private final VirtualClock clock;
  private final Store store;
  private KillSwitch killSwitch;
  private Settings settings = Settings.DEFAULT;
  private @Nullable Point next;
  private @Nullable Listener listener;
  private int engines;
  private @Nullable PumpScheduler scheduler;
  private @Nullable Engine engine;
  private @Nullable InstanceId run;

  /**
   * @param deadly at which occurrence of the point the process dies; 0 for never
   */
  public Drill(Store store, VirtualClock clock, Point point, int deadly) {
    this.store = store;
    this.clock = clock;
    this.killSwitch = new KillSwitch(point, deadly);
  }

  int seen() {
    return killSwitch.seen();
  }

  int seen(Point any) {
    return killSwitch.seen(any);
  }

  /** Nothing is polled: for scenes in which no process dies. Hours pass in no time then. */
  public Drill undisturbed() {
    settings = Settings.DEFAULT.alone();
    return this;
  }

  /** The process after the one that dies, dies as well: where it passes this point first. */
  Drill andThen(Point point) {
    next = point;
    return this;
  }

  /** Gives every event of every process to a listener. */
  public Drill tells(Listener hears) {
    listener = hears;
    return this;
  }

  /** How many there were: one more than have died. */
  int processes() {
    return engines;
  }

  public Outcome play(Scene scene) {
    perform(
        drill -> scene.definitions().forEach(text -> engine().definitions().deploy(text, ANNA)));
    perform(drill -> drill.start("flow"));
    int number = 0;
    for (Act act : scene.acts()) {
      String name = "act-" + ++number;
      perform(drill -> act.on(drill, name));
    }
    // Retries, takeovers and sweeps that need time get it.
    perform(drill -> drill.pass(Duration.ofMinutes(25)));
    return Outcome.of(store, engine(), runs());
  }

  private interface Doing {
    void with(Drill drill);
  }

  /** Does it, and if the process dies over it, does it again with the next one. */
  private void perform(Doing doing) {
    boolean died = false;
    while (true) {
      try {
        if (scheduler == null || died) {
          boot();
        }
        if (died) {
          pump().advance(Duration.ofSeconds(40));
        }
        doing.with(this);
        pump().runUntilIdle();
        return;
      } catch (KillSwitch.Killed e) {
        killSwitch =
            new KillSwitch(next == null ? Point.P3_BEFORE_COMMIT : next, next == null ? 0 : 1);
        next = null;
        died = true;
      }
    }
  }

  private void boot() {
    PumpScheduler mine = new PumpScheduler(clock).diesWith(killSwitch);
    scheduler = mine;
    EngineBuilder builder =
        Engine.builder(killSwitch.guard(store))
            .clock(clock)
            .scheduler(mine)
            .settings(settings)
            .ids(IdSource.timeOrdered(clock, new Random(++engines)))
            .crashPoints(killSwitch)
            .callbackSecrets(Secret.of("drill", new byte[32]))
            .directory((tenant, group) -> List.of("anna"))
            .activity("work", context -> ActivityResult.completed(Map.of()))
            .activity("echo", context -> ActivityResult.completed(context.input()))
            .activity("broken", context -> ActivityResult.failedForGood("BROKEN", "it broke"))
            .activity("scan", Drill::scan)
            .activity("flaky", Drill::flaky)
            .activity("holds", this::hold);
    if (listener != null) {
      builder.subscribe("drill", type -> true, listener);
    }
    engine = builder.start();
    mine.runUntilIdle();
  }

  private static ActivityResult scan(ActivityContext context) {
    byte[] content = context.activity().getBytes(UTF_8);
    return ActivityResult.completed(Map.of("scan", context.payloads().put(content, "text/plain")));
  }

  private static ActivityResult flaky(ActivityContext context) {
    return context.attempt() == 1
        ? ActivityResult.failed("FLAKY", "not today")
        : ActivityResult.completed();
  }

  /** An operator holds the run while its body is under way. */
  private ActivityResult hold(ActivityContext context) {
    engine().operations().suspend(context.instance(), "wait", ANNA);
    return ActivityResult.completed();
  }

  private Engine engine() {
    if (engine == null) {
      throw new AssertionError("No engine");
    }
    return engine;
  }

  private PumpScheduler pump() {
    if (scheduler == null) {
      throw new AssertionError("No engine");
    }
    return scheduler;
  }

  // ---- acts

  private void start(String key) {
    run = engine().instances().start(StartRequest.of(key), ANNA.withCommandId("start")).orThrow();
  }

  void pass(Duration time) {
    pump().advance(time);
  }

  /** Answers the oldest open bookmark of that key, in whatever run; none means it was answered. */
  void resume(String key, Map<String, Object> payload, String name) {
    resume("anna", key, payload, name);
  }

  void resume(String who, String key, Map<String, Object> payload, String name) {
    open(key)
        .ifPresent(
            id -> engine().bookmarks().resume(id, payload, Caller.of(who).withCommandId(name)));
  }

  public Optional<BookmarkId> open(String key) {
    return runs().stream()
        .flatMap(instance -> instance.bookmarks().values().stream())
        .filter(bookmark -> bookmark.key().equals(key))
        .min(Comparator.comparingLong(Bookmark::visit))
        .map(Bookmark::id);
  }

  void attend(String who, String key, dev.waymark.core.step.TaskAction act, String name) {
    Caller caller = Caller.of(who).withCommandId(name);
    open(key)
        .ifPresent(
            id -> {
              switch (act) {
                case dev.waymark.core.step.TaskAction.Assign assign ->
                    engine().tasks().assign(id, assign.to(), caller);
                case dev.waymark.core.step.TaskAction.Comment comment ->
                    engine().tasks().comment(id, comment.text(), caller);
                default -> throw new AssertionError("Not in any scene: " + act);
              }
            });
  }

  void send(String message, String name) {
    engine().messages().send(runId(), message, Map.of("by", "message"), "test", name, ANNA);
  }

  /** A partner says how far it is. */
  void report(String hook, String name) {
    engine()
        .callbacks()
        .report(token(hook), "{\"status\":\"%s\"}".formatted(name).getBytes(UTF_8), Map.of());
  }

  /** A partner answers. */
  void callBack(String hook) {
    engine().callbacks().receive(token(hook), "{\"by\":\"partner\"}".getBytes(UTF_8), Map.of());
  }

  private String token(String hook) {
    return engine().callbacks().seal(new Token("default", runId(), hook, true, null));
  }

  void cancel(String name) {
    engine().operations().cancelAndCompensate(runId(), "enough", ANNA.withCommandId(name));
  }

  public Engine in() {
    return engine();
  }

  public InstanceId runId() {
    if (run == null) {
      throw new AssertionError("Not started");
    }
    return run;
  }

  // ---- what came of it

  public List<Instance> runs() {
    return engine().instances().list(InstanceQuery.ALL, ANNA).stream()
        .map(found -> engine().instances().find(found.id(), ANNA).orElseThrow())
        .sorted(Comparator.comparing(instance -> instance.origin().created()))
        .toList();
  }
}
