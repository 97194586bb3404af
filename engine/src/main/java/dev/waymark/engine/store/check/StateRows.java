package dev.waymark.engine.store.check;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Change;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.StateDocument;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Reads instances from their rows, in the form in which history writes its changes against them.
 */
final class StateRows {

  private static final String INSTANCES =
      """
      select i.id, i.status, i.variables, i.variables_at, i.extra
        from wm_instance i
       where i.id < :before
       order by i.id desc
       limit :limit
      """;

  private static final String PATCHES =
      """
      select h.changes
        from wm_history h
       where h.instance_id = :instance
         and h.version > :since
         and h.changes is not null
       order by h.version
      """;

  private static final String LABELS =
      """
      select l.name, l.value
        from wm_label l
       where l.instance_id = :instance
      """;

  private static final String VISITS =
      """
      select a.visit, a.activity, a.parent, a.state, a.attempt, a.failures, a.crashes, a.node,
             a.due, a.data, a.fault
        from wm_activity_instance a
       where a.instance_id = :instance
      """;

  private static final String BOOKMARKS =
      """
      select b.tag, b.visit, b.kind, b.key, b.payload, b.due, b.terms
        from wm_bookmark b
       where b.instance_id = :instance
         and b.state = 0
      """;

  private static final Status[] STATUSES = Status.values();
  private static final State[] STATES = State.values();
  private static final BookmarkKind[] KINDS = BookmarkKind.values();

  private final Inquiry inquiry;
  private final UnaryOperator<String> decoding;

  StateRows(Inquiry inquiry, UnaryOperator<String> decoding) {
    this.inquiry = inquiry;
    this.decoding = decoding;
  }

  /**
   * An instance as its rows say.
   *
   * @param labels as its own row has them, beside those that it is found by
   * @param fault why its documents cannot be read, if they cannot
   */
  record StoredState(
      UUID id,
      Map<String, @Nullable Object> state,
      @Nullable Object labels,
      @Nullable String fault) {

    boolean isEnded() {
      return Status.valueOf(String.valueOf(state.get("status"))).isTerminal();
    }

    boolean isHeld() {
      return state.get("hold") != null;
    }

    Map<String, Map<String, @Nullable Object>> visits() {
      return items("activities");
    }

    /** True if a visit has an open bookmark or a branch of its own. */
    boolean isAwaited(String visit) {
      Long number = Long.valueOf(visit);
      return items("bookmarks").values().stream().anyMatch(b -> number.equals(b.get("visit")))
          || visits().values().stream().anyMatch(a -> number.equals(a.get("parent")) && !isKept(a));
    }

    private static boolean isKept(Map<String, @Nullable Object> visit) {
      return State.KEPT.name().equals(visit.get("state"));
    }

    @SuppressWarnings("unchecked") // the document is our own
    private Map<String, Map<String, @Nullable Object>> items(String part) {
      Object items = state.get(part);
      return items == null ? Map.of() : (Map<String, Map<String, @Nullable Object>>) items;
    }
  }

  /** The row itself, before the rest of the instance is read. */
  private record Head(
      UUID id,
      long status,
      String variables,
      @Nullable String variablesAt,
      @Nullable String extra) {}

  List<StoredState> page(UUID before, int limit) throws SQLException {
    List<StoredState> page = new ArrayList<>();
    Map<String, Object> values = Map.of("before", before, "limit", limit);
    for (Head head : inquiry.ask(INSTANCES, values, StateRows::head)) {
      page.add(stored(head));
    }
    return page;
  }

  private static Head head(Inquiry.InquiryRow row) throws SQLException {
    UUID id = row.id("id");
    if (id == null) {
      throw new IllegalStateException("Expected an instance to have an id");
    }
    return new Head(
        id,
        row.number("status"),
        row.text("variables"),
        row.textOrNull("variables_at"),
        row.textOrNull("extra"));
  }

  private StoredState stored(Head head) throws SQLException {
    try {
      Map<String, @Nullable Object> extra = head.extra() == null ? Map.of() : object(head.extra());
      Object labels = extra.getOrDefault("labels", Map.of());
      return new StoredState(head.id(), state(head, extra.get("hold")), labels, null);
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return new StoredState(head.id(), Map.of(), null, String.valueOf(e.getMessage()));
    }
  }

  private Map<String, @Nullable Object> state(Head head, @Nullable Object hold)
      throws SQLException {
    Map<String, Object> values = Map.of("instance", head.id());
    Map<String, @Nullable Object> state = new LinkedHashMap<>();
    state.put("status", STATUSES[(int) head.status()].name());
    state.put("variables", variables(head));
    Map<String, @Nullable Object> labels = new LinkedHashMap<>();
    inquiry.ask(LABELS, values, row -> labels.put(row.text("name"), row.text("value")));
    state.put("labels", labels);
    Map<String, @Nullable Object> visits = new LinkedHashMap<>();
    inquiry.ask(VISITS, values, row -> visits.put(row.text("visit"), visit(row)));
    state.put("activities", visits);
    Map<String, @Nullable Object> bookmarks = new LinkedHashMap<>();
    inquiry.ask(BOOKMARKS, values, row -> bookmarks.put(name(row), bookmark(row)));
    state.put("bookmarks", bookmarks);
    putIfPresent(state, "hold", hold);
    return state;
  }

  private Map<String, @Nullable Object> visit(Inquiry.InquiryRow row) throws SQLException {
    Map<String, @Nullable Object> visit = new LinkedHashMap<>();
    visit.put("activity", row.text("activity"));
    visit.put("state", STATES[(int) row.number("state")].name());
    for (String number : List.of("parent", "attempt", "failures", "crashes")) {
      long value = row.number(number);
      putIfPresent(visit, number, value == 0 ? null : value);
    }
    UUID node = row.id("node");
    putIfPresent(visit, "node", node == null ? null : node.toString());
    putDue(visit, row);
    putDocument(visit, "data", row.textOrNull("data"));
    putDocument(visit, "fault", row.textOrNull("fault"));
    return visit;
  }

  private static String name(Inquiry.InquiryRow row) throws SQLException {
    return Long.toHexString(row.number("tag"));
  }

  private Map<String, @Nullable Object> bookmark(Inquiry.InquiryRow row) throws SQLException {
    Map<String, @Nullable Object> bookmark = new LinkedHashMap<>();
    bookmark.put("visit", row.number("visit"));
    bookmark.put("kind", KINDS[(int) row.number("kind")].name());
    bookmark.put("key", row.text("key"));
    putDocument(bookmark, "payload", row.textOrNull("payload"));
    putDue(bookmark, row);
    putDocument(bookmark, "terms", row.textOrNull("terms"));
    return bookmark;
  }

  private static void putDue(Map<String, @Nullable Object> into, Inquiry.InquiryRow row)
      throws SQLException {
    var due = row.instant("due");
    putIfPresent(into, "due", due == null ? null : due.toString());
  }

  private void putDocument(
      Map<String, @Nullable Object> into, String name, @Nullable String stored) {
    putIfPresent(into, name, stored == null ? null : object(stored));
  }

  private static void putIfPresent(
      Map<String, @Nullable Object> into, String name, @Nullable Object value) {
    if (value != null) {
      into.put(name, value);
    }
  }

  /** The stored document, and the changes of the steps that did not write it again. */
  private Map<String, @Nullable Object> variables(Head head) throws SQLException {
    Map<String, @Nullable Object> whole = object(head.variables());
    if (head.variablesAt() == null) {
      return whole;
    }
    List<Change> changes = new ArrayList<>();
    inquiry.ask(
        PATCHES,
        Map.of("instance", head.id(), "since", Long.valueOf(head.variablesAt())),
        row -> changes.addAll(changes(row.text("changes"))));
    return StateDocument.variables(whole, changes);
  }

  @SuppressWarnings("unchecked") // the document is our own
  private List<Change> changes(String stored) {
    Object changes = requireNonNull(Json.read(decoding.apply(stored)), "changes");
    return ((List<List<@Nullable Object>>) changes).stream().map(Change::fromDocument).toList();
  }

  private Map<String, @Nullable Object> object(String stored) {
    return Json.readObject(decoding.apply(stored));
  }
}
