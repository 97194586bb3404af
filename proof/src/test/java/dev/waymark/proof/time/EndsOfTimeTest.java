package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Durations and moments at the ends of their range, with real threads: each verb makes sense of
 * them or refuses them in words of its own.
 */
final class EndsOfTimeTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller OPERATOR =
      Caller.of(new Actor("op", Actor.DEFAULT_TENANT, Set.of(), Set.of("operator")));

  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait }
      """;

  private static final List<Duration> DURATIONS =
      List.of(
          Duration.ZERO,
          Duration.ofNanos(1),
          Duration.ofNanos(-1),
          Duration.ofDays(365_000),
          Duration.ofDays(-365_000),
          Duration.ofDays(365L * 300_000_000L),
          Duration.ofSeconds(Long.MAX_VALUE),
          Duration.ofSeconds(Long.MIN_VALUE));

  private static final List<Instant> MOMENTS =
      List.of(
          Instant.MIN,
          Instant.parse("-4713-01-01T00:00:00Z"),
          Instant.EPOCH,
          Instant.parse("9999-12-31T23:59:59.999999999Z"),
          Instant.parse("+10000-01-01T00:00:00Z"),
          Instant.MAX);

  private final VirtualClock clock = new VirtualClock();
  private final List<String> wrong = new ArrayList<>();

  @ParameterizedTest
  @EnumSource
  void durations_of_any_length_make_sense_or_are_refused(Stores stores) {
    try (Engine engine = Engine.builder(stores.create().open(clock)).clock(clock).start()) {
      engine.definitions().deploy(ASKING, ANNA);
      BookmarkId wait = wait(engine);
      InstanceId ended = wait(engine).instance();
      engine.operations().cancel(ended, "enough", ANNA).orThrow();

      Map<String, Consumer<Duration>> verbs = new LinkedHashMap<>();
      verbs.put("awaitEnd", time -> engine.instances().awaitEnd(ended, time, ANNA));
      verbs.put("longRunning", time -> engine.instances().longRunning(time, null, 5, ANNA));
      verbs.put("timersDueWithin", time -> engine.operations().timersDueWithin(time, 5, ANNA));
      verbs.put(
          "a caller's time to find",
          time -> engine.instances().find(ended, ANNA.withTimeout(time)));
      verbs.put(
          "a caller's time to start",
          time -> engine.instances().start(StartRequest.of("asking"), ANNA.withTimeout(time)));
      verbs.put(
          "a caller's time to send",
          time ->
              engine
                  .messages()
                  .send(ended, "m", Map.of(), "s", time.toString(), ANNA.withTimeout(time)));
      verbs.put("a lease", time -> engine.bookmarks().claim(wait, time, ANNA));
      verbs.put("a task", time -> engine.tasks().claim(wait, time, ANNA));
      verbs.put(
          "kept",
          time ->
              engine
                  .messages()
                  .correlate(new Correlated("n", "k", Map.of(), "t", "" + time, time), ANNA));
      verbs.put("every", time -> Schedule.every("e", time, StartRequest.of("asking")));
      verbs.forEach((name, verb) -> DURATIONS.forEach(time -> check(name, verb, time)));
    }
    assertThat(wrong).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void moments_of_any_age_make_sense_or_are_refused(Stores stores) {
    try (Engine engine = Engine.builder(stores.create().open(clock)).clock(clock).start()) {
      engine.definitions().deploy(ASKING, ANNA);
      BookmarkId wait = wait(engine);
      Schedules schedules = engine.schedules();
      Housekeeping housekeeping = engine.bookmarks().housekeeping();
      StartRequest start = StartRequest.of("asking");
      schedules.put(Schedule.every("d", Duration.ofDays(1), start).overlap(Overlap.ALLOW), ANNA);
      Instant now = clock.instant();

      Map<String, Consumer<Instant>> verbs = new LinkedHashMap<>();
      verbs.put(
          "begun from",
          at -> engine.instances().list(InstanceQuery.ALL.begunBetween(at, null), ANNA));
      verbs.put(
          "begun to",
          at -> engine.instances().list(InstanceQuery.ALL.begunBetween(null, at), ANNA));
      verbs.put("backfill from", at -> schedules.backfill("d", at, now, ANNA));
      verbs.put("backfill before", at -> schedules.backfill("d", now.minusSeconds(9), at, ANNA));
      verbs.put(
          "every from",
          at -> schedules.put(Schedule.every("f", Duration.ofDays(1), at, start), ANNA));
      verbs.put("forget", at -> housekeeping.forget(at, 10));
      verbs.put("archive", at -> housekeeping.archive(Bookmark.End.CONSUMED, at, 10));
      verbs.put("a timer", at -> engine.operations().rescheduleTimer(wait, at, "x", ANNA));
      verbs.put("a task", at -> engine.tasks().reschedule(wait, at, "x", OPERATOR));
      verbs.put(
          "a place", at -> engine.tasks().inbox(new InboxPlace(at, wait.instance(), 0), 5, ANNA));
      verbs.forEach((name, verb) -> MOMENTS.forEach(at -> check(name, verb, at)));
    }
    assertThat(wrong).isEmpty();
  }

  private static BookmarkId wait(Engine engine) {
    InstanceId run = engine.instances().start(StartRequest.of("asking"), ANNA).orThrow();
    return engine.instances().find(run, ANNA).orElseThrow().bookmarks().firstKey();
  }

  private <T> void check(String name, Consumer<T> verb, T value) {
    try {
      verb.accept(value);
    } catch (EngineException e) {
      // Refused, or too late: both are told in words of the engine.
      if (e.getCause() instanceof ArithmeticException
          || e.getCause() instanceof DateTimeException) {
        wrong.add("%s %s: %s".formatted(name, value, e));
      }
    } catch (IllegalArgumentException e) {
      if (!String.valueOf(e.getMessage()).startsWith("Expected")) {
        wrong.add("%s %s: %s".formatted(name, value, e));
      }
    } catch (RuntimeException e) {
      wrong.add("%s %s: %s".formatted(name, value, e));
    }
  }
}
