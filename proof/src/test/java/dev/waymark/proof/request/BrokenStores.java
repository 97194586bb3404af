package dev.waymark.proof.request;

import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Stores that lose a connection, or answer nothing, when a test says so. */
final class BrokenStores {

  /** A store whose next call by the armed thread loses its connection before it is made. */
  static <T> T losing(Class<T> type, Object target, AtomicReference<@Nullable Thread> armed) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          Class<?> part = method.getReturnType();
          boolean ours =
              args == null
                  && part.isInterface()
                  && part.getPackage().equals(Store.class.getPackage());
          boolean asks = !ours && !method.getName().equals("refuseToWaitHere");
          Thread thread = Thread.currentThread();
          if (asks && armed.compareAndSet(thread, null)) {
            throw new StoreException(
                StoreException.Kind.UNKNOWN_OUTCOME,
                "The test lost the connection",
                new IllegalStateException());
          }
          try {
            Object result = method.invoke(target, args);
            return ours ? losing(part, result, armed) : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  /** A store that answers nothing while it is silent, up to the end of the test. */
  static <T> T silent(Class<T> type, Object target, AtomicBoolean silent, CountDownLatch over) {
    InvocationHandler handler =
        (proxy, method, args) -> {
          Class<?> part = method.getReturnType();
          boolean ours =
              args == null
                  && part.isInterface()
                  && part.getPackage().equals(Store.class.getPackage());
          if (silent.get()
              && !ours
              && !method.getName().equals("refuseToWaitHere")
              && !method.getName().equals("close")) {
            over.await();
          }
          try {
            Object result = method.invoke(target, args);
            return ours ? silent(part, result, silent, over) : result;
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  private BrokenStores() {}
}
