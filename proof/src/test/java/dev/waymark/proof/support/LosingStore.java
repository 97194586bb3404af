package dev.waymark.proof.support;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A store whose connection is lost once, before a call reaches the database or after it did. */
public final class LosingStore {

  private final Store store;
  private final AtomicReference<@Nullable Loss> armed = new AtomicReference<>();

  /** The call of which the connection is lost, and whether it was carried out all the same. */
  private record Loss(String method, boolean carriedOut, AtomicInteger before) {}

  public LosingStore(Store store) {
    this.store = wrap(Store.class, store);
  }

  public Store store() {
    return store;
  }

  /** The next call of this method loses its connection. */
  public void lose(String method, boolean carriedOut) {
    loseAfter(0, method, carriedOut);
  }

  /** The same for the call after so many of the same method. */
  public void loseAfter(int calls, String method, boolean carriedOut) {
    armed.set(new Loss(method, carriedOut, new AtomicInteger(calls)));
  }

  public boolean hasLost() {
    return armed.get() == null;
  }

  private <T> T wrap(Class<T> type, Object target) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          Loss loss = armed.get();
          boolean lost =
              loss != null
                  && loss.method().equals(method.getName())
                  && loss.before().getAndDecrement() <= 0
                  && armed.compareAndSet(loss, null);
          if (lost && !loss.carriedOut()) {
            throw connectionLost();
          }
          Object result;
          try {
            result = method.invoke(target, args);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
          if (lost) {
            throw connectionLost();
          }
          Class<?> part = method.getReturnType();
          boolean ours =
              args == null
                  && part.isInterface()
                  && part.getPackage().equals(Store.class.getPackage());
          return ours ? wrap(part, result) : result;
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private static StoreException connectionLost() {
    return new StoreException(
        StoreException.Kind.UNKNOWN_OUTCOME,
        "The test lost the connection",
        new IllegalStateException());
  }
}
