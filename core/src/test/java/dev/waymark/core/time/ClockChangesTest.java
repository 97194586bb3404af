package dev.waymark.core.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every occurrence happens once when clocks change: judged by a table that people wrote. */
class ClockChangesTest {

  record Night(
      ZoneId zone, String cron, Instant down, Instant up, List<Instant> missed, Instant next) {

    Recurrence recurrence() {
      return new Recurrence.OnCron(Cron.parse(cron), zone);
    }

    /** What the policy makes of it, as the table says it. */
    List<Instant> expected(Missed policy) {
      List<Instant> expected = new ArrayList<>();
      switch (policy) {
        case SKIP -> {}
        case ONCE -> expected.add(missed.get(missed.size() - 1));
        case ALL -> expected.addAll(missed);
      }
      expected.add(next);
      return expected;
    }
  }

  static List<Night> nights() throws IOException {
    try (InputStream table = ClockChangesTest.class.getResourceAsStream("clock-changes.txt")) {
      String text =
          new String(Objects.requireNonNull(table).readAllBytes(), StandardCharsets.UTF_8);
      return text.lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .map(line -> Arrays.stream(line.split("\\|")).map(String::trim).toList())
          .map(
              cells ->
                  new Night(
                      ZoneId.of(cells.get(0)),
                      cells.get(1),
                      instant(cells.get(2)),
                      instant(cells.get(3)),
                      Arrays.stream(cells.get(4).split(" "))
                          .map(ClockChangesTest::instant)
                          .toList(),
                      instant(cells.get(5))))
          .toList();
    }
  }

  private static Instant instant(String text) {
    return Instant.parse(text.replace("Z", ":00Z"));
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> cases() throws IOException {
    return nights().stream()
        .flatMap(
            night ->
                Arrays.stream(Missed.values())
                    .map(policy -> org.junit.jupiter.params.provider.Arguments.of(night, policy)));
  }

  @Test
  void the_table_holds_eight_zones_with_four_changes_each() throws IOException {
    var byZone = nights().stream().collect(Collectors.groupingBy(Night::zone));

    assertThat(byZone).hasSize(8);
    assertThat(byZone.values())
        .allSatisfy(
            nights -> {
              assertThat(nights).hasSize(4);
              assertThat(nights.stream().map(ClockChangesTest::change).distinct()).hasSize(4);
            });
  }

  /** Between going down and the next occurrence the clocks of every row change once. */
  private static ZoneOffsetTransition change(Night night) {
    var change = night.zone().getRules().nextTransition(night.down());
    assertThat(change.getInstant()).isBetween(night.down(), night.next());
    return change;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void after_a_downtime_each_occurrence_happens_as_the_policy_says(Night night, Missed policy) {
    List<Instant> happened =
        happened(night, since -> policy.next(night.recurrence(), since, night.up()));

    assertThat(happened).isEqualTo(night.expected(policy));
  }

  /** A run already stood at the first one when everything went down. */
  @ParameterizedTest
  @MethodSource("cases")
  void an_occurrence_that_was_waited_for_happens_as_the_policy_says(Night night, Missed policy) {
    List<Instant> happened = new ArrayList<>();
    Instant awaited = night.missed().get(0);
    Instant since = policy.noticed(night.recurrence(), awaited, night.up());
    if (since != null) {
      happened.add(since);
    }
    happened.addAll(
        happened(
            night,
            last ->
                policy.next(
                    night.recurrence(),
                    last.equals(night.down()) && since != null ? since : last,
                    night.up())));

    assertThat(happened).isEqualTo(night.expected(policy));
  }

  /** Nobody is down: every occurrence is noticed within seconds, so the policy does not matter. */
  @ParameterizedTest
  @MethodSource("cases")
  void without_a_downtime_each_occurrence_happens_once_under_every_policy(
      Night night, Missed policy) {
    List<Instant> happened = new ArrayList<>();
    Instant awaited = policy.next(night.recurrence(), night.down(), night.down());
    for (Instant now = night.down();
        !now.isAfter(night.next().plusSeconds(30));
        now = now.plusSeconds(15)) {
      if (awaited != null && !now.isBefore(awaited)) {
        Instant noticed = policy.noticed(night.recurrence(), awaited, now);
        assertThat(noticed).isEqualTo(awaited);
        happened.add(noticed);
        awaited = policy.next(night.recurrence(), noticed, now);
      }
    }

    assertThat(happened).isEqualTo(night.expected(Missed.ALL));
  }

  private static List<Instant> happened(Night night, Function<Instant, @Nullable Instant> next) {
    List<Instant> happened = new ArrayList<>();
    Instant last = night.down();
    while (!last.isAfter(night.up())) {
      last = Objects.requireNonNull(next.apply(last));
      happened.add(last);
      assertThat(happened).hasSizeLessThan(100);
    }
    return happened;
  }

  @Test
  void what_was_missed_and_is_not_too_late_happens_under_every_policy() {
    Recurrence hourly = new Recurrence.Every(Duration.ofHours(1), Instant.EPOCH);
    Instant awaited = Instant.parse("2026-05-04T10:00:00Z");

    for (Missed policy : Missed.values()) {
      assertThat(policy.noticed(hourly, awaited, awaited.plusSeconds(60))).isEqualTo(awaited);
    }
    assertThat(Missed.SKIP.noticed(hourly, awaited, awaited.plusSeconds(61))).isNull();
  }
}
