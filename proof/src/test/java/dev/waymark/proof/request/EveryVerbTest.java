package dev.waymark.proof.request;

import static dev.waymark.engine.flow.Activities.end;
import static dev.waymark.proof.request.BrokenStores.losing;
import static dev.waymark.proof.request.BrokenStores.silent;
import static dev.waymark.proof.request.Verbs.isVerb;
import static dev.waymark.proof.request.Verbs.name;
import static dev.waymark.proof.request.Verbs.subjects;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Every verb of every subject of an engine, found by reflection: a new one cannot be forgotten.
 * Each is told that the engine is closed, survives a lost connection, and keeps its caller's time.
 */
final class EveryVerbTest {

  private static final String FLOW =
      """
      waymark: 1
      key: d
      start: f
      activities:
        f: { type: fork, with: { branches: [u, t] } }
        u: { type: user-task, with: { title: t, candidates: [anna] } }
        t: { type: timer, with: { after: PT1H } }
      """;

  private static final Caller ANNA =
      Caller.of(
          new Actor("anna", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator", "workflow-admin")));

  private final VirtualClock clock = new VirtualClock();
  private final Map<Class<?>, Object> some = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int asked;

  @ParameterizedTest
  @EnumSource
  void every_verb_of_a_closed_engine_says_that_it_is_closed(Stores stores) {
    Store store = stores.create().open(clock);
    Map<Class<?>, Object> subjects;
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      samples(kit);
      subjects = subjects(kit.engine());
    }

    eachVerb(
        subjects,
        (verb, subject) -> {
          Throwable fault = call(verb, subject);
          if (!(fault instanceof EngineException)
              || !"Expected an open engine, but it is closed".equals(fault.getMessage())) {
            wrong.add(name(verb) + ": " + fault);
          }
        });

    assertThat(asked).isGreaterThan(90);
    assertThat(wrong).isEmpty();
  }

  /** The first call of the store that a verb makes loses its connection. */
  @ParameterizedTest
  @EnumSource
  void every_verb_survives_a_lost_connection(Stores stores) {
    AtomicReference<@Nullable Thread> armed = new AtomicReference<>();
    Store store = losing(Store.class, stores.create().open(clock), armed);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      samples(kit);
      kit.engine().schedules().put((Schedule) sample(Schedule.class), ANNA);

      eachVerb(
          subjects(kit.engine()),
          (verb, subject) -> {
            if (verb.getName().equals("inTransaction") || verb.getName().equals("awaitEnd")) {
              return; // The caller's own transaction is gone; the end of a run is waited for.
            }
            kit.runUntilIdle();
            armed.set(Thread.currentThread());
            Throwable fault = call(verb, subject);
            armed.set(null);
            // A command that waits for its repeat waits for time, which stands still here.
            if (fault instanceof StoreException
                || (fault != null && fault.getCause() instanceof StoreException)) {
              wrong.add(name(verb) + ": " + fault);
            }
          });
    }
    assertThat(wrong).isEmpty();
  }

  /** The database answers nothing, and the caller waits for a moment only. */
  @ParameterizedTest
  @EnumSource
  void every_verb_keeps_the_time_of_its_caller(Stores stores) {
    AtomicBoolean silent = new AtomicBoolean();
    CountDownLatch over = new CountDownLatch(1);
    Store store = silent(Store.class, stores.create().open(clock), silent, over);
    try (Engine engine = Engine.builder(store).start()) {
      engine.definitions().deploy(FLOW, ANNA);
      engine.definitions().deploy(FLOW + "# two\n", ANNA);
      InstanceId run = engine.instances().start(StartRequest.of("d"), ANNA).orThrow();
      samples(
          engine.instances().find(run, ANNA).orElseThrow(),
          engine.instances().history(run, 1, 1, ANNA).getFirst());
      engine.schedules().put((Schedule) sample(Schedule.class), ANNA);
      some.put(Caller.class, ANNA.withTimeout(Duration.ofMillis(20)));
      some.put(Duration.class, Duration.ofSeconds(1));
      silent.set(true);

      eachVerb(
          subjects(engine),
          (verb, subject) -> {
            if (!List.of(verb.getParameterTypes()).contains(Caller.class)
                || verb.getReturnType() == CompletableFuture.class) {
              return; // Without a caller, or its thread does not wait.
            }
            Throwable fault = call(verb, subject);
            // An argument that is refused is refused before anything is asked.
            if (!(fault instanceof DeadlinePassed || fault instanceof IllegalArgumentException)) {
              wrong.add(name(verb) + ": " + fault);
            }
          });
      over.countDown();
    }
    assertThat(wrong).isEmpty();
  }

  private interface Asking {
    void ask(Method verb, Object subject);
  }

  private void eachVerb(Map<Class<?>, Object> subjects, Asking asking) {
    subjects.forEach(
        (type, subject) -> {
          for (Method verb : type.getMethods()) {
            if (isVerb(verb, subjects)) {
              asked++;
              asking.ask(verb, subject);
            }
          }
        });
  }

  private @Nullable Throwable call(Method verb, Object subject) {
    Parameter[] parameters = verb.getParameters();
    @Nullable Object[] arguments = new Object[parameters.length];
    for (int i = 0; i < parameters.length; i++) {
      boolean mayBeNull = parameters[i].getAnnotatedType().isAnnotationPresent(Nullable.class);
      arguments[i] = mayBeNull ? null : sample(parameters[i]);
    }
    try {
      Object unused = verb.invoke(subject, arguments);
      return null;
    } catch (InvocationTargetException e) {
      return e.getCause();
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return new AssertionError("The test cannot ask " + name(verb), e);
    }
  }

  private void samples(WorkflowTestKit kit) {
    kit.deploy(FLOW);
    kit.deploy(FLOW + "# two\n");
    Run run = kit.start("d", Map.of());
    samples(run.instance(), run.history().getFirst());
  }

  private void samples(Instance instance, HistoryEntry entry) {
    BookmarkId bookmark = instance.bookmarks().firstKey();
    Instant now = instance.origin().created();
    StartRequest start = StartRequest.of("d");
    for (Object sample :
        List.of(
            "d",
            ANNA,
            instance.id(),
            bookmark,
            Duration.ofMinutes(1),
            now,
            start,
            new Lease("anna", 1, now.plusSeconds(60)),
            InboxPlace.START,
            ClaimRequest.lasting(Duration.ofMinutes(1)),
            InstanceQuery.ALL,
            instance,
            entry,
            new Message.Key(Actor.DEFAULT_TENANT, "s", "i"),
            Correlated.of("x", "y", Map.of(), "s", "i"),
            new PayloadReference("0".repeat(64), 1, "text/plain"),
            "content".getBytes(UTF_8),
            Schedule.every("d", Duration.ofDays(1), start),
            new MigrationRequest("d", 1, 2, MigrationPlan.PLAIN))) {
      some.put(sample.getClass(), sample);
    }
    some.put(Flow.class, Flow.named("f").start("e").activity(end("e")));
    some.put(InputStream.class, new ByteArrayInputStream(new byte[] {1}));
    some.put(Map.class, Map.of());
    some.put(Set.class, Set.of());
    some.put(List.class, List.of());
    some.put(Correction.class, new Correction.SetVariables(Map.of("a", 1), List.of()));
  }

  private Object sample(Parameter parameter) {
    if (parameter.getType() != String.class) {
      return sample(parameter.getType());
    }
    return switch (parameter.getName()) {
      case "text" -> FLOW;
      case "to" -> "bob";
      case "mediaType" -> "text/plain";
      default -> "d";
    };
  }

  private Object sample(Class<?> type) {
    Object sample = some.get(type);
    if (sample != null) {
      return sample;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == int.class) {
      return 1;
    }
    if (type == long.class) {
      return 1L;
    }
    if (type == boolean.class) {
      return false;
    }
    if (type.isInterface() && !type.isSealed()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (self, called, with) -> null);
    }
    throw new AssertionError("Expected a sample of " + type + ": add one");
  }
}
