package dev.waymark.core.expression;

import dev.waymark.core.expression.plan.Plan;
import dev.waymark.core.expression.value.Root;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compiles expressions, and remembers the ones compiled lately: a compile costs about a millisecond
 * and an evaluation a thousandth of that.
 *
 * <p>The memory is bounded by the length of the sources kept, which bounds the size of their plans
 * as well. One instance for an engine is enough; threads may share it.
 */
public final class Expressions {

  /** Characters of source whose plans are kept. */
  private static final int KEPT_CHARS = 256 * 1024;

  private record CacheKey(String source, Set<Root> roots, boolean condition) {}

  /** Least recently used first. Guarded by itself; nothing is compiled while it is held. */
  private final LinkedHashMap<CacheKey, Plan> plans = new LinkedHashMap<>(64, 0.75f, true);

  private int keptChars;

  /**
   * Compiles the expression at one place of a definition.
   *
   * @param path where the expression stands in its definition, for messages
   * @param roots the data that is available there
   * @throws ExpressionException with every fault found
   */
  public Expression compile(String source, String path, Set<Root> roots) {
    return new Expression(plan(source, path, roots, false), path);
  }

  /** As {@link #compile}, for an expression that must come to true or false. */
  public Condition compileCondition(String source, String path, Set<Root> roots) {
    return new Condition(new Expression(plan(source, path, roots, true), path));
  }

  /**
   * Compiles a JSON value with expressions in its texts (see {@link Template}).
   *
   * @throws ExpressionException with every fault of every expression, each with its own path
   */
  public Template compileTemplate(@Nullable Object value, String path, Set<Root> roots) {
    return Template.compile(this, value, path, roots);
  }

  private Plan plan(String source, String path, Set<Root> roots, boolean condition) {
    CacheKey key = new CacheKey(source, Set.copyOf(roots), condition);
    Plan known = known(key);
    if (known != null) {
      return known;
    }
    Plan plan = Language.compile(source, path, key.roots(), condition);
    keep(key, plan);
    return plan;
  }

  private @Nullable Plan known(CacheKey key) {
    synchronized (plans) {
      return plans.get(key);
    }
  }

  private void keep(CacheKey key, Plan plan) {
    synchronized (plans) {
      if (plans.put(key, plan) == null) {
        keptChars += weight(key);
      }
      Iterator<Map.Entry<CacheKey, Plan>> oldest = plans.entrySet().iterator();
      while (keptChars > KEPT_CHARS && oldest.hasNext()) {
        keptChars -= weight(oldest.next().getKey());
        oldest.remove();
      }
    }
  }

  /** The weight of a key in the cache, at least 64: even the shortest expression has a plan. */
  private static int weight(CacheKey key) {
    return key.source().length() + 64;
  }
}
