package dev.waymark.engine.internal.row;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Hold;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.StateDocument;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Turns rows back into instances, steps and messages. The counterpart of {@link RowWriter}. */
public final class RowReader {

  private static final Status[] STATUSES = Status.values();
  private static final ActivityInstance.State[] STATES = ActivityInstance.State.values();
  private static final BookmarkKind[] KINDS = BookmarkKind.values();
  private static final Bookmark.End[] ENDS = Bookmark.End.values();
  private static final HistoryEntry.Type[] TYPES = HistoryEntry.Type.values();

  private final DocumentCodec codec;

  public RowReader(DocumentCodec codec) {
    this.codec = codec;
  }

  public @Nullable Instance instance(Load.Answer answer) {
    InstanceRow row = answer.instance();
    return row == null
        ? null
        : instance(row, answer.patches(), answer.activities(), answer.bookmarks());
  }

  /** An instance of a list: its own row, and nothing else. */
  public Instance instance(InstanceRow row) {
    return instance(row, List.of(), List.of(), List.of());
  }

  private Instance instance(
      InstanceRow row,
      List<String> patches,
      List<ActivityRow> activities,
      List<BookmarkRow> bookmarks) {
    TreeMap<Long, ActivityInstance> live = new TreeMap<>();
    activities.forEach(a -> live.put(a.visit(), activity(row, a)));
    TreeMap<BookmarkId, Bookmark> open = new TreeMap<>();
    bookmarks.forEach(b -> open.put(new BookmarkId(row.id(), b.tag()), bookmark(row, b)));
    try {
      return instance(row, variables(row, patches), live, open);
    } catch (RuntimeException e) {
      throw new UnreadableException("wm_instance", row.id().toString(), row.tenant(), e);
    }
  }

  private ActivityInstance activity(InstanceRow of, ActivityRow row) {
    try {
      return activity(row);
    } catch (RuntimeException e) {
      throw new UnreadableException(
          "wm_activity_instance", of.id() + "/" + row.visit(), of.tenant(), e);
    }
  }

  private Bookmark bookmark(InstanceRow of, BookmarkRow row) {
    try {
      return bookmark(of.id(), row);
    } catch (RuntimeException e) {
      throw new UnreadableException(
          "wm_bookmark", RowKind.bookmark(new BookmarkId(of.id(), row.tag())), of.tenant(), e);
    }
  }

  private Map<String, @Nullable Object> variables(InstanceRow row, List<String> patches) {
    Map<String, @Nullable Object> whole = object(row.variables());
    return patches.isEmpty()
        ? whole
        : StateDocument.variables(
            whole, patches.stream().flatMap(patch -> changes(patch).stream()).toList());
  }

  private Instance instance(
      InstanceRow row,
      Map<String, @Nullable Object> variables,
      SortedMap<Long, ActivityInstance> live,
      SortedMap<BookmarkId, Bookmark> open) {
    Map<String, @Nullable Object> extra = object(row.extra());
    return new Instance(
        row.id(),
        new Instance.Origin(
            row.tenant(),
            row.definition(),
            row.businessKey(),
            row.correlationId(),
            row.traceParent(),
            row.created(),
            parent(row, extra)),
        row.version(),
        STATUSES[row.status()],
        variables,
        labels(extra),
        Collections.unmodifiableSortedMap(live),
        Collections.unmodifiableSortedMap(open),
        row.visits(),
        loops(extra),
        hold(extra),
        extra.get("fault") == null ? null : Fault.fromDocument(Json.object(extra.get("fault"))),
        row.ended());
  }

  private static Instance.Origin.@Nullable Parent parent(
      InstanceRow row, Map<String, @Nullable Object> extra) {
    Instance.Origin.Parent parent = row.parent();
    return parent != null && extra.get("depth") instanceof Number depth
        ? parent.at(depth.intValue())
        : parent;
  }

  public StoredFacts prior(InstanceId instance, String tenant, Load.Answer answer) {
    Load.EarlierCommand command = answer.command();
    return new StoredFacts(
        command == null
            ? null
            : new StoredFacts.CommandRecord(
                tenant, command.id(), command.fingerprint(), command.instance(), command.version()),
        answer.bookmark() == null ? null : bookmark(instance, answer.bookmark()),
        answer.keyHolder());
  }

  private ActivityInstance activity(ActivityRow row) {
    return new ActivityInstance(
        row.visit(),
        row.activity(),
        row.parent(),
        STATES[row.state()],
        row.attempt(),
        row.failures(),
        row.crashes(),
        row.node(),
        row.due(),
        row.entered(),
        object(row.data()),
        row.fault() == null ? null : Fault.fromDocument(object(row.fault())));
  }

  public Bookmark bookmark(InstanceId instance, BookmarkRow row) {
    Bookmark.Closing closing =
        row.state() == 0 || row.closedBy() == null || row.closedAt() == null
            ? null
            : new Bookmark.Closing(ENDS[row.state() - 1], row.closedBy(), row.closedAt());
    Lease lease =
        row.holder() == null || row.leaseUntil() == null
            ? null
            : new Lease(row.holder(), row.fence(), row.leaseUntil());
    return new Bookmark(
        new BookmarkId(instance, row.tag()),
        row.visit(),
        KINDS[row.kind()],
        row.key(),
        object(row.payload()),
        row.due(),
        lease,
        row.created(),
        closing,
        row.terms().document() == null
            ? Terms.NONE
            : Terms.fromDocument(object(row.terms().document())));
  }

  public Message message(MessageRow row) {
    return new Message(
        row.key(),
        row.addressee(),
        row.name(),
        object(row.payload()),
        row.sender(),
        row.received(),
        row.correlation(),
        row.expires());
  }

  public HistoryEntry entry(InstanceId instance, HistoryRow row) {
    return new HistoryEntry(
        row.version(),
        row.ordinal(),
        TYPES[row.type()],
        row.activity(),
        row.visit(),
        row.attempt(),
        row.node(),
        row.bookmark() == null ? null : new BookmarkId(instance, row.bookmark()),
        row.actor(),
        row.commandId(),
        row.at(),
        row.durationMicros() == null ? null : Duration.ofNanos(row.durationMicros() * 1_000),
        changes(row.changes()),
        object(row.detail()),
        row.snapshot() == null ? null : object(row.snapshot()));
  }

  @SuppressWarnings("unchecked") // the document is our own
  private List<Change> changes(@Nullable String stored) {
    if (stored == null) {
      return List.of();
    }
    Object changes = requireNonNull(Json.read(codec.decode(stored)), "changes");
    return ((List<List<@Nullable Object>>) changes).stream().map(Change::fromDocument).toList();
  }

  public Map<String, @Nullable Object> object(@Nullable String stored) {
    return stored == null ? Map.of() : Json.readObject(codec.decode(stored));
  }

  private static Map<String, String> labels(Map<String, @Nullable Object> extra) {
    if (extra.get("labels") == null) {
      return Map.of();
    }
    Map<String, String> labels = new LinkedHashMap<>();
    Json.object(extra.get("labels"))
        .forEach((name, value) -> labels.put(name, String.valueOf(value)));
    return Collections.unmodifiableMap(labels);
  }

  private static Map<String, Integer> loops(Map<String, @Nullable Object> extra) {
    if (extra.get("loops") == null) {
      return Map.of();
    }
    Map<String, Integer> loops = new LinkedHashMap<>();
    Json.object(extra.get("loops")).forEach((name, n) -> loops.put(name, ((Long) n).intValue()));
    return Collections.unmodifiableMap(loops);
  }

  private static @Nullable Hold hold(Map<String, @Nullable Object> extra) {
    if (extra.get("hold") == null) {
      return null;
    }
    Map<String, @Nullable Object> hold = Json.object(extra.get("hold"));
    return new Hold(
        String.valueOf(hold.get("by")),
        String.valueOf(hold.get("reason")),
        Instant.parse(String.valueOf(hold.get("since"))));
  }
}
