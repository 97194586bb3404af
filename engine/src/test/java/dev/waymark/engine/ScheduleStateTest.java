package dev.waymark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.internal.time.ScheduleState;
import dev.waymark.engine.internal.time.ScheduleState.PendingStart;
import dev.waymark.engine.schedule.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The stored form of a schedule's state. */
final class ScheduleStateTest {

  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @Test
  void a_buffered_start_keeps_its_name() {
    PendingStart trigger = new PendingStart(NOON, "$trigger:abc");
    ScheduleState state =
        new ScheduleState(false, NOON, null, List.of(), trigger, List.of(), 0, 0, null);

    assertThat(ScheduleState.of("hourly", false, NOON, state.toDocument())).isEqualTo(state);
  }

  /** Before, only its time was stored. */
  @Test
  void a_row_of_an_earlier_release_buffers_the_occurrence_of_that_time() {
    Schedule hourly = Schedule.every("hourly", Duration.ofHours(1), StartRequest.of("report"));
    Map<String, @Nullable Object> stored = new LinkedHashMap<>();
    stored.put("buffered", NOON.toString());

    ScheduleState state = ScheduleState.of("hourly", false, null, stored);

    assertThat(state.advanced(hourly, NOON, Set.of()).pending())
        .containsExactly(ScheduleState.pending(hourly, NOON));
  }
}
