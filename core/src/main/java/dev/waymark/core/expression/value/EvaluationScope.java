package dev.waymark.core.expression.value;

import dev.waymark.core.Json;
import java.util.EnumMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The data that an evaluation sees, by root.
 *
 * <p>A scope never changes and may be shared. A root without data is an empty object; that a root
 * is not available at a place is found when the expression is compiled.
 */
public final class EvaluationScope {

  public static final EvaluationScope EMPTY = new EvaluationScope(new EnumMap<>(Root.class));

  private final EnumMap<Root, Map<String, @Nullable Object>> roots;

  private EvaluationScope(EnumMap<Root, Map<String, @Nullable Object>> roots) {
    this.roots = roots;
  }

  public static EvaluationScope of(Map<String, ? extends @Nullable Object> variables) {
    return EMPTY.with(Root.VARIABLES, variables);
  }

  /** A scope that differs in one root. Values that {@link Json} made are taken without a copy. */
  public EvaluationScope with(Root root, Map<String, ? extends @Nullable Object> values) {
    EnumMap<Root, Map<String, @Nullable Object>> changed = new EnumMap<>(roots);
    changed.put(root, Json.objectOf(values));
    return new EvaluationScope(changed);
  }

  public Map<String, @Nullable Object> get(Root root) {
    Map<String, @Nullable Object> values = roots.get(root);
    return values == null ? Map.of() : values;
  }
}
