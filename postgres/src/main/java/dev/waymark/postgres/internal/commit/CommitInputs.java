package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.AmendRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.CandidateRow;
import dev.waymark.engine.store.UnitRows.CommandRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.LabelRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.postgres.internal.sql.ArrayInput;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import dev.waymark.postgres.internal.sql.NamedText;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The inputs of the commit statement: every kind of rows that a unit has, column by column. */
final class CommitInputs {

  /** One row for each unit. */
  static final ArrayInput<UnitRows, UnitRows> UNIT =
      ArrayInput.of("unit", (UnitRows unit) -> List.of(unit))
          .uuid("id", unit -> unit.id().value())
          .text("tenant", unit -> unit.instance().tenant())
          .int8("definition", unit -> unit.instance().definition())
          .int8("before", UnitRows::before)
          .int8("version", unit -> unit.instance().version())
          .int2("status", unit -> unit.instance().status())
          .int8("visits", unit -> unit.instance().visits())
          .text("variables", unit -> unit.instance().variables())
          .bool("patched", UnitRows::patched)
          .text("extra", unit -> unit.instance().extra())
          .instant("updated", unit -> unit.instance().updated())
          .instant("ended", unit -> unit.instance().ended())
          .int4("spends", CommitInputs::spends)
          .int4("touches", CommitInputs::touches);

  /** The columns of an instance that only its start writes. */
  static final ArrayInput<UnitRows, InstanceRow> START =
      ArrayInput.of(
              "start", (UnitRows unit) -> unit.isStart() ? List.of(unit.instance()) : List.of())
          .text("business_key", InstanceRow::businessKey)
          .text("correlation_id", InstanceRow::correlationId)
          .text("trace_parent", InstanceRow::traceParent)
          .instant("created", InstanceRow::created);

  /** The columns that only the start of a child writes. */
  static final ArrayInput<UnitRows, Parent> CHILD =
      ArrayInput.of("child", CommitInputs::parents)
          .uuid("parent_id", parent -> parent.instance().value())
          .int8("parent_visit", Parent::visit)
          .bool("parent_reports", Parent::reports);

  static final ArrayInput<UnitRows, SpendRow> SPEND =
      ArrayInput.of("spend", UnitRows::spends)
          .int8("tag", SpendRow::tag)
          .int2("guard", spend -> guard(spend))
          .int8("fence", SpendRow::fence)
          .int2("state", SpendRow::state)
          .text("closed_by", SpendRow::closedBy)
          .instant("closed_at", SpendRow::closedAt);

  static final ArrayInput<UnitRows, ReceiptRow> RECEIPT =
      ArrayInput.of("receipt", UnitRows::received)
          .text("tenant", receipt -> receipt.key().tenant())
          .text("source", receipt -> receipt.key().source())
          .text("id", receipt -> receipt.key().id())
          .int8("version", ReceiptRow::version);

  static final ArrayInput<UnitRows, Long> ENDED =
      ArrayInput.of("ended", UnitRows::ended).int8("visit", visit -> visit);

  static final ArrayInput<UnitRows, ActivityRow> BEGUN =
      activities(ArrayInput.of("begun", UnitRows::begun));

  static final ArrayInput<UnitRows, ActivityRow> CHANGED =
      activities(ArrayInput.of("changed", UnitRows::changed));

  static final ArrayInput<UnitRows, BookmarkRow> BOOKMARK =
      ArrayInput.of("bookmark", UnitRows::created)
          .int8("tag", BookmarkRow::tag)
          .int8("visit", BookmarkRow::visit)
          .int2("kind", BookmarkRow::kind)
          .text("key", BookmarkRow::key)
          .text("payload", BookmarkRow::payload)
          .due("due", BookmarkRow::due)
          .int2("state", BookmarkRow::state)
          .text("holder", BookmarkRow::holder)
          .instant("lease_until", BookmarkRow::leaseUntil)
          .int8("fence", BookmarkRow::fence)
          .instant("created", BookmarkRow::created)
          .text("closed_by", BookmarkRow::closedBy)
          .instant("closed_at", BookmarkRow::closedAt)
          .int4("priority", row -> row.terms().priority())
          .text("correlation", row -> row.terms().correlation())
          .instant("expires", row -> row.terms().expires())
          .text("terms", row -> row.terms().document())
          .text("audience", row -> row.terms().audience());

  static final ArrayInput<UnitRows, AmendRow> AMEND =
      ArrayInput.of("amend", UnitRows::amended)
          .int8("tag", AmendRow::tag)
          .text("payload", AmendRow::payload)
          .due("due", AmendRow::due)
          .int4("priority", row -> row.terms().priority())
          .text("correlation", row -> row.terms().correlation())
          .instant("expires", row -> row.terms().expires())
          .text("terms", row -> row.terms().document())
          .text("audience", row -> row.terms().audience())
          .bool("released", AmendRow::released);

  static final ArrayInput<UnitRows, CandidateRow> NAMED =
      candidates(ArrayInput.of("named", UnitRows::candidates));

  static final ArrayInput<UnitRows, CandidateRow> DISMISSED =
      candidates(ArrayInput.of("dismissed", UnitRows::dismissed));

  /** The units whose labels differ now, even if none is left. */
  static final ArrayInput<UnitRows, UnitRows> LABELLED =
      ArrayInput.of(
          "labelled", (UnitRows unit) -> unit.labels() == null ? List.of() : List.of(unit));

  static final ArrayInput<UnitRows, LabelRow> LABEL =
      ArrayInput.of("label", CommitInputs::labels)
          .text("name", LabelRow::name)
          .text("value", LabelRow::value);

  static final ArrayInput<UnitRows, HistoryRow> ENTRY =
      ArrayInput.of("entry", UnitRows::history)
          .int8("version", HistoryRow::version)
          .int2("ordinal", HistoryRow::ordinal)
          .int2("type", HistoryRow::type)
          .text("activity", HistoryRow::activity)
          .int8("visit", HistoryRow::visit)
          .int4("attempt", HistoryRow::attempt)
          .uuid("node", entry -> uuid(entry.node()))
          .int8("bookmark", HistoryRow::bookmark)
          .text("actor", HistoryRow::actor)
          .text("command_id", HistoryRow::commandId)
          .instant("at", HistoryRow::at)
          .int8("duration_us", HistoryRow::durationMicros)
          .int2("events", HistoryRow::events)
          .text("changes", HistoryRow::changes)
          .text("detail", HistoryRow::detail)
          .text("snapshot", HistoryRow::snapshot);

  static final ArrayInput<UnitRows, OutboxRow> EVENT =
      ArrayInput.of("event", UnitRows::events)
          .int2("lane", OutboxRow::lane)
          .text("sink", OutboxRow::sink)
          .text("event_id", OutboxRow::eventId)
          .int8("version", OutboxRow::version)
          .int2("ordinal", OutboxRow::ordinal)
          .text("type", OutboxRow::type)
          .text("data", OutboxRow::data);

  static final ArrayInput<UnitRows, MessageRow> MESSAGE =
      ArrayInput.of("message", UnitRows::sent)
          .text("tenant", message -> message.key().tenant())
          .text("source", message -> message.key().source())
          .text("id", message -> message.key().id())
          .uuid("addressee", message -> uuid(message.addressee()))
          .text("name", MessageRow::name)
          .text("payload", MessageRow::payload)
          .text("sender", MessageRow::sender)
          .instant("received", MessageRow::received);

  static final ArrayInput<UnitRows, CommandRow> COMMAND =
      ArrayInput.of("command", UnitRows::commands)
          .text("scope", CommandRow::scope)
          .text("id", CommandRow::id)
          .text("fingerprint", CommandRow::fingerprint)
          .int8("version", CommandRow::version)
          .instant("at", CommandRow::at);

  static final ArrayInput<UnitRows, KeyRow> TAKEN =
      keys(ArrayInput.of("taken", UnitRows::keysTaken));

  static final ArrayInput<UnitRows, KeyRow> FREED =
      keys(ArrayInput.of("freed", UnitRows::keysFreed));

  static final ArrayInput<UnitRows, String> PAYLOAD =
      ArrayInput.of("payload", UnitRows::payloads).text("hash", hash -> hash);

  private CommitInputs() {}

  /** The rows of a batch as arrays, by the names of their parameters. */
  static Map<String, Array> arrays(
      Connection connection, List<ArrayInput<UnitRows, ?>> inputs, List<UnitRows> units)
      throws SQLException {
    Map<String, Array> arrays = HashMap.newHashMap(128);
    for (ArrayInput<UnitRows, ?> input : inputs) {
      input.fill(connection, units, arrays);
    }
    return arrays;
  }

  /** Gives a statement its values, in the order in which its text names them. */
  static void bind(
      PreparedStatement statement,
      NamedText text,
      DatabaseClock clock,
      @Nullable NodeId node,
      Map<String, Array> arrays)
      throws SQLException {
    int position = 0;
    for (String parameter : text.parameters()) {
      position++;
      switch (parameter) {
        case "now" -> clock.bind(statement, position);
        case "node" -> statement.setObject(position, node == null ? null : node.value());
        default -> statement.setArray(position, arrays.get(parameter));
      }
    }
  }

  /** The types of all parameters of a statement that is given these. */
  static Map<String, String> types(List<ArrayInput<UnitRows, ?>> inputs) {
    Map<String, String> types = new HashMap<>(Map.of("now", "timestamptz", "node", "uuid"));
    inputs.forEach(input -> input.types(types));
    return types;
  }

  private static ArrayInput<UnitRows, ActivityRow> activities(
      ArrayInput<UnitRows, ActivityRow> input) {
    return input
        .int8("visit", ActivityRow::visit)
        .text("activity", ActivityRow::activity)
        .int8("parent", ActivityRow::parent)
        .int2("state", ActivityRow::state)
        .int4("attempt", ActivityRow::attempt)
        .int4("failures", ActivityRow::failures)
        .int4("crashes", ActivityRow::crashes)
        .uuid("node", row -> uuid(row.node()))
        .due("due", ActivityRow::due)
        .instant("entered", ActivityRow::entered)
        .text("data", ActivityRow::data)
        .text("fault", ActivityRow::fault);
  }

  private static ArrayInput<UnitRows, CandidateRow> candidates(
      ArrayInput<UnitRows, CandidateRow> input) {
    return input
        .int8("tag", CandidateRow::tag)
        .text("who", CandidateRow::who)
        .due("due", CandidateRow::due);
  }

  private static ArrayInput<UnitRows, KeyRow> keys(ArrayInput<UnitRows, KeyRow> input) {
    return input.int2("kind", KeyRow::kind).text("key", KeyRow::key);
  }

  /** The number of locked rows that the unit must find before it may write. */
  private static int spends(UnitRows unit) {
    return unit.spends().size() + unit.received().size();
  }

  /**
   * The number of rows that the unit must change or delete, with that of its instance. No single
   * write can touch more than it was asked for, so if the sum is right, every one of them is.
   */
  static int touches(UnitRows unit) {
    return 1
        + spends(unit)
        + unit.ended().size()
        + unit.changed().size()
        + unit.keysFreed().size()
        + unit.dismissed().size();
  }

  /** The numbers that the statement's {@code case} knows. */
  static int guard(SpendRow spend) {
    return switch (spend.guard()) {
      case ANY -> 0;
      case FREE -> 1;
      case FENCE -> 2;
      case DUE -> 3;
    };
  }

  private static List<Parent> parents(UnitRows unit) {
    Parent parent = unit.isStart() ? unit.instance().parent() : null;
    return parent == null ? List.of() : List.of(parent);
  }

  private static List<LabelRow> labels(UnitRows unit) {
    List<LabelRow> labels = unit.labels();
    return labels == null ? List.of() : labels;
  }

  private static @Nullable UUID uuid(@Nullable NodeId node) {
    return node == null ? null : node.value();
  }

  private static @Nullable UUID uuid(@Nullable InstanceId instance) {
    return instance == null ? null : instance.value();
  }
}
