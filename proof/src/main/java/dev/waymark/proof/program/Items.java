package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The items of a for-each: so many at a time, and perhaps not all of them. */
final class Items {

  private final World world;
  private final Moves moves;

  Items(World world, Moves moves) {
    this.world = world;
    this.moves = moves;
  }

  /** What a for-each has done so far. */
  static final class Progress {
    final List<?> items;
    final List<@Nullable Object> results;

    /** For every item, the ends of those before it: one of them makes room for it. */
    final List<List<Event>> before = new ArrayList<>();

    final List<Event> begun = new ArrayList<>();

    int started;
    int count;

    Progress(List<?> items) {
      this.items = items;
      results = new ArrayList<>(Collections.nCopies(items.size(), null));
      items.forEach(item -> before.add(new ArrayList<>()));
    }
  }

  void begin(Visit visit, Kind.ForEach each) {
    Object items = each.items().in(Term.View.of(visit.frame));
    visit.progress = new Progress((List<?>) Objects.requireNonNull(items));
    goOn(visit, each);
  }

  private void goOn(Visit visit, Kind.ForEach each) {
    Progress progress = Objects.requireNonNull(visit.progress);
    while (progress.started < progress.items.size() && visit.children.size() < each.parallel()) {
      start(visit, each, progress.started++);
    }
    if (visit.children.isEmpty()) {
      finish(visit, false);
    }
  }

  private void start(Visit visit, Kind.ForEach each, int index) {
    // The first few start at once; of those that end, nobody knows which makes room for the next.
    int needed = index - each.parallel() + 1;
    Progress progress = Objects.requireNonNull(visit.progress);
    Event cause =
        needed <= 0
            ? visit.begun
            : world.event(visit.begun, world.eventAfterSome(progress.before.get(index), needed));
    Frame frame = new Frame(visit.frame);
    frame.own.put(each.item(), progress.items.get(index));
    frame.own.put(each.index(), (long) index);
    frame.own.putAll(Moves.evaluate(each.variables(), Term.View.of(frame)));
    Visit item =
        new Visit(
            visit.course,
            visit,
            null,
            new Visit.Places(frame, frame),
            new Visit.Time(cause, world.now));
    item.index = index;
    progress.begun.add(cause);
    visit.children.add(item);
    moves.send(each.block().start(), item, cause);
  }

  /** Nothing is alive in an item any more. */
  void itemDone(Visit item) {
    Visit visit = Objects.requireNonNull(item.parent);
    Kind.ForEach each = (Kind.ForEach) Objects.requireNonNull(visit.activity).kind();
    Progress progress = Objects.requireNonNull(visit.progress);
    Object result = each.collect().in(Term.View.of(item.frame));
    progress.results.set(item.index, result);
    progress.count++;
    Event ended = moves.end(item, Visit.End.COMPLETED, world.eventAfter(item.ends));
    moves.undoing().rememberItem(item, visit, ended);
    makeRoom(progress, item.index, ended);
    Map<String, @Nullable Object> seen = new HashMap<>();
    seen.put("result", result);
    seen.put("index", (long) item.index);
    seen.put("count", (long) progress.count);
    if (each.until() != null
        && each.until().holds(new Term.View(visit.frame, Map.of(), seen, null))) {
      moves.clear(visit, ended);
      finish(visit, true);
    } else {
      goOn(visit, each);
    }
  }

  private static void makeRoom(Progress progress, int index, Event ended) {
    for (int later = index + 1; later < progress.items.size(); later++) {
      boolean because = later < progress.begun.size() && progress.begun.get(later).precedes(ended);
      if (!because) {
        progress.before.get(later).add(ended);
      }
    }
  }

  private void finish(Visit visit, boolean early) {
    Progress progress = Objects.requireNonNull(visit.progress);
    Map<String, @Nullable Object> output = new HashMap<>();
    output.put("results", progress.results);
    output.put("count", (long) progress.count);
    output.put("early", early);
    moves.complete(visit, output, world.eventAfter(visit.ends));
  }
}
