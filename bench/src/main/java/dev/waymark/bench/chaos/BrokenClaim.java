package dev.waymark.bench.chaos;

import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Ways to break the claim statement on its way to the database, for runs that must notice. The
 * store has no door for it.
 */
public enum BrokenClaim {
  /** As it is. */
  SOUND {
    @Override
    Map<String, String> replacements() {
      return Map.of();
    }
  },

  /** Nobody locks what was found, so two may take the same. */
  UNLOCKED {
    @Override
    Map<String, String> replacements() {
      Map<String, String> all = new LinkedHashMap<>();
      all.put("        for update skip locked\n   ) b\n", "   ) b\n");
      // Found by its place, a row that was claimed meanwhile would not be found at all.
      all.put("select found.place, b.spot,", "select found.place, b.id, b.mark,");
      all.put("select w.ctid as spot,", "select w.instance_id as id, w.tag as mark,");
      all.put("select place, spot, size,", "select place, id, mark, size,");
      all.put("select place, spot, bytes,", "select place, id, mark, bytes,");
      all.put("b.ctid = taken.spot", "b.instance_id = taken.id and b.tag = taken.mark");
      return all;
    }
  },

  /** What is locked is not what was counted: the limit holds nobody back. */
  UNLIMITED {
    @Override
    Map<String, String> replacements() {
      Map<String, String> all = new LinkedHashMap<>();
      all.put(
          "    from taken\n   where b.ctid = taken.spot",
          """
           from (select found.place, b.spot, 0 as bytes,
                        (select min(t.taker) from taken t) as taker
                   from found
                  cross join lateral (
                    select w.ctid as spot
                      from wm_bookmark w
                     where w.instance_id = found.instance_id
                       and w.tag = found.tag
                       and w.holder is null
                       for update skip locked
                  ) b) taken
          where b.ctid = taken.spot\
          """);
      // It would notice by itself and fail.
      all.put("1 / cast((select count(*) from claimed) <= ? as int)", "? * 0");
      return all;
    }
  };

  /** What stands in for which part of the statement; each must be there. */
  abstract Map<String, String> replacements();

  Store open(String url) {
    return this == SOUND
        ? Victim.open("postgres", url)
        : PostgresStore.on(source(url), PostgresOptions.DEFAULTS);
  }

  /** A connection for each thread: workers claim side by side. */
  private DataSource source(String url) {
    Map<Thread, Connection> own = new ConcurrentHashMap<>();
    return proxy(
        DataSource.class,
        (method, arguments) -> {
          Connection mine = own.get(Thread.currentThread());
          if (mine == null) {
            mine = DriverManager.getConnection(url, "postgres", "postgres");
            own.put(Thread.currentThread(), mine);
          }
          return lent(mine);
        });
  }

  private Connection lent(Connection target) {
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
    if (!sql.contains("locked as materialized")) {
      return sql;
    }
    String text = sql;
    for (Map.Entry<String, String> replacement : replacements().entrySet()) {
      if (!text.contains(replacement.getKey())) {
        throw new IllegalStateException(
            "Expected to break '%s' in the claim, but it is not there:%n%s"
                .formatted(replacement.getKey(), sql));
      }
      text = text.replace(replacement.getKey(), replacement.getValue());
    }
    return text;
  }

  private interface Handler {
    @Nullable Object handle(Method method, Object[] arguments) throws Exception;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            BrokenClaim.class.getClassLoader(),
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
