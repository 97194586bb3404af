package dev.waymark.proof.store.postgres;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.CommandRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** Units for the tests of this package: each writes a row to every table that a step touches. */
final class Units {

  static final String TENANT = "acme";
  static final long TASK = 1;
  static final long TIMER = 2;

  private final Instant now;

  Units(Instant now) {
    this.now = now;
  }

  static InstanceId newId() {
    return new InstanceId(UUID.randomUUID());
  }

  /** Starts with a task and a timer, which is due a minute later. */
  UnitRows start(InstanceId id, List<KeyRow> keys) {
    return unit(
        id,
        0,
        List.of(),
        List.of(),
        List.of(visit(1)),
        List.of(),
        List.of(bookmark(TASK, 0, null), bookmark(TIMER, 1, now.plusSeconds(60))),
        List.of(new CommandRow("start", "start-" + id, "abc", 1, now)),
        keys);
  }

  UnitRows start(InstanceId id) {
    return start(id, List.of());
  }

  /** Ends the visit before and begins the next. */
  UnitRows step(InstanceId id, long before, List<SpendRow> spends, List<Message.Key> received) {
    return unit(
        id,
        before,
        spends,
        received,
        List.of(visit(before + 1)),
        List.of(before),
        List.of(),
        List.of(),
        List.of());
  }

  /** Ends a wait and the visit it belongs to, and begins nothing. */
  UnitRows answer(InstanceId id, long before, SpendRow spend) {
    UnitRows step = step(id, before, List.of(spend), List.of());
    return new UnitRows(
        step.before(),
        step.instance(),
        false,
        null,
        step.spends(),
        List.of(),
        List.of(),
        List.of(),
        step.ended(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        step.history(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        List.of(),
        step.commandId(),
        step.size());
  }

  UnitRows step(InstanceId id, long before) {
    return step(id, before, List.of(), List.of());
  }

  SpendRow spend(long tag, Guard guard, long fence) {
    return new SpendRow(tag, guard, fence, 1, "anna", now);
  }

  private UnitRows unit(
      InstanceId id,
      long before,
      List<SpendRow> spends,
      List<Message.Key> received,
      List<ActivityRow> begun,
      List<Long> ended,
      List<BookmarkRow> created,
      List<CommandRow> commands,
      List<KeyRow> keys) {
    long version = before + 1;
    InstanceRow instance =
        new InstanceRow(
            id,
            TENANT,
            1,
            version,
            0,
            version,
            "{\"v\":" + version + "}",
            null,
            null,
            null,
            null,
            now,
            now,
            null,
            null);
    HistoryRow entry =
        new HistoryRow(
            version, 0, 7, "a", 1, 1, null, null, "anna", "command", now, null, 0, "[]", null,
            null);
    OutboxRow event =
        new OutboxRow(
            Outbox.laneOf(id), "sink", id + "." + version, version, 0, "waymark.test", "{}");
    return new UnitRows(
        before,
        instance,
        false,
        null,
        spends,
        received.stream().map(key -> new ReceiptRow(key, version)).toList(),
        begun,
        List.of(),
        ended,
        created,
        List.of(),
        List.of(),
        List.of(),
        List.of(entry),
        List.of(event),
        List.of(),
        commands,
        keys,
        List.of(),
        List.of(),
        "command",
        500);
  }

  private ActivityRow visit(long visit) {
    return new ActivityRow(visit, "a", 0, 2, 0, 0, 0, null, null, now, null, null);
  }

  private BookmarkRow bookmark(long tag, int kind, Instant due) {
    return new BookmarkRow(
        tag, 1, kind, "key-" + tag, null, due, 0, now, null, null, null, null, 0, TermsRow.NONE);
  }
}
