package dev.waymark.core;

import java.util.AbstractList;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * A JSON array that cannot be changed, neither through this list nor through the list it was made
 * of.
 *
 * <p>It has a class of its own so that {@link Json#valueOf} recognises it by its class and need not
 * copy it again. Only {@link Json} makes one, and keeps no reference to the array inside.
 */
final class FrozenList extends AbstractList<@Nullable Object> implements RandomAccess {

  static final FrozenList EMPTY = new FrozenList(new Object[0]);

  private final @Nullable Object[] elements;

  /** Levels of lists and objects from here down, this one counted. */
  final int height;

  /** See {@link Json#lengthOf}. */
  final int length;

  /** See {@link Json#holdsPayload}. */
  final boolean payload;

  FrozenList(@Nullable Object[] elements) {
    this.elements = elements;
    int highest = 0;
    long characters = 2;
    boolean held = false;
    for (Object element : elements) {
      highest = Math.max(highest, Json.heightOf(element));
      characters += 1 + Json.lengthOf(element);
      held |= Json.holdsPayload(element);
    }
    this.payload = held;
    this.height = highest + 1;
    this.length = (int) Math.min(characters, Integer.MAX_VALUE);
  }

  @Override
  public @Nullable Object get(int index) {
    return elements[index];
  }

  @Override
  public int size() {
    return elements.length;
  }
}
