package dev.waymark.core.expression.plan;

import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.expression.value.Values;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A path into the data that an expression names, such as {@code Variables.customer.tier}. */
record DataPath(Root root, List<String> keys) {

  String label() {
    return keys.isEmpty() ? root.label() : root.label() + "." + String.join(".", keys);
  }

  DataPath then(String key) {
    return new DataPath(root, Stream.concat(keys.stream(), Stream.of(key)).toList());
  }

  boolean leadsTo(DataPath other) {
    return root == other.root
        && keys.size() < other.keys.size()
        && other.keys.subList(0, keys.size()).equals(keys);
  }

  /** The value that is there, for a message. The environment holds secrets, so it is not shown. */
  String shownIn(EvaluationScope scope) {
    Object value = scope.get(root);
    for (String key : keys) {
      if (!(value instanceof Map<?, ?> map) || !map.containsKey(key)) {
        return "(missing)";
      }
      value = map.get(key);
    }
    return root == Root.ENV ? "(hidden)" : Values.shown(value).toString();
  }
}
