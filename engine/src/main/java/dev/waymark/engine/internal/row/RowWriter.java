package dev.waymark.engine.internal.row;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.AmendRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.CommandRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.KeyRow;
import dev.waymark.engine.store.UnitRows.LabelRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import dev.waymark.engine.store.UnitRows.ReceiptRow;
import dev.waymark.engine.store.UnitRows.SpendRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Turns decided steps into rows. Runs before a unit is queued, beside the committers. */
public final class RowWriter {

  static final int BUSINESS_KEY = 0;

  private final DocumentCodec codec;
  private final EventRows eventRows;

  public RowWriter(DocumentCodec codec, List<Subscription> subscriptions) {
    this.codec = codec;
    this.eventRows = new EventRows(codec, subscriptions);
  }

  public UnitRows write(Unit unit) {
    Instance after = unit.after();
    List<HistoryEntry> entries = unit.history();
    List<HistoryRow> history = new ArrayList<>(entries.size());
    List<OutboxRow> events = new ArrayList<>();
    NamedPayloads named = new NamedPayloads();
    for (HistoryEntry entry : entries) {
      int before = events.size();
      eventRows.add(after, entry, events);
      history.add(history(entry, events.size() - before, named));
    }
    unit.sent().forEach(message -> named.in(message.payload()));
    PatchRule.Form form = PatchRule.formOf(unit, history);
    String variables = form == PatchRule.Form.WHOLE ? encode(after.variables()) : null;
    Step last = unit.steps().get(unit.steps().size() - 1);
    return new UnitRows(
        unit.before(),
        instance(after, variables, last.command().meta()),
        form == PatchRule.Form.CHANGES,
        unit.labels() ? labels(after) : null,
        spends(unit),
        receipts(unit),
        rows(unit.begun(), this::activity),
        rows(unit.changed(), this::activity),
        unit.ended(),
        rows(unit.created(), this::bookmark),
        rows(unit.amended(), this::amend),
        CandidateRows.named(unit),
        CandidateRows.dismissed(unit),
        history,
        events,
        rows(unit.sent(), this::message),
        rows(unit.remembered(), RowWriter::command),
        unit.isStart() ? keys(after) : List.of(),
        !unit.isStart() && after.status().isTerminal() ? keys(after) : List.of(),
        named.hashes(),
        last.command().meta().id(),
        size(variables, history));
  }

  // Nearly all of these lists are empty or have one element; streams over them were a fifth of the
  // time that rendering took.
  private static <T, R> List<R> rows(List<T> things, Function<T, R> row) {
    if (things.isEmpty()) {
      return List.of();
    }
    List<R> rows = new ArrayList<>(things.size());
    for (T thing : things) {
      rows.add(row.apply(thing));
    }
    return rows;
  }

  private static int size(@Nullable String variables, List<HistoryRow> history) {
    int size = 256 + (variables == null ? 0 : variables.length());
    for (HistoryRow row : history) {
      size += 128 + length(row.changes()) + length(row.detail()) + length(row.snapshot());
    }
    return size;
  }

  private static int length(@Nullable String text) {
    return text == null ? 0 : text.length();
  }

  private InstanceRow instance(
      Instance instance, @Nullable String variables, Command.Meta lastMeta) {
    return new InstanceRow(
        instance.id(),
        instance.tenant(),
        instance.origin().definition(),
        instance.version(),
        EnumCodes.of(instance.status()),
        instance.visits(),
        variables,
        extra(instance),
        instance.origin().businessKey(),
        instance.origin().correlationId(),
        instance.origin().traceParent(),
        instance.origin().created(),
        lastMeta.at(),
        instance.ended(),
        instance.origin().parent());
  }

  private @Nullable String extra(Instance instance) {
    Map<String, @Nullable Object> extra = new LinkedHashMap<>();
    if (!instance.labels().isEmpty()) {
      extra.put("labels", instance.labels());
    }
    if (!instance.loops().isEmpty()) {
      extra.put("loops", instance.loops());
    }
    if (instance.hold() != null) {
      extra.put(
          "hold",
          Map.of(
              "by", instance.hold().by(),
              "reason", instance.hold().reason(),
              "since", instance.hold().since().toString()));
    }
    // Most children are those of a run that was started from outside: they need no entry.
    if (instance.origin().depth() > 1) {
      extra.put("depth", (long) instance.origin().depth());
    }
    if (instance.fault() != null) {
      extra.put("fault", instance.fault().toDocument());
    }
    return extra.isEmpty() ? null : encode(extra);
  }

  private static List<LabelRow> labels(Instance instance) {
    return instance.labels().entrySet().stream()
        .map(label -> new LabelRow(label.getKey(), label.getValue()))
        .toList();
  }

  private static List<KeyRow> keys(Instance instance) {
    String key = instance.origin().businessKey();
    return key == null ? List.of() : List.of(new KeyRow(BUSINESS_KEY, key));
  }

  private ActivityRow activity(ActivityInstance activity) {
    return new ActivityRow(
        activity.visit(),
        activity.activity(),
        activity.parent(),
        EnumCodes.of(activity.state()),
        activity.attempt(),
        activity.failures(),
        activity.crashes(),
        activity.node(),
        activity.due(),
        activity.entered(),
        activity.data().isEmpty() ? null : encode(activity.data()),
        activity.fault() == null ? null : encode(activity.fault().toDocument()));
  }

  private BookmarkRow bookmark(Bookmark bookmark) {
    Bookmark.Closing closing = bookmark.closing();
    return new BookmarkRow(
        bookmark.id().tag(),
        bookmark.visit(),
        EnumCodes.of(bookmark.kind()),
        bookmark.key(),
        bookmark.payload().isEmpty() ? null : encode(bookmark.payload()),
        bookmark.due(),
        closing == null ? 0 : EnumCodes.of(closing.end()) + 1,
        bookmark.created(),
        closing == null ? null : closing.by(),
        closing == null ? null : closing.at(),
        null,
        null,
        0,
        terms(bookmark.terms()));
  }

  private TermsRow terms(Terms terms) {
    Map<String, @Nullable Object> document = terms.toDocument();
    return document.isEmpty()
        ? TermsRow.NONE
        : new TermsRow(
            terms.priority(),
            terms.correlation(),
            terms.expires(),
            encode(document),
            terms.candidates().audience());
  }

  private AmendRow amend(Step.Amend amend) {
    Bookmark after = amend.after();
    return new AmendRow(
        after.id().tag(),
        after.payload().isEmpty() ? null : encode(after.payload()),
        after.due(),
        terms(after.terms()),
        amend.released());
  }

  /** The waits that a unit closes and those that it changes: both are locked and checked. */
  private static List<SpendRow> spends(Unit unit) {
    List<SpendRow> closed = rows(unit.spends(), RowWriter::spend);
    List<Step.Amend> amended = unit.amended();
    if (amended.isEmpty()) {
      return closed;
    }
    List<SpendRow> all = new ArrayList<>(closed);
    amended.forEach(
        amend -> all.add(new SpendRow(amend.id().tag(), Step.Spend.Guard.ANY, 0, 0, null, null)));
    return all;
  }

  private static SpendRow spend(Step.Spend spend) {
    Bookmark.Closing closing = spend.bookmark().closing();
    if (closing == null) {
      throw new IllegalStateException("Expected a closed bookmark to be spent, but got " + spend);
    }
    return new SpendRow(
        spend.id().tag(),
        spend.guard(),
        spend.fence(),
        EnumCodes.of(closing.end()) + 1,
        closing.by(),
        closing.at());
  }

  private static List<ReceiptRow> receipts(Unit unit) {
    List<ReceiptRow> receipts = new ArrayList<>(0);
    for (Step step : unit.steps()) {
      for (Message.Key key : step.received()) {
        receipts.add(new ReceiptRow(key, step.after().version()));
      }
    }
    return receipts;
  }

  public MessageRow message(Message message) {
    return new MessageRow(
        message.key(),
        message.addressee(),
        message.name(),
        message.payload().isEmpty() ? null : encode(message.payload()),
        message.sender(),
        message.received(),
        message.correlation(),
        message.expires());
  }

  private static CommandRow command(Step step) {
    Command.Meta meta = step.command().meta();
    return new CommandRow(
        step.command().word(),
        meta.id(),
        String.valueOf(meta.fingerprint()),
        step.after().version(),
        meta.at());
  }

  private HistoryRow history(HistoryEntry entry, int events, NamedPayloads named) {
    return new HistoryRow(
        entry.version(),
        entry.ordinal(),
        EnumCodes.of(entry.type()),
        entry.activity(),
        entry.visit(),
        entry.attempt(),
        entry.node(),
        entry.bookmark() == null ? null : entry.bookmark().tag(),
        entry.actor(),
        entry.commandId(),
        entry.at(),
        entry.duration() == null ? null : entry.duration().toNanos() / 1_000,
        events,
        entry.changes().isEmpty()
            ? null
            : encode(entry.changes().stream().map(Change::toDocument).toList(), named),
        entry.detail().isEmpty() ? null : encode(entry.detail(), named),
        entry.snapshot() == null ? null : snapshot(entry.snapshot()));
  }

  // The copy only shortens the way to an old state: the changes lead there as well. So one that is
  // too large or too deep is left out, and its step is not lost.
  private @Nullable String snapshot(Map<String, @Nullable Object> state) {
    try {
      return encode(state);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Sets the sinks to which only other processes listen. */
  public void listenedElsewhere(Set<String> sinks) {
    eventRows.listenedElsewhere(sinks);
  }

  /** A document as it is stored. */
  public String document(Map<String, @Nullable Object> document) {
    return encode(document);
  }

  /**
   * Words of user code as they are stored, encoded like a document: they may contain values that
   * are as secret.
   */
  public String words(String words) {
    return encode(words);
  }

  private String encode(Object document, NamedPayloads named) {
    Object json = Json.written(document);
    named.in(json);
    return codec.encode(Json.write(json));
  }

  private String encode(Object document) {
    return codec.encode(Json.write(document));
  }
}
