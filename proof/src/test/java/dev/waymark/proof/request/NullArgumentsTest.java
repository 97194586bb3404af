package dev.waymark.proof.request;

import static dev.waymark.engine.flow.Activities.end;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.MigrationPlan;
import dev.waymark.core.step.Operators;
import dev.waymark.core.time.Recurrence;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.InputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Every public verb is called with null for each argument that may not be null. It must say which
 * one is missing, in words of its own and not in those of some depth of the engine.
 */
final class NullArgumentsTest {

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
              new Actor(
                  "anna", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator", "workflow-admin")))
          .withTimeout(Duration.ofSeconds(3));

  /** Not asked, each for its reason. */
  private static final Map<String, String> LEFT_OUT =
      Map.of("equals", "null is an answerable question");

  private final Map<Class<?>, Object> some = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();
  private int asked;

  @Test
  void every_public_verb_names_the_argument_that_is_missing() {
    VirtualClock clock = new VirtualClock();
    Store store = Stores.SQLITE.create().open(clock);
    Secret secret = Secret.of("k", new byte[32]);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.callbackSecrets(secret))) {
      kit.deploy(FLOW);
      Run run = kit.start("d", Map.of());
      samples(kit.engine(), run, secret);
      Engine engine = kit.engine();
      verbs(engine);
      List.of(
              engine.definitions(),
              engine.instances(),
              engine.operations(),
              engine.tasks(),
              engine.approvals(),
              engine.bookmarks(),
              engine.bookmarks().look(),
              engine.messages(),
              engine.callbacks(),
              engine.payloads(),
              engine.schedules(),
              engine.worker(BookmarkKind.USER_ACTION),
              StartRequest.of("d"),
              InstanceQuery.ALL,
              ANNA,
              ClaimRequest.lasting(Duration.ofMinutes(1)))
          .forEach(this::verbs);
      engine.inTransaction(
          joined -> {
            verbs(joined);
            return "done";
          });
      verbs(Engine.builder(store));
      List.<Class<?>>of(
              Engine.class,
              StartRequest.class,
              ClaimRequest.class,
              InstanceQuery.class,
              Caller.class,
              Correlated.class,
              Schedule.class,
              MigrationRequest.class,
              ActivityResult.class,
              Secret.class,
              Token.class,
              PayloadReference.class)
          .forEach(this::makers);
    }
    assertThat(asked).isGreaterThan(250);
    assertThat(wrong).isEmpty();
  }

  @Test
  void a_fault_without_a_message_keeps_its_code() {
    assertThat(ActivityResult.failed("CODE", null)).isEqualTo(ActivityResult.failed("CODE", ""));
    assertThat(ActivityResult.failedForGood("CODE", null))
        .isEqualTo(ActivityResult.failedForGood("CODE", ""));
  }

  private void samples(Engine engine, Run run, Secret secret) {
    Instance instance = engine.instances().find(run.id(), Caller.of("test")).orElseThrow();
    BookmarkId bookmark = instance.bookmarks().firstKey();
    Instant now = instance.origin().created();
    StartRequest start = StartRequest.of("d");
    for (Object sample :
        List.of(
            "d",
            ANNA,
            ANNA.actor(),
            run.id(),
            bookmark,
            Duration.ofMinutes(1),
            now,
            start,
            new Lease("anna", 1, now.plusSeconds(60)),
            InboxPlace.START,
            ClaimRequest.lasting(Duration.ofMinutes(1)),
            InstanceQuery.ALL,
            instance,
            run.history().getFirst(),
            new Message.Key(Actor.DEFAULT_TENANT, "s", "i"),
            Correlated.of("x", "y", Map.of(), "s", "i"),
            Schedule.cron("s", "0 0 1 1 *", ZoneOffset.UTC, start),
            new MigrationRequest("d", 1, 2, MigrationPlan.PLAIN),
            MigrationPlan.PLAIN,
            new Token("t", run.id(), "k", true, null),
            secret,
            Settings.DEFAULT,
            Retention.DEFAULT,
            Operators.DEFAULT,
            new PayloadReference("0".repeat(64), 1, "text/plain"),
            "{}".getBytes(StandardCharsets.UTF_8))) {
      some.put(sample.getClass(), sample);
    }
    some.put(InputStream.class, InputStream.nullInputStream());
    some.put(ZoneId.class, ZoneOffset.UTC);
    some.put(Recurrence.class, Schedule.every("s", Duration.ofDays(1), start).recurrence());
    some.put(Flow.class, Flow.named("f").start("e").activity(end("e")));
    some.put(Binding.class, Binding.of("q", "t", "m", "f"));
    some.put(Map.class, Map.of());
    some.put(Set.class, Set.of());
    some.put(List.class, List.of());
    some.put(Collection.class, List.of());
    some.put(Correction.class, new Correction.SetVariables(Map.of(), List.of()));
    some.put(HistoryEntry.class, run.history().getFirst());
  }

  private void verbs(Object subject) {
    for (Method verb : face(subject.getClass()).getMethods()) {
      if (!Modifier.isStatic(verb.getModifiers())
          && verb.getDeclaringClass().getName().startsWith("dev.waymark")
          && !LEFT_OUT.containsKey(verb.getName())) {
        ask(verb, subject);
      }
    }
  }

  /** The public interface of a class of the engine; a class without one is public itself. */
  private static Class<?> face(Class<?> type) {
    for (Class<?> face : type.getInterfaces()) {
      if (face.getName().startsWith("dev.waymark.engine.")) {
        return face;
      }
    }
    return type;
  }

  private void makers(Class<?> type) {
    for (Method maker : type.getMethods()) {
      if (Modifier.isStatic(maker.getModifiers())) {
        ask(maker, null);
      }
    }
    for (Constructor<?> constructor : type.getConstructors()) {
      ask(constructor, null);
    }
  }

  private void ask(Executable verb, @Nullable Object subject) {
    Parameter[] parameters = verb.getParameters();
    for (int missing = 0; missing < parameters.length; missing++) {
      Parameter parameter = parameters[missing];
      if (parameter.getType().isPrimitive() || mayBeNull(parameter)) {
        continue;
      }
      @Nullable Object[] arguments = new Object[parameters.length];
      for (int i = 0; i < parameters.length; i++) {
        arguments[i] =
            i == missing || mayBeNull(parameters[i]) ? null : sample(parameters[i].getType());
      }
      asked++;
      String answer = answer(verb, subject, arguments);
      if (!answer.equals(parameter.getName())
          && !answer.matches("Expected [^,]+, but got (null|none)")) {
        wrong.add(
            "%s.%s without %s: %s"
                .formatted(
                    verb.getDeclaringClass().getSimpleName(),
                    verb.getName() + List.of(verb.getParameters()),
                    parameter.getName(),
                    answer));
      }
    }
  }

  private static boolean mayBeNull(Parameter parameter) {
    return parameter.getAnnotatedType().isAnnotationPresent(Nullable.class);
  }

  private static String answer(
      Executable verb, @Nullable Object subject, @Nullable Object[] given) {
    try {
      Object result =
          verb instanceof Method method
              ? method.invoke(subject, given)
              : ((Constructor<?>) verb).newInstance(given);
      return "taken without a word: " + result;
    } catch (InvocationTargetException e) {
      return String.valueOf(e.getCause().getMessage());
    } catch (ReflectiveOperationException | IllegalArgumentException e) {
      return "not asked: " + e;
    }
  }

  private Object sample(Class<?> type) {
    Object sample = some.get(type);
    if (sample != null) {
      return sample;
    }
    if (type.isEnum()) {
      return type.getEnumConstants()[0];
    }
    if (type == int.class || type == Integer.class) {
      return 1;
    }
    if (type == long.class || type == Long.class) {
      return 1L;
    }
    if (type == boolean.class) {
      return false;
    }
    if (type.isArray()) {
      return Array.newInstance(type.getComponentType(), 0);
    }
    if (type.isInterface() && !type.isSealed()) {
      return Proxy.newProxyInstance(
          type.getClassLoader(), new Class<?>[] {type}, (self, called, with) -> "proxy");
    }
    return type.getName();
  }
}
