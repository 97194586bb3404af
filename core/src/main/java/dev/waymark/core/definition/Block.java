package dev.waymark.core.definition;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The inside of an activity: activities of its own, and variables that only they see.
 *
 * @param variables an object, evaluated when the block is entered
 * @param activities the ids of what stands directly inside, in the order of the text
 * @param items how it is repeated; absent for a block that runs once
 */
public record Block(
    String start, Template variables, List<String> activities, @Nullable Items items) {

  /**
   * The further settings of a block that runs once for each item.
   *
   * @param item the name of the variable that holds the item
   * @param index the name of the variable that holds its number, from 0
   * @param collect each item's result, evaluated when the item is done
   * @param until asked after each item: if it holds, the rest is not done any more
   */
  public record Items(
      String item, String index, @Nullable Template collect, @Nullable Condition until) {

    public Items {
      requireNonNull(item, "item");
      requireNonNull(index, "index");
    }
  }

  public Block {
    requireNonNull(start, "start");
    requireNonNull(variables, "variables");
    activities = List.copyOf(activities);
  }
}
