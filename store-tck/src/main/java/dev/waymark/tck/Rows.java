package dev.waymark.tck;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.Outbox;
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
import dev.waymark.engine.store.UnitRows.TermsRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A unit in the making: fields that a contract does not set have plain values. */
public final class Rows {

  /** Visits differ from versions, so that a store which takes one for the other is seen. */
  private static final long VISITS_MORE = 7;

  public static final String TENANT = "acme";

  /** States of a visit and kinds of a key, as they are stored. */
  static final int READY = 0;

  static final int RUNNING = 1;
  static final int WAITING = 2;
  public static final int BUSINESS_KEY = 0;

  private static final AtomicLong IDS = new AtomicLong();

  private final InstanceId id;
  private final long before;
  private final Instant at;
  private final List<SpendRow> spends = new ArrayList<>();
  private final List<ReceiptRow> received = new ArrayList<>();
  private final List<ActivityRow> begun = new ArrayList<>();
  private final List<ActivityRow> changed = new ArrayList<>();
  private final List<Long> ended = new ArrayList<>();
  private final List<BookmarkRow> created = new ArrayList<>();
  private final List<AmendRow> amended = new ArrayList<>();
  private final List<CandidateRow> named = new ArrayList<>();
  private final List<CandidateRow> dismissed = new ArrayList<>();
  private final List<HistoryRow> history = new ArrayList<>();
  private final List<OutboxRow> events = new ArrayList<>();
  private final List<MessageRow> sent = new ArrayList<>();
  private final List<CommandRow> commands = new ArrayList<>();
  private final List<KeyRow> taken = new ArrayList<>();
  private final List<KeyRow> freed = new ArrayList<>();
  private final List<String> payloads = new ArrayList<>();
  private @Nullable List<LabelRow> labels;
  private String tenant = TENANT;
  private long definition = 1;
  private long version;
  private int status;
  private @Nullable String variables;
  private boolean patched;
  private String changes = "[]";
  private @Nullable String businessKey;
  private @Nullable String correlationId;
  private @Nullable String snapshot;
  private @Nullable Parent parent;
  private String commandId = "some-command";

  private Rows(InstanceId id, long before, Instant at) {
    this.id = id;
    this.before = before;
    this.at = at;
    this.version = before + 1;
    this.variables = before == 0 ? "{}" : null;
  }

  /** A new id, above all that were given out before, as UUIDv7 would be. */
  public static InstanceId newId() {
    return new InstanceId(nextId());
  }

  public static NodeId newNode() {
    return new NodeId(nextId());
  }

  private static UUID nextId() {
    return new UUID(0x019b_0000_0000_7000L, 0x8000_0000_0000_0000L | IDS.incrementAndGet());
  }

  public static Rows start(InstanceId id, Instant at) {
    return new Rows(id, 0, at);
  }

  public static Rows step(InstanceId id, long before, Instant at) {
    return new Rows(id, before, at);
  }

  // ---- the instance

  public Rows tenant(String value) {
    tenant = value;
    return this;
  }

  /** Changes the variables, and tells so in its history only. */
  public Rows patched(String variableChanges) {
    patched = true;
    return changes(variableChanges);
  }

  /** The changes that its history tells. */
  public Rows changes(String value) {
    changes = value;
    return this;
  }

  public Rows definition(long value) {
    definition = value;
    return this;
  }

  /** The version after, where the unit is of several steps. */
  public Rows version(long value) {
    version = value;
    return this;
  }

  public Rows status(int value) {
    status = value;
    return this;
  }

  public Rows variables(String value) {
    variables = value;
    return this;
  }

  public Rows businessKey(String value) {
    businessKey = value;
    return takeKey(BUSINESS_KEY, value);
  }

  public Rows correlationId(String value) {
    correlationId = value;
    return this;
  }

  public Rows childOf(InstanceId parentId, long visit, boolean reports) {
    parent = new Parent(parentId, visit, reports);
    return this;
  }

  public Rows labels(Map<String, String> values) {
    labels = new ArrayList<>();
    values.forEach(this::label);
    return this;
  }

  public Rows label(String name, String value) {
    if (labels == null) {
      labels = new ArrayList<>();
    }
    labels.add(new LabelRow(name, value));
    return this;
  }

  // ---- visits

  public Rows beginRunning(long visit, NodeId node) {
    begun.add(visit(visit, RUNNING, 1, node, null));
    return this;
  }

  public Rows beginReady(long visit, @Nullable Instant due) {
    begun.add(visit(visit, READY, 0, null, due));
    return this;
  }

  /** The same for a visit during which nodes have died. */
  public Rows beginReady(long visit, Instant due, int crashes) {
    begun.add(
        new ActivityRow(
            visit, "activity-" + visit, 0, READY, 0, 0, crashes, null, due, at, null, null));
    return this;
  }

  public Rows beginWaiting(long visit) {
    begun.add(visit(visit, WAITING, 0, null, null));
    return this;
  }

  public Rows changeToRunning(long visit, int attempt, NodeId node) {
    changed.add(visit(visit, RUNNING, attempt, node, null));
    return this;
  }

  public Rows changeToReady(long visit, int attempt, Instant due) {
    changed.add(visit(visit, READY, attempt, null, due));
    return this;
  }

  public Rows end(long visit) {
    ended.add(visit);
    return this;
  }

  public ActivityRow visit(
      long visit, int state, int attempt, @Nullable NodeId node, @Nullable Instant due) {
    return new ActivityRow(
        visit, "activity-" + visit, 0, state, attempt, 0, 0, node, due, at, "{\"a\":1}", null);
  }

  // ---- waits

  public Rows bookmark(long tag, BookmarkKind kind, String key, @Nullable Instant due) {
    return open(tag, kind, key, "{\"b\":1}", due, TermsRow.NONE);
  }

  /** A wait for a message of this name that names this correlation key. */
  public Rows awaiting(long tag, String name, String correlation) {
    return open(
        tag,
        BookmarkKind.EXTERNAL_MESSAGE,
        name,
        null,
        null,
        new TermsRow(0, correlation, null, "{\"correlation\":\"" + correlation + "\"}", ""));
  }

  /** A task that these may act on, at the same time in their inboxes. */
  public Rows taskFor(long tag, @Nullable Instant due, String... who) {
    String audience = who.length == 1 ? who[0] : who.length == 0 ? "" : "*";
    return open(
            tag,
            BookmarkKind.USER_ACTION,
            "task-" + tag,
            "{\"b\":1}",
            due,
            new TermsRow(5, "order-" + tag, null, "{\"priority\":5}", audience))
        .named(tag, due, who);
  }

  /** A task that expires at a moment. */
  public Rows expiring(long tag, Instant expires) {
    return open(
        tag,
        BookmarkKind.USER_ACTION,
        "task-" + tag,
        "{}",
        null,
        new TermsRow(0, null, expires, "{}", ""));
  }

  @SuppressWarnings("EnumOrdinal") // The order of the kinds is what is stored.
  private Rows open(
      long tag,
      BookmarkKind kind,
      String key,
      @Nullable String payload,
      @Nullable Instant due,
      TermsRow terms) {
    created.add(
        new BookmarkRow(
            tag, 1, kind.ordinal(), key, payload, due, 0, at, null, null, null, null, 0, terms));
    return this;
  }

  public Rows named(long tag, @Nullable Instant due, String... who) {
    return candidates(named, tag, due, who);
  }

  public Rows dismissed(long tag, @Nullable Instant due, String... who) {
    return candidates(dismissed, tag, due, who);
  }

  /** Each of several candidates has a row of its own to be claimed by. */
  private Rows candidates(List<CandidateRow> rows, long tag, @Nullable Instant due, String... who) {
    for (String one : who) {
      rows.add(new CandidateRow(tag, one, due));
      if (who.length > 1) {
        rows.add(new CandidateRow(tag, "*" + one, due));
      }
    }
    return this;
  }

  public Rows amend(long tag, String payload, @Nullable Instant due, boolean released) {
    spends.add(new SpendRow(tag, Guard.ANY, 0, 0, null, null));
    amended.add(
        new AmendRow(
            tag, payload, due, new TermsRow(7, null, null, "{\"priority\":7}", ""), released));
    return this;
  }

  public Rows task(long tag) {
    return bookmark(tag, BookmarkKind.USER_ACTION, "task-" + tag, null);
  }

  public Rows timer(long tag, Instant due) {
    return bookmark(tag, BookmarkKind.TIMER, "timer-" + tag, due);
  }

  public Rows spend(long tag, Guard guard, long fence) {
    spends.add(new SpendRow(tag, guard, fence, 1, "anna", at));
    return this;
  }

  /** Closes a wait without an answer. */
  @SuppressWarnings("EnumOrdinal") // The order of the ends is what is stored.
  public Rows close(long tag, Bookmark.End end) {
    spends.add(new SpendRow(tag, Guard.ANY, 0, end.ordinal() + 1, "anna", at));
    return this;
  }

  public BookmarkId idOf(long tag) {
    return new BookmarkId(id, tag);
  }

  // ---- the rest

  public Rows entry(long entryVersion, int ordinal) {
    history.add(
        new HistoryRow(
            entryVersion,
            ordinal,
            7,
            "activity-1",
            1,
            1,
            null,
            null,
            "anna",
            commandId,
            at,
            1234L,
            0,
            changes,
            "{}",
            snapshot));
    return this;
  }

  /** Entries that follow carry a full copy. */
  public Rows snapshot(String value) {
    snapshot = value;
    return this;
  }

  public Rows event(String sink, int ordinal) {
    return event(sink, ordinal, "waymark.activity.completed");
  }

  public Rows event(String sink, int ordinal, String type) {
    events.add(
        new OutboxRow(
            Outbox.laneOf(id),
            sink,
            id + "." + version + "." + ordinal,
            version,
            ordinal,
            type,
            "{}"));
    return this;
  }

  public Rows send(MessageRow message) {
    sent.add(message);
    return this;
  }

  public Rows receive(Message.Key message) {
    received.add(new ReceiptRow(message, version));
    return this;
  }

  /** The command whose step this is; its id is left in the history. */
  public Rows by(String command) {
    commandId = command;
    return this;
  }

  public Rows remember(String scope, String command, String fingerprint) {
    commands.add(new CommandRow(scope, command, fingerprint, version, at));
    return this;
  }

  public Rows takeKey(int kind, String key) {
    taken.add(new KeyRow(kind, key));
    return this;
  }

  public Rows freeKey(int kind, String key) {
    freed.add(new KeyRow(kind, key));
    return this;
  }

  /** The history of the unit names a payload. */
  public Rows payload(String hash) {
    payloads.add(hash);
    return this;
  }

  /** The unit. Without entries of its own it gets one for each of its versions. */
  public UnitRows build() {
    if (history.isEmpty()) {
      for (long v = before + 1; v <= version; v++) {
        entry(v, 0);
      }
    }
    Instant end = status >= 2 ? at : null;
    InstanceRow instance =
        new InstanceRow(
            id,
            tenant,
            definition,
            version,
            status,
            version + VISITS_MORE,
            variables,
            "{\"extra\":" + version + "}",
            businessKey,
            correlationId,
            "trace of " + id,
            at,
            at,
            end,
            parent);
    return new UnitRows(
        before,
        instance,
        patched,
        labels,
        List.copyOf(spends),
        List.copyOf(received),
        List.copyOf(begun),
        List.copyOf(changed),
        List.copyOf(ended),
        List.copyOf(created),
        List.copyOf(amended),
        List.copyOf(named),
        List.copyOf(dismissed),
        List.copyOf(history),
        List.copyOf(events),
        List.copyOf(sent),
        List.copyOf(commands),
        List.copyOf(taken),
        List.copyOf(freed),
        List.copyOf(payloads),
        commandId,
        1_000);
  }

  public static MessageRow message(
      @Nullable InstanceId addressee, String id, String name, Instant received) {
    return new MessageRow(
        new Message.Key(TENANT, "partner", id), addressee, name, "{\"c\":1}", "bob", received);
  }
}
