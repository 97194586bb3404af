package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Instance;
import dev.waymark.engine.Caller;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.InstanceQueries;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.query.InboxPlace;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.Waits;
import dev.waymark.engine.task.Task;
import dev.waymark.engine.task.TaskPage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads tasks of the caller's tenant: one by its id, or a page of those that wait for people. */
public final class TaskReader {

  private static final int MAX_PAGE = 1_000;

  private final ThisNode node;
  private final StoreCalls calls;
  private final InstanceQueries queries;
  private final RowReader reader;
  private final UnreadableRows unreadable;

  public TaskReader(
      ThisNode node,
      StoreCalls calls,
      InstanceQueries queries,
      RowReader reader,
      UnreadableRows unreadable) {
    this.node = node;
    this.calls = calls;
    this.queries = queries;
    this.reader = reader;
    this.unreadable = unreadable;
  }

  /**
   * A task with its comments and attachments.
   *
   * @param shown whether the caller may see a task of such candidates
   */
  Optional<Task> find(BookmarkId id, Predicate<Candidates> shown, Caller caller) {
    Instance instance = instance(id, caller);
    Bookmark bookmark = instance == null ? null : instance.bookmarks().get(id);
    if (instance == null || bookmark == null || !shown.test(bookmark.terms().candidates())) {
      return Optional.empty();
    }
    ActivityInstance visit = instance.activity(bookmark.visit());
    return Optional.of(
        visit == null ? Task.of(bookmark, node.now()) : Task.of(bookmark, visit, node.now()));
  }

  private @Nullable Instance instance(BookmarkId id, Caller caller) {
    String tenant = caller.actor().tenant();
    return calls
        .patience(caller)
        .read(() -> Optional.ofNullable(queries.find(tenant, id.instance())))
        .orElse(null);
  }

  /**
   * A part of a list of tasks: it begins behind a place, and holds at most this number of tasks.
   */
  record TaskRange(InboxPlace from, int limit) {}

  /**
   * Tasks that wait for one of these candidates.
   *
   * @param shown whether the caller may see a task of such candidates
   */
  TaskPage page(Set<String> who, Predicate<Candidates> shown, TaskRange part, Caller caller) {
    String tenant = caller.actor().tenant();
    return calls.patience(caller).read(() -> page(tenant, who, shown, part));
  }

  private TaskPage page(
      String tenant, Set<String> who, Predicate<Candidates> shown, TaskRange part) {
    int limit = part.limit();
    if (limit < 1 || limit > MAX_PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %,d tasks, but got %d".formatted(MAX_PAGE, limit));
    }
    Instant now = node.now();
    List<Task> tasks = new ArrayList<>();
    InboxPlace place = part.from();
    long bytes = 0;
    // A member may be excluded from what its group may do: such rows are left out, others read.
    for (int round = 0; round < Limits.INBOX_ROUNDS; round++) {
      Page<Waits.WaitRow> rows = node.store().waits().inbox(tenant, who, place, limit);
      for (Waits.WaitRow row : rows) {
        Task task = unreadable.readOne(RowKind.WAIT, row, wait -> task(wait, now));
        if (task != null && shown.test(task.candidates())) {
          tasks.add(task);
          bytes += row.size();
        }
        place = row.place();
        if (tasks.size() == limit) {
          return new TaskPage(tasks, place);
        }
      }
      if (!rows.more()) {
        return new TaskPage(tasks, null);
      }
      if (bytes >= Limits.BATCH_BYTES) {
        break;
      }
    }
    return new TaskPage(tasks, place);
  }

  private Task task(Waits.WaitRow row, Instant now) {
    return Task.of(reader.bookmark(row.instance(), row.bookmark()), now);
  }
}
