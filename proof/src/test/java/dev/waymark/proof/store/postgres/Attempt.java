package dev.waymark.proof.store.postgres;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.CommandRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * One try to move an instance: it spends the bookmark of the version before with a fence, and
 * leaves one for the next. Bookmarks and visits are numbered like the versions that made them.
 *
 * @param id unique, and written into every row of the unit: so each row tells which try it is from
 * @param before 0 starts the instance, and spends nothing
 */
record Attempt(String id, InstanceId instance, long before, long fence) {

  long version() {
    return before + 1;
  }

  BookmarkId spent() {
    return new BookmarkId(instance, before);
  }

  UnitRows unit(Instant now) {
    boolean starts = before == 0;
    return new UnitRows(
        before,
        new InstanceRow(
            instance,
            Units.TENANT,
            1,
            version(),
            0,
            version(),
            id,
            null,
            null,
            null,
            null,
            now,
            now,
            null,
            null),
        false,
        null,
        starts ? List.of() : List.of(new SpendRow(before, Guard.FENCE, fence, 1, id, now)),
        List.of(),
        List.of(new ActivityRow(version(), "a", 0, 2, 0, 0, 0, null, null, now, id, null)),
        List.of(),
        starts ? List.of() : List.of(before),
        List.of(
            new BookmarkRow(
                version(),
                version(),
                0,
                id,
                null,
                null,
                0,
                now,
                null,
                null,
                null,
                null,
                0,
                TermsRow.NONE)),
        List.of(),
        List.of(),
        List.of(),
        List.of(
            new HistoryRow(
                version(),
                0,
                7,
                "a",
                version(),
                1,
                null,
                starts ? null : before,
                "anna",
                id,
                now,
                null,
                1,
                "[]",
                null,
                null)),
        List.of(
            new OutboxRow(Outbox.laneOf(instance), "sink", id, version(), 0, "waymark.test", "{}")),
        List.of(),
        List.of(new CommandRow("step", id, "abc", version(), now)),
        List.of(),
        List.of(),
        List.of(),
        id,
        500);
  }

  /**
   * The rows that it must have left if it was committed, as {@link StressCheck} describes them.
   *
   * @param last whether nobody has moved the instance since: some rows live only until then
   */
  List<String> rows(boolean last) {
    List<String> rows = new ArrayList<>();
    rows.add(row("history", version()));
    rows.add(row("event", version()));
    rows.add(row("command", version()));
    rows.add(row("created", version()));
    if (before > 0) {
      rows.add(row("history spends", before));
      rows.add(row("closed", before));
    }
    if (last) {
      rows.add(row("instance", version()));
      rows.add(row("visit", version()));
    }
    return rows;
  }

  private String row(String what, long number) {
    return "%s %s %d".formatted(instance.value(), what, number);
  }
}
