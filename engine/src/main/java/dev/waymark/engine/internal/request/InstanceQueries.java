package dev.waymark.engine.internal.request;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.StateDocument;
import dev.waymark.engine.StateAt;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoredInstances.ChildRef;
import dev.waymark.engine.store.StoredInstances.EntryPlace;
import dev.waymark.engine.store.StoredInstances.Filter;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Queries about instances: one instance, lists of them, and their history. */
public final class InstanceQueries {

  static final int MAX_PAGE = 1_000;

  /** Pages of history that are read for a picture: no picture shows more than the first visits. */
  private static final int DIAGRAM_PAGES = 20;

  private final Store store;
  private final RowReader reader;
  private final UnreadableRows unreadable;

  public InstanceQueries(Store store, RowReader reader, UnreadableRows unreadable) {
    this.store = store;
    this.reader = reader;
    this.unreadable = unreadable;
  }

  public @Nullable Instance find(String tenant, InstanceId id) {
    Instance instance = reader.instance(store.load(List.of(Load.of(id))).get(0));
    return instance == null || !instance.tenant().equals(tenant) ? null : instance;
  }

  /**
   * The list of instances from the newest to the oldest, without variables, activities and
   * bookmarks.
   */
  List<Instance> list(Filter filter) {
    var unused = checked(filter.limit());
    return heads(store.instances().list(filter));
  }

  /** A page of children, without variables, activities and bookmarks. */
  List<Instance> children(String tenant, InstanceId parent, @Nullable Instance after) {
    ChildRef last = after == null ? null : place(parent, after);
    return heads(store.instances().children(tenant, parent, last, MAX_PAGE));
  }

  private static ChildRef place(InstanceId parent, Instance child) {
    Instance.Origin.Parent origin = child.origin().parent();
    if (origin == null || !origin.instance().equals(parent)) {
      throw new IllegalArgumentException(
          "Expected a child of %s, but got %s".formatted(parent, child.id()));
    }
    return new ChildRef(origin.visit(), child.id());
  }

  List<Instance> begunBefore(String tenant, Instant moment, @Nullable InstanceId after, int limit) {
    return heads(store.instances().begunBefore(tenant, moment, after, checked(limit)));
  }

  private List<Instance> heads(List<InstanceRow> rows) {
    return unreadable.readParts(RowKind.INSTANCE, rows, reader::instance);
  }

  private static int checked(int limit) {
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException(
          "Expected a limit of 1 to %d, but got %d".formatted(MAX_PAGE, limit));
    }
    return limit;
  }

  List<HistoryEntry> history(String tenant, InstanceId instance, EntryPlace after, int limit) {
    if (limit < 1 || limit > Limits.HISTORY_PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %,d entries, but got %d".formatted(Limits.HISTORY_PAGE, limit));
    }
    return find(tenant, instance) == null
        ? List.of()
        : entries(instance, store.instances().history(instance, after, limit).rows());
  }

  private List<HistoryEntry> entries(InstanceId instance, List<HistoryRow> rows) {
    RowKind<HistoryRow> of = RowKind.entryOf(instance);
    return rows.stream()
        .map(row -> unreadable.mustRead(of, row, r -> reader.entry(instance, r)))
        .toList();
  }

  /**
   * Reads the entries of an instance from a step on, page by page, so that no more than one page is
   * held at a time.
   *
   * @param pages how many are read at most
   * @param use takes an entry, and says whether it wants the next one
   */
  public void read(InstanceId instance, long fromVersion, int pages, Predicate<HistoryEntry> use) {
    EntryPlace place = EntryPlace.before(fromVersion);
    for (int count = 0; count < pages; count++) {
      Page<HistoryRow> page = store.instances().history(instance, place, MAX_PAGE);
      for (HistoryEntry entry : entries(instance, page.rows())) {
        if (!use.test(entry)) {
          return;
        }
      }
      if (!page.more()) {
        return;
      }
      place = EntryPlace.of(page.rows().getLast());
    }
  }

  /** The activities that were completed at least once, as far as a picture can use them. */
  Set<String> completed(InstanceId instance) {
    Set<String> completed = new HashSet<>();
    read(
        instance,
        1,
        DIAGRAM_PAGES,
        entry -> {
          if (entry.type() == HistoryEntry.Type.ACTIVITY_COMPLETED && entry.activity() != null) {
            completed.add(entry.activity());
          }
          return true;
        });
    return completed;
  }

  /**
   * Starts from the nearest full copy, so that it costs the same for any length of history, and
   * holds one page of it at a time.
   */
  @Nullable StateAt stateAt(InstanceId instance, long version) {
    long from = Math.max(1, store.instances().snapshotBefore(instance, version));
    HistoryFold fold = new HistoryFold(version);
    read(instance, from, Integer.MAX_VALUE, fold);
    return fold.reached == version ? state(version, fold.state) : null;
  }

  /** The state that the entries up to a version make. */
  private static final class HistoryFold implements Predicate<HistoryEntry> {

    private final long version;
    private @Nullable Object state = StateDocument.EMPTY;
    private long reached;

    HistoryFold(long version) {
      this.version = version;
    }

    @Override
    public boolean test(HistoryEntry entry) {
      if (entry.version() > version) {
        return false;
      }
      if (entry.snapshot() != null) {
        state = entry.snapshot();
      } else {
        for (Change change : entry.changes()) {
          state = change.applyTo(state);
        }
      }
      reached = entry.version();
      return true;
    }
  }

  private static StateAt state(long version, @Nullable Object document) {
    Map<String, @Nullable Object> state = Json.object(document);
    return new StateAt(
        version,
        String.valueOf(state.get("status")),
        Json.object(state.get("variables")),
        Json.object(state.get("activities")),
        Json.object(state.get("bookmarks")));
  }
}
