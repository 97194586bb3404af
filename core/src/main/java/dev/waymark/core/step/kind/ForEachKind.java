package dev.waymark.core.step.kind;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Block;
import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Locals;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Compensation;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Scopes;
import dev.waymark.core.step.walk.VisitData;
import dev.waymark.core.step.walk.Walk;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * {@code for-each}: runs the activities inside it once for each item, {@code parallel} items at a
 * time.
 *
 * <p>The loop is one visit, and each item that is under way is a visit below it, with the item and
 * its number as variables. Only those are alive, however many items there are; the list itself and
 * the results lie in rows of their own (see {@link LoopResults}), so that no step writes them
 * again.
 */
final class ForEachKind implements Kind {

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .required(
              "items", Shape.list(Shape.anything()).size(0, Limits.ITEMS).told("a list of items"))
          .field(
              "parallel",
              Shape.integer(1, Limits.PARALLEL_ITEMS).describe("So many at once; default 1."))
          .document();

  private static final String NEXT = "next";

  @Override
  public String name() {
    return "for-each";
  }

  @Override
  public Inside inside() {
    return Inside.ITEMS;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  private static boolean isParallel(@Nullable Object value) {
    return value instanceof Long n && n >= 1 && n <= Limits.PARALLEL_ITEMS;
  }

  private static Block block(Walk walk, ActivityInstance visit) {
    return Objects.requireNonNull(walk.activityOf(visit).block(), "block");
  }

  private static Block.Items items(Walk walk, ActivityInstance visit) {
    return Objects.requireNonNull(block(walk, visit).items(), "items");
  }

  @Override
  public void enter(Walk walk, ActivityInstance loop) {
    Object items = walk.input(loop).get("items");
    Object parallel = walk.input(loop).getOrDefault("parallel", 1L);
    if (!(items instanceof List<?> list) || list.size() > Limits.ITEMS || !isParallel(parallel)) {
      walk.badInput(
          loop,
          new IllegalArgumentException(
              "Expected a list of at most %d items, and 1 to %d of them in parallel, but got %s and %s"
                  .formatted(
                      Limits.ITEMS,
                      Limits.PARALLEL_ITEMS,
                      Faults.shown(items),
                      Faults.shown(parallel))));
      return;
    }
    walk.note(HistoryEntry.Type.ACTIVITY_STARTED, loop);
    ActivityInstance begun = loop.with(Scopes.INPUT, Map.of("parallel", parallel)).with(NEXT, 0L);
    walk.put(begun);
    LoopResults.keepItems(walk, begun, list);
    open(walk, begun);
  }

  /** Starts as many items as may run now. */
  private static void open(Walk walk, ActivityInstance visit) {
    ActivityInstance loop = visit;
    List<?> items = LoopResults.items(walk, loop);
    long live = walk.children(loop.visit()).size();
    while (live < parallel(loop) && next(loop) < items.size()) {
      if (walk.isLong()) {
        goOnLater(walk, loop, live);
        return;
      }
      int index = (int) next(loop);
      loop = loop.with(NEXT, next(loop) + 1);
      walk.put(loop);
      if (!openItem(walk, loop, index, items.get(index))) {
        return;
      }
      live++;
    }
  }

  private static boolean openItem(
      Walk walk, ActivityInstance loop, int index, @Nullable Object value) {
    Block.Items names = items(walk, loop);
    Map<String, @Nullable Object> locals = new LinkedHashMap<>();
    locals.put(names.item(), value);
    locals.put(names.index(), (long) index);
    ActivityInstance item =
        Locals.of(
            VisitData.item(walk.draft().newVisit(loop.activity(), loop.visit()), index), locals);
    walk.put(item);
    try {
      locals.putAll(Json.object(block(walk, loop).variables().evaluate(walk.inside(item))));
    } catch (ExpressionException e) {
      walk.fault(item, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return false;
    }
    walk.put(Locals.of(item, locals));
    walk.enter(block(walk, loop).start(), item.visit());
    return true;
  }

  // A long list of items without waits would be one endless step: another step does the rest.
  private static void goOnLater(Walk walk, ActivityInstance loop, long live) {
    if (live == 0) {
      Wait now = new Wait(BookmarkKind.TIMER, loop.activity(), Map.of(), walk.at());
      walk.bookmarks().create(loop, now);
    }
  }

  @Override
  public void resumed(
      Walk walk, ActivityInstance loop, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    open(walk, loop);
  }

  private static long next(ActivityInstance loop) {
    return loop.data().get(NEXT) instanceof Long n ? n : 0;
  }

  private static long parallel(ActivityInstance loop) {
    return Scopes.input(loop).get("parallel") instanceof Long n ? n : 1;
  }

  @Override
  public void retried(Walk walk, ActivityInstance visit) {
    if (!VisitData.isItem(visit) && !visit.data().containsKey(NEXT)) {
      walk.begin(visit);
    }
  }

  @Override
  public boolean settles() {
    return true;
  }

  @Override
  public boolean settle(Walk walk, ActivityInstance visit) {
    if (Compensation.isDriver(visit)) {
      return Compensation.settle(walk, visit);
    }
    if (visit.state() == ActivityInstance.State.PARKED || walk.hasChildren(visit.visit())) {
      return false;
    }
    if (VisitData.isItem(visit)) {
      itemDone(walk, visit);
      return true;
    }
    if (next(visit) < LoopResults.items(walk, visit).size()) {
      return false;
    }
    walk.complete(visit, LoopResults.output(walk, visit, items(walk, visit), false));
    return true;
  }

  private static void itemDone(Walk walk, ActivityInstance item) {
    ActivityInstance loop = Objects.requireNonNull(walk.activity(item.parent()), "loop");
    Block.Items how = items(walk, loop);
    long index = VisitData.item(item);
    Object result;
    boolean enough;
    try {
      result = how.collect() == null ? null : how.collect().evaluate(walk.inside(item));
      enough = how.until() != null && isEnough(walk, loop, how, index, result);
    } catch (ExpressionException e) {
      walk.fault(item, Fault.permanent(Fault.EXPRESSION, String.valueOf(e.getMessage())));
      return;
    }
    Compensation.keepOrRemove(walk, item, Map.of());
    LoopResults.add(walk, loop, how.collect() != null, index, result);
    ActivityInstance counted = Objects.requireNonNull(walk.activity(loop.visit()), "loop");
    if (enough) {
      walk.cancelChildren(loop.visit(), 0);
      walk.complete(counted, LoopResults.output(walk, counted, how, true));
    } else {
      open(walk, counted);
    }
  }

  private static boolean isEnough(
      Walk walk, ActivityInstance loop, Block.Items how, long index, @Nullable Object result) {
    Map<String, @Nullable Object> output = new LinkedHashMap<>();
    output.put("result", result);
    output.put("index", index);
    output.put("count", LoopResults.count(loop) + 1);
    return Objects.requireNonNull(how.until()).holds(walk.before(loop).with(Root.OUTPUT, output));
  }
}
