package dev.waymark.core.step.kind;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Block;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.step.walk.Walk;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The items and results of a loop, kept in rows below its visit.
 *
 * <p>The list of items is one row, written once. Results gather in the loop's own row and move to
 * one of theirs page by page: written again with each item, the results of ten thousand items would
 * be gigabytes.
 */
final class LoopResults {

  private static final String ITEMS = "items";
  private static final String PAGE = "page";
  private static final String COUNT = "count";
  private static final int PAGE_SIZE = 32;

  private LoopResults() {}

  static void keepItems(Walk walk, ActivityInstance loop, List<?> items) {
    keep(walk, loop, Map.of(ITEMS, items));
  }

  private static void keep(Walk walk, ActivityInstance loop, Map<String, @Nullable Object> data) {
    ActivityInstance row = walk.draft().newVisit(loop.activity(), loop.visit());
    walk.put(row.kept(loop.visit(), data));
  }

  static List<?> items(Walk walk, ActivityInstance loop) {
    for (ActivityInstance row : walk.draft().activities.tailMap(loop.visit()).values()) {
      if (row.parent() == loop.visit() && row.data().get(ITEMS) instanceof List<?> items) {
        return items;
      }
    }
    throw new IllegalStateException(
        "Expected the items of visit %d to be kept, but they are not".formatted(loop.visit()));
  }

  /** The number of items that are done. */
  static long count(ActivityInstance loop) {
    return loop.data().get(COUNT) instanceof Long n ? n : 0;
  }

  static void add(
      Walk walk, ActivityInstance loop, boolean collects, long index, @Nullable Object result) {
    ActivityInstance counted = loop.with(COUNT, count(loop) + 1);
    if (!collects) {
      walk.put(counted);
      return;
    }
    Map<String, @Nullable Object> page = new LinkedHashMap<>(page(loop));
    page.put(Long.toString(index), result);
    if (page.size() < PAGE_SIZE) {
      walk.put(counted.with(PAGE, Collections.unmodifiableMap(page)));
    } else {
      walk.put(counted.with(PAGE, null));
      keep(walk, loop, Map.of(PAGE, Collections.unmodifiableMap(page)));
    }
  }

  private static Map<String, @Nullable Object> page(ActivityInstance row) {
    return Json.object(row.data().get(PAGE));
  }

  /** The result of the loop; its rows go with it. */
  static Map<String, @Nullable Object> output(
      Walk walk, ActivityInstance loop, Block.Items how, boolean early) {
    Map<String, @Nullable Object> output = new LinkedHashMap<>();
    if (how.collect() != null) {
      output.put("results", inOrder(walk, loop));
    }
    output.put("count", count(loop));
    output.put("early", early);
    return output;
  }

  private static List<@Nullable Object> inOrder(Walk walk, ActivityInstance loop) {
    List<@Nullable Object> results =
        new ArrayList<>(Collections.nCopies(items(walk, loop).size(), null));
    page(loop).forEach((index, result) -> results.set(Integer.parseInt(index), result));
    for (ActivityInstance row : walk.draft().activities.tailMap(loop.visit()).values()) {
      if (row.parent() == loop.visit() && !row.isLive()) {
        page(row).forEach((index, result) -> results.set(Integer.parseInt(index), result));
      }
    }
    return results;
  }
}
