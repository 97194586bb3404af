package dev.waymark.proof.program.run;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Checker;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.program.Flow;
import dev.waymark.proof.program.Program;
import dev.waymark.proof.program.Stimulus;
import dev.waymark.proof.program.Trace;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Runs programs on one engine, one after another, and tells what came of each. What happens side by
 * side happens in an order that the program's seed decides.
 */
public final class ProgramRunner implements AutoCloseable {

  private static final Caller CALLER = Caller.of("script");
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final int CHILDREN = 1_000;

  private final Probes probes = new Probes();
  private final Store store;
  private final WorkflowTestKit kit;
  private final Engine engine;

  public ProgramRunner(Store store, VirtualClock clock) {
    this.store = store;
    this.kit = WorkflowTestKit.on(store, clock, builder -> builder.activity("probe", probes));
    this.engine = kit.engine();
    probes.holdBy(engine);
  }

  public static ProgramRunner inMemory() {
    VirtualClock clock = new VirtualClock();
    return new ProgramRunner(SqliteStore.inMemory(clock), clock);
  }

  public Trace run(Program program) {
    kit.reorder(program.seed());
    program.flows().forEach(flow -> kit.deploy(flow.text()));
    Instant start = kit.clock().instant();
    List<String> surprises = new ArrayList<>();
    InstanceId main =
        engine.instances().start(StartRequest.of(program.main().key()), CALLER).orThrow();
    kit.runUntilIdle();
    for (Stimulus stimulus : program.script()) {
      kit.advance(SECOND);
      play(program, main, stimulus, surprises);
      kit.runUntilIdle();
    }
    Histories histories = new Histories(start, probes);
    List<InstanceId> alive = new ArrayList<>();
    for (Flow flow : program.flows().toList()) {
      for (Instance instance : instances(flow)) {
        histories.read(flow, instance, history(instance.id()));
        if (!instance.status().isTerminal()) {
          alive.add(instance.id());
        }
      }
    }
    Trace trace = histories.trace(surprises);
    alive.forEach(id -> engine.operations().cancel(id, "the script is over", CALLER));
    kit.runUntilIdle();
    probes.forget();
    return trace;
  }

  private List<HistoryEntry> history(InstanceId instance) {
    List<HistoryEntry> all = new ArrayList<>();
    List<HistoryEntry> page = engine.instances().history(instance, 1, Limits.HISTORY_PAGE, CALLER);
    while (!page.isEmpty()) {
      all.addAll(page);
      page = engine.instances().history(instance, page.getLast(), Limits.HISTORY_PAGE, CALLER);
    }
    return all;
  }

  private List<Instance> instances(Flow flow) {
    return engine
        .instances()
        .list(InstanceQuery.ALL.withDefinition(flow.key()).page(null, CHILDREN), CALLER)
        .stream()
        .map(listed -> engine.instances().find(listed.id(), CALLER).orElseThrow())
        .toList();
  }

  private void play(Program program, InstanceId main, Stimulus stimulus, List<String> surprises) {
    String id = program.seed() + ":" + kit.clock().instant();
    switch (stimulus) {
      case Stimulus.Answer answer -> answer(program, answer, surprises);
      case Stimulus.Message message ->
          engine.messages().send(main, message.name(), message.payload(), "script", id, CALLER);
      case Stimulus.Signal signal ->
          engine.messages().signal(signal.name(), signal.payload(), "script", id, CALLER);
      case Stimulus.Cancel cancel -> cancel(main, cancel.compensate());
      case Stimulus.Unfit unfit -> {
        try {
          play(program, main, unfit.said(), surprises);
          surprises.add("taken, though it is no data: " + unfit);
        } catch (IllegalArgumentException e) {
          // as it must be
        }
      }
      case Stimulus.Suspend suspend -> {
        var unused = engine.operations().suspend(main, "the script says so", CALLER);
      }
      case Stimulus.Continue go -> {
        var unused = engine.operations().continueInstance(main, "the script says so", CALLER);
      }
      case Stimulus.Pass pass -> kit.advance(Duration.ofSeconds(pass.seconds()));
    }
  }

  private void cancel(InstanceId main, boolean compensate) {
    if (compensate) {
      engine.operations().cancelAndCompensate(main, "the script says so", CALLER);
    } else {
      engine.operations().cancel(main, "the script says so", CALLER);
    }
  }

  private void answer(Program program, Stimulus.Answer answer, List<String> surprises) {
    Optional<Bookmark> wait =
        program
            .flows()
            .flatMap(flow -> instances(flow).stream())
            .flatMap(instance -> open(instance, answer.key()))
            .findFirst();
    if (wait.isEmpty()) {
      surprises.add("answer: nobody waits for '%s'".formatted(answer.key()));
      return;
    }
    Answer heard = engine.bookmarks().resume(wait.get().id(), answer.payload(), CALLER);
    Instance asked = engine.instances().find(wait.get().id().instance(), CALLER).orElseThrow();
    if (asked.hold() != null) {
      boolean refused =
          heard instanceof Answer.Refused r && r.rejection().code() == Rejection.Code.SUSPENDED;
      if (!refused) {
        surprises.add("answer: '%s' in a held run: %s".formatted(answer.key(), heard));
      }
      return;
    }
    if (heard instanceof Answer.Refused refused
        && refused.rejection().code() != Rejection.Code.GUARD) {
      surprises.add("answer: '%s' was refused: %s".formatted(answer.key(), refused.rejection()));
    }
  }

  private static Stream<Bookmark> open(Instance instance, String key) {
    return instance.bookmarks().values().stream()
        .filter(b -> b.kind() == BookmarkKind.USER_ACTION || b.kind() == BookmarkKind.APPROVAL)
        .filter(b -> b.key().equals(key));
  }

  /** What the invariant checker finds in everything that was run so far. */
  public List<Checker.Violation> violations() {
    return store.checker().check(Checker.Options.atRest().replaying(100));
  }

  @Override
  public void close() {
    kit.close();
  }
}
