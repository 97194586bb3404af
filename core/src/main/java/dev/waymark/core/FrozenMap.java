package dev.waymark.core;

import java.util.AbstractMap;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object that cannot be changed; its keys keep the order in which they were written.
 *
 * <p>Like {@link FrozenList} it is a class of its own so that {@link Json#valueOf} can recognise
 * it, and only {@link Json} makes one.
 */
final class FrozenMap extends AbstractMap<String, @Nullable Object> {

  static final FrozenMap EMPTY = new FrozenMap(new LinkedHashMap<>(0));

  private final Map<String, @Nullable Object> entries;

  /** Levels of lists and objects from here down, this one counted. */
  final int height;

  /** See {@link Json#lengthOf}. */
  final int length;

  /** See {@link Json#holdsPayload}. */
  final boolean payload;

  FrozenMap(Map<String, @Nullable Object> entries) {
    this.entries = Collections.<String, @Nullable Object>unmodifiableMap(entries);
    int highest = 0;
    long characters = 2;
    boolean held = entries.containsKey(Json.PAYLOAD);
    for (Map.Entry<String, @Nullable Object> entry : entries.entrySet()) {
      highest = Math.max(highest, Json.heightOf(entry.getValue()));
      characters += entry.getKey().length() + 4 + Json.lengthOf(entry.getValue());
      held |= Json.holdsPayload(entry.getValue());
    }
    this.payload = held;
    this.height = highest + 1;
    this.length = (int) Math.min(characters, Integer.MAX_VALUE);
  }

  @Override
  public @Nullable Object get(@Nullable Object key) {
    return entries.get(key);
  }

  @Override
  public boolean containsKey(@Nullable Object key) {
    return entries.containsKey(key);
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public Set<String> keySet() {
    return entries.keySet();
  }

  @Override
  public Collection<@Nullable Object> values() {
    return entries.values();
  }

  @Override
  public Set<Map.Entry<String, @Nullable Object>> entrySet() {
    return entries.entrySet();
  }

  @Override
  public void forEach(BiConsumer<? super String, ? super @Nullable Object> action) {
    entries.forEach(action);
  }
}
