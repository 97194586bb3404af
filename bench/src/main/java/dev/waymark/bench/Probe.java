package dev.waymark.bench;

import static java.util.Objects.requireNonNull;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Stands between engine and store and counts the calls. One call costs it well below a microsecond,
 * and steps come in batches.
 *
 * <p>It keeps the store open when the engine closes, so that the limit is measured on the same
 * connections.
 */
final class Probe {

  private final Store seen;
  private final Map<String, LongAdder> calls = new ConcurrentHashMap<>();
  private final LongAdder batches = new LongAdder();
  private final LongAdder units = new LongAdder();
  private final LongAdder nanos = new LongAdder();
  private final Queue<UnitRows> kept = new ConcurrentLinkedQueue<>();
  private volatile boolean keeping;

  Probe(Store store) {
    seen = (Store) watch(store, Store.class);
  }

  /** The store to be given to an engine. */
  Store store() {
    return seen;
  }

  Commits commits() {
    return new Commits(batches.sum(), units.sum(), nanos.sum());
  }

  /** How often each method was called. */
  Map<String, Long> calls() {
    Map<String, Long> all = new TreeMap<>();
    calls.forEach((name, count) -> all.put(name, count.sum()));
    return all;
  }

  /** Keeps the units that are committed from now on, or no longer. */
  void keep(boolean on) {
    keeping = on;
  }

  Queue<UnitRows> kept() {
    return kept;
  }

  private Object watch(Object target, Class<?> type) {
    Map<Method, Object> parts = new ConcurrentHashMap<>();
    InvocationHandler handler =
        (proxy, method, args) -> {
          if (method.getName().equals("close")) {
            return null;
          }
          Class<?> result = method.getReturnType();
          if (args == null && result.isInterface() && isStore(result)) {
            return parts.computeIfAbsent(method, m -> watch(call(target, m, null), result));
          }
          count(type, method);
          return isCommit(method) && args != null
              ? commit(target, method, args)
              : call(target, method, args);
        };
    return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler);
  }

  private static boolean isStore(Class<?> type) {
    return type.getPackage().equals(Store.class.getPackage());
  }

  private static boolean isCommit(Method method) {
    return method.getDeclaringClass() == Store.class && method.getName().equals("commit");
  }

  private void count(Class<?> type, Method method) {
    if (!method.getName().equals("capacity")) {
      String name = type.getSimpleName() + "." + method.getName();
      calls.computeIfAbsent(name, n -> new LongAdder()).increment();
    }
  }

  @SuppressWarnings("unchecked") // Store.commit takes a node and a list of units
  private Object commit(Object target, Method method, @Nullable Object[] args) {
    List<UnitRows> batch = (List<UnitRows>) requireNonNull(args[1], "units");
    if (keeping) {
      kept.addAll(batch);
    }
    long begun = System.nanoTime();
    Object results = call(target, method, args);
    nanos.add(System.nanoTime() - begun);
    batches.increment();
    units.add(batch.size());
    return results;
  }

  private static Object call(Object target, Method method, @Nullable Object @Nullable [] args) {
    try {
      return method.invoke(target, args);
    } catch (InvocationTargetException e) {
      throw Probe.<RuntimeException>sneaky(e.getCause());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("Expected a public method, but got " + method, e);
    }
  }

  // A proxy may throw whatever its interface declares; the compiler cannot know that here.
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <T extends Throwable> T sneaky(@Nullable Throwable cause) throws T {
    throw (T) requireNonNull(cause, "cause");
  }
}
