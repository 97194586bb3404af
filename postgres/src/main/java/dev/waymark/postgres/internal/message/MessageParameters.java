package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.postgres.internal.sql.DatabaseClock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The parameters that several statements about messages have. */
final class MessageParameters {

  private MessageParameters() {}

  /** The keys of several messages, one array for each part. */
  static Map<String, Object> keys(List<Message.Key> keys) {
    return Map.of(
        "tenants", column(keys, Message.Key::tenant, String[]::new),
        "sources", column(keys, Message.Key::source, String[]::new),
        "ids", column(keys, Message.Key::id, String[]::new));
  }

  static <T, V> V[] column(
      List<T> rows, Function<T, ? extends @Nullable Object> value, IntFunction<V[]> array) {
    return rows.stream().map(value).toArray(array);
  }

  /** The key of one message, and a limit. */
  static Map<String, Object> one(Message.Key message, int limit) {
    return Map.of(
        "tenant", message.tenant(), "source", message.source(), "id", message.id(), "limit", limit);
  }

  /** The place behind which a page of a tenant begins. */
  static Map<String, Object> behind(String tenant, Place after) {
    return Map.of(
        "tenant", tenant,
        "correlation", after.correlation(),
        "name", after.name(),
        "received", after.received(),
        "source", after.source(),
        "id", after.id());
  }

  /** These parameters and {@code :now}. */
  static Map<String, @Nullable Object> now(DatabaseClock clock, Map<String, Object> others) {
    Map<String, @Nullable Object> values = new HashMap<>(others);
    values.put("now", clock.virtualNow());
    return values;
  }
}
