package dev.waymark.proof.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.InstanceQuery;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** What tests of schedules start, and what they ask about it. */
public final class Timetable {

  public static final Caller ALICE = Caller.of("alice");
  public static final Caller BOB = Caller.of("bob");

  public static final String QUICK =
      """
      waymark: 1
      key: quick
      start: note
      activities:
        note: { type: set, with: { at: "${ Context.correlationId }" } }
      """;

  public static final String SLOW =
      """
      waymark: 1
      key: slow
      start: wait
      activities:
        wait: { type: wait }
      """;

  private Timetable() {}

  public static Schedule hourly(String definition) {
    return Schedule.every("hourly", Duration.ofHours(1), StartRequest.of(definition));
  }

  public static List<String> startedAt(Engine engine) {
    return engine.instances().list(InstanceQuery.ALL, ALICE).stream()
        .map(run -> String.valueOf(run.origin().correlationId()))
        .sorted()
        .toList();
  }

  public static String at(Duration sinceBeginning, Instant beginning) {
    return beginning.plus(sinceBeginning).toString();
  }

  public static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().withMaxLateness(Duration.ZERO).replayingAll()))
        .isEmpty();
  }
}
