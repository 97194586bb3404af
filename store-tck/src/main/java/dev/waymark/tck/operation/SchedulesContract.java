package dev.waymark.tck.operation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Schedules: changed only by who knows their revision, found when they are due. */
public abstract class SchedulesContract extends StoreContract {

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private StoredSchedules schedules;

  public SchedulesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askSchedules() {
    schedules = store.schedules();
  }

  private ScheduleRow row(String tenant, String name, @Nullable Instant due) {
    return new ScheduleRow(
        tenant,
        name,
        1,
        "report",
        "{\"a\":1}",
        false,
        due,
        due,
        "{}",
        "anna",
        now(),
        "anna",
        now());
  }

  private ScheduleRow row(String name, @Nullable Instant due) {
    return row("default", name, due);
  }

  private static ScheduleRow at(ScheduleRow row, long revision, String by) {
    return new ScheduleRow(
        row.tenant(),
        row.name(),
        revision,
        row.definition(),
        row.spec(),
        row.paused(),
        row.next(),
        row.due(),
        row.state(),
        row.createdBy(),
        row.created(),
        by,
        row.changed());
  }

  @Test
  void a_created_schedule_is_there_as_it_was_written_and_only_once() {
    ScheduleRow row = row("nightly", now().plus(HOUR));

    assertThat(schedules.create(row)).isTrue();
    assertThat(schedules.create(row("nightly", null))).isFalse();

    assertThat(schedules.find("default", "nightly")).isEqualTo(row);
    assertThat(schedules.find("other", "nightly")).isNull();
  }

  @Test
  void a_change_needs_the_revision_and_makes_the_next() {
    ScheduleRow one = row("one", now());
    ScheduleRow two = row("two", null);
    schedules.create(one);
    schedules.create(two);
    ScheduleRow paused =
        new ScheduleRow(
            "default",
            "one",
            1,
            "other",
            "{}",
            true,
            null,
            null,
            "{\"b\":2}",
            "anna",
            now(),
            "bob",
            now().plus(MINUTE));

    assertThat(schedules.replace(List.of(at(two, 2, "eve"), paused, row("three", null))))
        .containsExactly(false, true, false);

    assertThat(schedules.find("default", "one"))
        .isEqualTo(
            new ScheduleRow(
                "default",
                "one",
                2,
                "other",
                "{}",
                true,
                null,
                null,
                "{\"b\":2}",
                "anna",
                now(),
                "bob",
                now().plus(MINUTE)));
    assertThat(schedules.find("default", "two")).isEqualTo(two);
    assertThat(schedules.find("default", "three")).isNull();
    assertThat(schedules.replace(List.of(paused))).containsExactly(false);
    assertThat(schedules.replace(List.of())).isEmpty();
  }

  @Test
  void of_eight_that_change_the_same_revision_one_has_done_it() throws Exception {
    ScheduleRow row = row("nightly", now());
    schedules.create(row);

    List<List<Boolean>> changed =
        Race.run(i -> () -> schedules.replace(List.of(at(row, 1, "racer" + i))));

    assertThat(changed.stream().filter(List.of(true)::equals)).hasSize(1);
    assertThat(schedules.find("default", "nightly"))
        .extracting(ScheduleRow::revision)
        .isEqualTo(2L);
  }

  @Test
  void of_a_change_and_a_deletion_of_the_same_revision_one_wins() throws Exception {
    ScheduleRow row = row("nightly", now());
    schedules.create(row);

    List<Boolean> won =
        Race.run(
            i ->
                () ->
                    i % 2 == 0
                        ? schedules.delete("default", "nightly", 1)
                        : schedules.replace(List.of(at(row, 1, "racer"))).get(0));

    assertThat(won.stream().filter(done -> done)).hasSize(1);
  }

  @Test
  void a_deleted_schedule_is_gone() {
    schedules.create(row("nightly", now()));

    assertThat(schedules.delete("default", "nightly", 2)).isFalse();
    assertThat(schedules.delete("other", "nightly", 1)).isFalse();
    assertThat(schedules.delete("default", "nightly", 1)).isTrue();

    assertThat(schedules.find("default", "nightly")).isNull();
    assertThat(schedules.nextDue()).isNull();
  }

  @Test
  void due_schedules_of_all_tenants_are_found_the_longest_due_first() {
    schedules.create(row("late", now().minus(HOUR)));
    schedules.create(row("other", "now", now()));
    schedules.create(row("soon", now().plus(MICRO)));
    schedules.create(row("never", null));

    assertThat(schedules.nextDue()).isEqualTo(now().minus(HOUR));
    assertThat(schedules.due(10)).extracting(ScheduleRow::name).containsExactly("late", "now");
    assertThat(schedules.due(1)).extracting(ScheduleRow::name).containsExactly("late");

    clock.advance(MICRO);
    assertThat(schedules.due(10)).hasSize(3);
  }

  @Test
  void a_due_time_between_two_microseconds_is_not_early() {
    ScheduleRow row = row("between", now().plusNanos(1_500));
    schedules.create(row);
    schedules.create(row("other", null));
    schedules.replace(
        List.of(
            new ScheduleRow(
                "default",
                "other",
                1,
                "report",
                "{}",
                false,
                row.next(),
                row.due(),
                "{}",
                "anna",
                now(),
                "anna",
                now())));

    clock.advance(MICRO);
    assertThat(schedules.due(10)).isEmpty();
    clock.advance(MICRO);
    assertThat(schedules.due(10)).hasSize(2);
  }

  @Test
  void a_tenant_sees_its_own_by_name_page_by_page() {
    for (String name : List.of("b", "a", "C")) {
      schedules.create(row(name, null));
    }
    schedules.create(row("other", "d", null));

    assertThat(schedules.list("default", null, 2))
        .extracting(ScheduleRow::name)
        .containsExactly("C", "a");
    assertThat(schedules.list("default", "a", 2))
        .extracting(ScheduleRow::name)
        .containsExactly("b");
  }

  @Test
  void live_runs_are_told_from_those_that_are_not() {
    InstanceId live = givenStarted();
    InstanceId nobody = Rows.newId();

    assertThat(schedules.live(List.of(nobody, live))).containsExactly(live);
    assertThat(schedules.live(List.of())).isEmpty();
  }
}
