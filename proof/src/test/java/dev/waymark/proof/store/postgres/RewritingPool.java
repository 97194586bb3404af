package dev.waymark.proof.store.postgres;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;

/**
 * A pool with one connection for each thread that changes statements on their way to the database.
 * So a test can slow a statement of the store down, or break it, and the store needs no door for
 * that.
 */
final class RewritingPool implements AutoCloseable {

  private final Database database;
  private final Map<String, String> replacements;
  private final Set<String> used = ConcurrentHashMap.newKeySet();
  private final Map<Thread, Connection> connections = new ConcurrentHashMap<>();

  /**
   * @param replacements what stands in for which part of a statement, wherever it occurs
   */
  RewritingPool(Database database, Map<String, String> replacements) {
    this.database = database;
    this.replacements = Map.copyOf(replacements);
  }

  DataSource source() {
    return proxy(DataSource.class, (method, arguments) -> lent());
  }

  /** Parts that no statement had: whoever wanted them replaced has proved nothing. */
  Set<String> unused() {
    Set<String> unused = ConcurrentHashMap.newKeySet();
    unused.addAll(replacements.keySet());
    unused.removeAll(used);
    return unused;
  }

  @Override
  public void close() throws SQLException {
    for (Connection connection : connections.values()) {
      connection.close();
    }
  }

  private Connection lent() throws SQLException {
    Connection own = connections.get(Thread.currentThread());
    if (own == null) {
      own = database.connect();
      connections.put(Thread.currentThread(), own);
    }
    Connection target = own;
    return proxy(
        Connection.class,
        (method, arguments) ->
            switch (method.getName()) {
              case "close" -> null;
              case "prepareStatement" -> {
                Object[] rewritten = arguments.clone();
                rewritten[0] = rewrite((String) arguments[0]);
                yield method.invoke(target, rewritten);
              }
              default -> method.invoke(target, arguments);
            });
  }

  private String rewrite(String sql) {
    String text = sql;
    for (Map.Entry<String, String> replacement : replacements.entrySet()) {
      if (text.contains(replacement.getKey())) {
        used.add(replacement.getKey());
        text = text.replace(replacement.getKey(), replacement.getValue());
      }
    }
    return text;
  }

  private interface Handler {
    Object handle(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            RewritingPool.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              try {
                return handler.handle(method, arguments);
              } catch (InvocationTargetException fault) {
                throw fault.getCause();
              }
            }));
  }
}
