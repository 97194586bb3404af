package dev.waymark.testkit;

import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.store.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
import java.util.Map;

/**
 * Kills an engine at a chosen moment, as {@code kill -9} would: nothing that it was about to do is
 * done, its tasks never run again, and it no longer reaches its store. The store itself lives on,
 * for the next engine.
 */
public final class KillSwitch implements CrashPoints {

  /** The engine is gone. */
  public static final class Killed extends Error {
    private static final long serialVersionUID = 1;
  }

  private final Point point;
  private final int deadly;
  private final Map<Point, Integer> seen = new EnumMap<>(Point.class);
  private boolean dead;

  /**
   * Kills at one occurrence of a point.
   *
   * @param deadly at which one, from 1; 0 for never
   */
  public KillSwitch(Point point, int deadly) {
    this.point = point;
    this.deadly = deadly;
  }

  @Override
  public void at(Point reached) {
    check();
    int times = seen.merge(reached, 1, Integer::sum);
    if (reached == point && times == deadly) {
      dead = true;
      check();
    }
  }

  private void check() {
    if (dead) {
      throw new Killed();
    }
  }

  public boolean isDead() {
    return dead;
  }

  /** The number of times that the point was reached. */
  public int seen() {
    return seen(point);
  }

  /** The number of times that the given point was reached. */
  public int seen(Point any) {
    return seen.getOrDefault(any, 0);
  }

  /** The store as the engine gets it: out of reach once it is dead, and never closed by it. */
  public Store guard(Store store) {
    return guard(Store.class, store);
  }

  private <T> T guard(Class<T> type, T target) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          check();
          if (method.getName().equals("close")) {
            return null;
          }
          Object result;
          try {
            result = method.invoke(target, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          Class<?> part = method.getReturnType();
          boolean ours = args == null && part.isInterface() && isStore(part);
          return ours ? guarded(part, result) : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private <T> T guarded(Class<T> type, Object target) {
    return guard(type, type.cast(target));
  }

  private static boolean isStore(Class<?> type) {
    return type.getPackage().equals(Store.class.getPackage());
  }
}
