package dev.waymark.proof.support;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** A store that lets a test do something at a chosen moment: so a race is held open on purpose. */
public final class StoreHooks {

  private StoreHooks() {}

  /**
   * Runs something each time that a method of the store, or of a part of it, is about to return.
   */
  public static Store after(Store store, String method, Runnable hook) {
    return wrap(Store.class, store, name -> {}, only(method, hook));
  }

  /** Runs something each time before a method of the store, or of a part of it, is called. */
  public static Store before(Store store, String method, Runnable hook) {
    return wrap(Store.class, store, only(method, hook), name -> {});
  }

  private static Consumer<String> only(String method, Runnable hook) {
    return name -> {
      if (name.equals(method)) {
        hook.run();
      }
    };
  }

  /** Tells the name of each method of the store, or of a part of it, before it is called. */
  public static Store watching(Store store, Consumer<String> calls) {
    return wrap(Store.class, store, calls, name -> {});
  }

  /** Does it the first time that it is asked to, once it was armed. */
  public static Runnable once(AtomicBoolean armed, Runnable task) {
    return () -> {
      if (armed.compareAndSet(true, false)) {
        task.run();
      }
    };
  }

  public static Runnable fail(StoreException.Kind kind) {
    return () -> {
      throw new StoreException(kind, "The test lost the connection", new IllegalStateException());
    };
  }

  private static <T> T wrap(
      Class<T> type, Object target, Consumer<String> before, Consumer<String> after) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          before.accept(method.getName());
          Object result;
          try {
            result = method.invoke(target, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          after.accept(method.getName());
          Class<?> part = method.getReturnType();
          boolean ours =
              args == null
                  && part.isInterface()
                  && part.getPackage().equals(Store.class.getPackage());
          return ours ? wrap(part, result, before, after) : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }
}
