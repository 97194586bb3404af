package dev.waymark.core.step.walk;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Operators;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The waits of an instance as they are becoming during one decision. */
public final class BookmarkDraft {

  /** In the payload of an intervention: the level of operators that is asked. */
  public static final String LEVEL = "level";

  /** In the payload of an intervention: the role that may resolve it. */
  public static final String REQUIRED_ROLE = "requiredRole";

  private final Instance before;
  private final Command.Meta meta;
  private final SortedMap<BookmarkId, Bookmark> open;
  private final List<Step.Spend> spends = new ArrayList<>();
  private final List<Bookmark> created = new ArrayList<>();
  private final Map<BookmarkId, Step.Amend> amended = new LinkedHashMap<>();

  BookmarkDraft(Instance before, Command.Meta meta) {
    this.before = before;
    this.meta = meta;
    this.open = new TreeMap<>(before.bookmarks());
  }

  // ---- what there is

  public boolean isOpen(Bookmark bookmark) {
    return open.containsKey(bookmark.id());
  }

  /** The open waits of a visit. */
  public List<Bookmark> of(long visit) {
    return open.values().stream().filter(b -> b.visit() == visit).toList();
  }

  // ---- what becomes of it

  public Bookmark create(ActivityInstance visit, Wait wait) {
    return create(
        visit, wait.kind(), wait.key(), wait.payload(), wait.due(), wait.terms(), meta.at());
  }

  /**
   * The same wait once more, for a reaction that has come true and goes on listening. One that
   * listens for a signal has never stopped, so it is as old as before: a signal that was sent
   * earlier and not yet delivered is still for it.
   */
  Bookmark createAgain(ActivityInstance visit, Bookmark spent) {
    return create(
        visit,
        spent.kind(),
        spent.key(),
        spent.payload(),
        null,
        spent.terms(),
        Message.isSignal(spent.key()) ? spent.created() : meta.at());
  }

  /** The wait for a person to look at a parked visit. */
  void createIntervention(ActivityInstance parked, Fault because) {
    Operators operators = meta.operators();
    Map<String, @Nullable Object> payload = new LinkedHashMap<>();
    payload.put("error", because.toDocument());
    payload.put("activity", parked.activity());
    payload.put("visit", parked.visit());
    payload.put(
        "actions",
        Arrays.stream(InterventionAction.values()).map(InterventionAction::word).toList());
    payload.put(LEVEL, 1L);
    payload.put(REQUIRED_ROLE, operators.firstLevel());
    create(
        parked,
        BookmarkKind.MANUAL_INTERVENTION,
        parked.activity(),
        payload,
        operators.higherLevel() == null ? null : meta.at().plus(operators.patience()),
        Terms.of(0, new Candidates(null, Set.of(), Set.of(operators.firstLevel()), Set.of())),
        meta.at());
  }

  private Bookmark create(
      ActivityInstance visit,
      BookmarkKind kind,
      String key,
      Map<String, @Nullable Object> payload,
      @Nullable Instant due,
      Terms terms,
      Instant since) {
    BookmarkId id =
        BookmarkId.derived(before.id(), before.version() + 1, created.size(), meta.id());
    Bookmark bookmark =
        new Bookmark(id, visit.visit(), kind, key, payload, due, null, since, null, terms);
    created.add(bookmark);
    open.put(id, bookmark);
    return bookmark;
  }

  /**
   * Changes an open wait without closing it: it keeps its id, and its lease unless that is taken.
   *
   * @param released whether its holder loses the lease, because the wait now belongs to another
   *     person
   */
  public void amend(Bookmark after, boolean released) {
    Bookmark stood = open.put(after.id(), after);
    if (stood == null) {
      throw new IllegalStateException("Expected an open bookmark to change, but got " + after);
    }
    int own = indexOfCreated(after.id());
    if (own >= 0) {
      created.set(own, after);
      return;
    }
    Step.Amend earlier = amended.get(after.id());
    amended.put(
        after.id(),
        earlier == null
            ? new Step.Amend(stood, after, released)
            : new Step.Amend(earlier.before(), after, released || earlier.released()));
  }

  /** Withdraws the waits of a visit: no answer is needed any more. */
  public void withdrawAll(long visit) {
    of(visit).forEach(this::withdraw);
  }

  public void withdraw(Bookmark bookmark) {
    close(bookmark, Bookmark.End.WITHDRAWN, Step.Spend.Guard.ANY, 0);
  }

  public void close(Bookmark bookmark, Bookmark.End end, Step.Spend.Guard guard, long fence) {
    Step.Amend amend = amended.remove(bookmark.id());
    Bookmark stored = amend == null ? bookmark : amend.before();
    Bookmark closed = stored.closed(end, meta.actor().id(), meta.at());
    open.remove(bookmark.id());
    int own = indexOfCreated(bookmark.id());
    if (own >= 0) {
      created.set(own, closed);
    } else {
      spends.add(new Step.Spend(closed, guard, fence));
    }
  }

  private int indexOfCreated(BookmarkId id) {
    for (int i = 0; i < created.size(); i++) {
      if (created.get(i).id().equals(id)) {
        return i;
      }
    }
    return -1;
  }

  // ---- the rows of the step

  public SortedMap<BookmarkId, Bookmark> open() {
    return Collections.unmodifiableSortedMap(open);
  }

  List<Step.Spend> spends() {
    return spends;
  }

  List<Bookmark> created() {
    return created;
  }

  List<Step.Amend> amended() {
    return List.copyOf(amended.values());
  }
}
