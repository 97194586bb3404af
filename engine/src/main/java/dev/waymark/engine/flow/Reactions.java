package dev.waymark.engine.flow;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The {@code on} of an activity or of a whole run. */
final class Reactions {

  private Reactions() {}

  /** One reaction to an event is an object, more of them are a list in their order. */
  static Map<String, @Nullable Object> plus(
      @Nullable Object on, String event, List<? extends Reaction<?>> more) {
    List<@Nullable Object> all = new ArrayList<>();
    Object before = on instanceof Map<?, ?> map ? map.get(event) : null;
    if (before != null) {
      all.addAll(before instanceof List<?> list ? list : List.of(before));
    }
    more.forEach(reaction -> all.add(reaction.fields));
    return PlainData.plus(on, event, all.size() == 1 ? all.get(0) : all);
  }

  static <R> List<R> listed(R first, R[] more) {
    List<R> all = new ArrayList<>();
    all.add(first);
    all.addAll(List.of(more));
    return all;
  }
}
