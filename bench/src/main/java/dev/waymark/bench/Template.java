package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of one instance as the engine wrote them, to be written again under other ids. All texts
 * and lists are shared; a copy costs a few small objects.
 */
final class Template {

  private final List<UnitRows> units;

  private Template(List<UnitRows> units) {
    this.units = units;
  }

  static Template of(InstanceId sample, Collection<UnitRows> committed) {
    List<UnitRows> units =
        committed.stream()
            .filter(unit -> unit.id().equals(sample))
            .sorted(Comparator.comparingLong(UnitRows::before))
            .toList();
    if (units.isEmpty()) {
      throw new IllegalArgumentException("Expected units of " + sample + ", but got none");
    }
    return new Template(units);
  }

  /** The same, run by another node. */
  Template on(NodeId node) {
    return new Template(units.stream().map(unit -> copy(unit, unit.instance(), node)).toList());
  }

  int size() {
    return units.size();
  }

  UnitRows unit(int step, InstanceId id) {
    UnitRows unit = units.get(step);
    InstanceRow row = unit.instance();
    InstanceRow renamed =
        new InstanceRow(
            id,
            row.tenant(),
            row.definition(),
            row.version(),
            row.status(),
            row.visits(),
            row.variables(),
            row.extra(),
            row.businessKey() == null ? null : id.toString(),
            row.correlationId(),
            row.traceParent(),
            row.created(),
            row.updated(),
            row.ended(),
            row.parent());
    return copy(unit, renamed, null);
  }

  private static UnitRows copy(UnitRows unit, InstanceRow row, @Nullable NodeId node) {
    return new UnitRows(
        unit.before(),
        row,
        unit.patched(),
        unit.labels(),
        unit.spends(),
        unit.received().isEmpty() ? unit.received() : receipts(unit.received(), row.id()),
        node == null ? unit.begun() : onNode(unit.begun(), node),
        node == null ? unit.changed() : onNode(unit.changed(), node),
        unit.ended(),
        unit.created().isEmpty() ? unit.created() : correlated(unit.created(), row.id()),
        unit.amended(),
        unit.candidates(),
        unit.dismissed(),
        node == null ? unit.history() : historyOn(unit.history(), node),
        unit.events().isEmpty() ? unit.events() : events(unit.events(), unit.id(), row.id()),
        unit.sent(),
        unit.commands(),
        keys(unit.keysTaken(), row),
        keys(unit.keysFreed(), row),
        unit.payloads(),
        unit.commandId(),
        unit.size());
  }

  // Every instance has a business key, a message and a correlation key of its own: its id.
  private static List<KeyRow> keys(List<KeyRow> rows, InstanceRow of) {
    return rows.stream()
        .map(row -> new KeyRow(row.kind(), String.valueOf(of.businessKey())))
        .toList();
  }

  private static List<ReceiptRow> receipts(List<ReceiptRow> rows, InstanceId id) {
    return rows.stream()
        .map(
            row ->
                new ReceiptRow(
                    new Message.Key(row.key().tenant(), row.key().source(), id.toString()),
                    row.version()))
        .toList();
  }

  private static List<BookmarkRow> correlated(List<BookmarkRow> rows, InstanceId id) {
    return rows.stream()
        .map(
            row ->
                row.terms().correlation() == null
                    ? row
                    : new BookmarkRow(
                        row.tag(),
                        row.visit(),
                        row.kind(),
                        row.key(),
                        row.payload(),
                        row.due(),
                        row.state(),
                        row.created(),
                        row.closedBy(),
                        row.closedAt(),
                        row.holder(),
                        row.leaseUntil(),
                        row.fence(),
                        new TermsRow(
                            row.terms().priority(),
                            id.toString(),
                            row.terms().expires(),
                            row.terms().document(),
                            row.terms().audience())))
        .toList();
  }

  private static List<ActivityRow> onNode(List<ActivityRow> rows, NodeId node) {
    return rows.stream()
        .map(
            row ->
                new ActivityRow(
                    row.visit(),
                    row.activity(),
                    row.parent(),
                    row.state(),
                    row.attempt(),
                    row.failures(),
                    row.crashes(),
                    row.node() == null ? null : node,
                    row.due(),
                    row.entered(),
                    row.data(),
                    row.fault()))
        .toList();
  }

  private static List<HistoryRow> historyOn(List<HistoryRow> rows, NodeId node) {
    return rows.stream()
        .map(
            row ->
                new HistoryRow(
                    row.version(),
                    row.ordinal(),
                    row.type(),
                    row.activity(),
                    row.visit(),
                    row.attempt(),
                    row.node() == null ? null : node,
                    row.bookmark(),
                    row.actor(),
                    row.commandId(),
                    row.at(),
                    row.durationMicros(),
                    row.events(),
                    row.changes(),
                    row.detail(),
                    row.snapshot()))
        .toList();
  }

  private static List<OutboxRow> events(List<OutboxRow> rows, InstanceId from, InstanceId to) {
    int prefix = from.toString().length();
    String name = to.toString();
    return rows.stream()
        .map(
            row ->
                new OutboxRow(
                    Outbox.laneOf(to),
                    row.sink(),
                    name + row.eventId().substring(prefix),
                    row.version(),
                    row.ordinal(),
                    row.type(),
                    row.data()))
        .toList();
  }
}
