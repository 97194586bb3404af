package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.BookmarkHealth;
import dev.waymark.engine.bookmark.BookmarkHealth.Statistics;
import dev.waymark.engine.bookmark.BookmarkQueries;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Waits;
import dev.waymark.engine.store.Waits.Count;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Answers questions about waits from the store. */
public final class EngineBookmarkQueries implements BookmarkQueries {

  private static final int PAGE = 100;

  private final ThisNode node;
  private final StoreCalls calls;
  private final RowReader reader;
  private final UnreadableRows unreadable;

  public EngineBookmarkQueries(
      ThisNode node, StoreCalls calls, RowReader reader, UnreadableRows unreadable) {
    this.node = node;
    this.calls = calls;
    this.reader = reader;
    this.unreadable = unreadable;
  }

  @Override
  public Optional<BookmarkStatus> find(BookmarkId bookmark, Caller caller) {
    given("bookmark, caller", bookmark, caller);
    return asked(
        caller, () -> Optional.ofNullable(rowOf(bookmark, tenant(caller))).map(this::status));
  }

  @Override
  public List<BookmarkStatus> byKey(String key, Caller caller) {
    given("key, caller", key, caller);
    String wanted = Limits.name("a bookmark key", key);
    return all(caller, () -> waits().byKey(tenant(caller), wanted, PAGE));
  }

  @Override
  public List<BookmarkStatus> byCorrelation(String correlation, Caller caller) {
    given("correlation, caller", correlation, caller);
    String wanted = Limits.name("a correlation key", correlation);
    return all(caller, () -> waits().byCorrelation(tenant(caller), wanted, PAGE));
  }

  @Override
  public List<BookmarkStatus> open(
      BookmarkKind kind, @Nullable Bookmark after, int limit, Caller caller) {
    given("kind, caller", kind, caller);
    InboxPlace place =
        after == null
            ? InboxPlace.START
            : new InboxPlace(after.due(), after.id().instance(), after.id().tag());
    return all(caller, () -> waits().open(tenant(caller), kind, place, Limits.page(limit)));
  }

  @Override
  public List<BookmarkStatus> lapsedLeases(int limit, Caller caller) {
    given("caller", caller);
    return all(caller, () -> waits().lapsedLeases(tenant(caller), Limits.page(limit)));
  }

  @Override
  public List<BookmarkStatus> overdue(BookmarkKind kind, int limit, Caller caller) {
    given("kind, caller", kind, caller);
    return all(caller, () -> waits().overdue(tenant(caller), kind, node.now(), Limits.page(limit)));
  }

  @Override
  public List<Statistics> statistics(Caller caller) {
    given("caller", caller);
    return asked(
        caller,
        () ->
            waits().count(tenant(caller)).stream().map(EngineBookmarkQueries::statistics).toList());
  }

  @Override
  public BookmarkHealth health(Caller caller) {
    given("caller", caller);
    // One time for all its questions.
    return asked(caller, () -> healthOf(Caller.of(caller.actor())));
  }

  private BookmarkHealth healthOf(Caller caller) {
    List<BookmarkStatus> lapsed = lapsedLeases(PAGE, caller);
    List<BookmarkStatus> overdue = new ArrayList<>();
    List<BookmarkStatus> lateTimers = lateTimers(caller);
    List<String> warnings = new ArrayList<>(warning(lateTimers, tenant(caller)));
    for (BookmarkKind kind : BookmarkKind.values()) {
      if (kind != BookmarkKind.TIMER) {
        overdue.addAll(overdue(kind, PAGE, caller));
      }
    }
    if (!lapsed.isEmpty()) {
      warnings.add(
          "%s let the lease of %s"
              .formatted(
                  many(lapsed.size(), "holder"), "a wait pass: what they hold is free for others"));
    }
    if (!overdue.isEmpty()) {
      warnings.add("%s overdue".formatted(many(overdue.size(), "wait")));
    }
    return new BookmarkHealth(
        statistics(caller), lapsed, overdue, lateTimers, List.copyOf(warnings));
  }

  /** Timers fire by themselves: one that does not is a matter of the engine. */
  private List<BookmarkStatus> lateTimers(Caller caller) {
    Instant before = node.now().minus(Limits.TIMER_LATE);
    return all(caller, () -> waits().overdue(tenant(caller), BookmarkKind.TIMER, before, PAGE));
  }

  private static List<String> warning(List<BookmarkStatus> late, String tenant) {
    return late.isEmpty()
        ? List.of()
        : List.of(
            "%s of tenant '%s' should have fired, the first at %s: check the health of the nodes. Does one run, and does it keep up?"
                .formatted(
                    many(late.size(), "timer"),
                    tenant,
                    String.valueOf(late.get(0).bookmark().due())));
  }

  private static String many(int count, String noun) {
    return (count == PAGE ? "at least " : "") + count + " " + noun + (count == 1 ? "" : "s");
  }

  private static Statistics statistics(Count count) {
    Map<Bookmark.State, Long> counts = new EnumMap<>(Bookmark.State.class);
    counts.put(
        count.kind() == BookmarkKind.TIMER ? Bookmark.State.CREATED : Bookmark.State.AVAILABLE,
        count.available());
    counts.put(Bookmark.State.CLAIMED, count.claimed());
    counts.put(Bookmark.State.PROCESSING, count.processing());
    counts.put(Bookmark.State.EXPIRED, count.expired());
    return new Statistics(count.kind(), Map.copyOf(counts), count.oldest());
  }

  public @Nullable WaitRow row(BookmarkId bookmark, Caller caller) {
    return asked(caller, () -> Optional.ofNullable(rowOf(bookmark, tenant(caller)))).orElse(null);
  }

  private @Nullable WaitRow rowOf(BookmarkId bookmark, String tenant) {
    WaitRow row = waits().find(tenant, bookmark);
    return row != null ? row : node.store().closedWaits().find(tenant, bookmark);
  }

  public Bookmark bookmark(WaitRow row) {
    return reader.bookmark(row.instance(), row.bookmark());
  }

  BookmarkStatus status(WaitRow row) {
    Bookmark bookmark = bookmark(row);
    return new BookmarkStatus(
        bookmark,
        bookmark.stateAt(node.now(), row.handling().begun()),
        row.handling().extensions(),
        reader.object(row.handling().progress()));
  }

  private List<BookmarkStatus> all(Caller caller, Supplier<List<WaitRow>> rows) {
    return asked(caller, () -> unreadable.read(RowKind.WAIT, rows.get(), this::status));
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }

  private Waits waits() {
    return node.store().waits();
  }

  private static String tenant(Caller caller) {
    return caller.actor().tenant();
  }
}
