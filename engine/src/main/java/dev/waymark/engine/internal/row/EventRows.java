package dev.waymark.engine.internal.row;

import dev.waymark.core.Ids;
import dev.waymark.core.Json;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.UnitRows.OutboxRow;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns entries of the history into events, which are rows of the outbox: one for each sink that
 * wants it.
 */
final class EventRows {

  private static final Logger log = LoggerFactory.getLogger(EventRows.class);

  private final DocumentCodec codec;
  private final List<Subscription> subscriptions;
  private volatile Set<String> listenedElsewhere = Set.of();

  EventRows(DocumentCodec codec, List<Subscription> subscriptions) {
    this.codec = codec;
    this.subscriptions = List.copyOf(subscriptions);
  }

  /**
   * Sets the sinks to which only other processes listen. This process does not know which events
   * they want, so it writes all events for them; the process that delivers them leaves out those
   * that the sink does not want.
   */
  void listenedElsewhere(Set<String> sinks) {
    listenedElsewhere = Set.copyOf(sinks);
  }

  /** Adds the events of one entry of the history, one for each sink. */
  void add(Instance instance, HistoryEntry entry, List<OutboxRow> into) {
    Set<String> elsewhere = listenedElsewhere;
    if (subscriptions.isEmpty() && elsewhere.isEmpty()) {
      return;
    }
    String type = type(entry);
    String data = null;
    for (Subscription subscription : subscriptions) {
      if (wants(subscription, type)) {
        data = data == null ? codec.encode(Json.write(data(instance, entry))) : data;
        into.add(event(instance, entry, subscription.name(), type, data));
      }
    }
    for (String sink : elsewhere) {
      data = data == null ? codec.encode(Json.write(data(instance, entry))) : data;
      into.add(event(instance, entry, sink, type, data));
    }
  }

  /**
   * A predicate is user code. A predicate that throws must not fail a run: the event is written,
   * and the predicate is asked once more when it is delivered.
   */
  @SuppressWarnings("CatchingUnchecked")
  private static boolean wants(Subscription subscription, String type) {
    try {
      return subscription.types().test(type);
    } catch (Throwable e) {
      Trace.log(
          e,
          thrown ->
              log.warn(
                  "Subscription '{}' cannot say whether it wants {}; the event is kept for it",
                  subscription.name(),
                  type,
                  thrown));
      return true;
    }
  }

  private static OutboxRow event(
      Instance instance, HistoryEntry entry, String sink, String type, String data) {
    return new OutboxRow(
        Outbox.laneOf(instance.id()),
        sink,
        id(instance, entry),
        entry.version(),
        entry.ordinal(),
        type,
        data);
  }

  private static String type(HistoryEntry entry) {
    return entry.type() == HistoryEntry.Type.EVENT_EMITTED
        ? String.valueOf(entry.detail().get("type"))
        : entry.type().eventType();
  }

  private static String id(Instance instance, HistoryEntry entry) {
    long tag =
        Ids.derivedLong(
            instance.id().toString(), entry.version() + "." + entry.ordinal(), entry.commandId());
    return instance.id() + "-" + Long.toHexString(tag);
  }

  private static Map<String, @Nullable Object> data(Instance instance, HistoryEntry entry) {
    Map<String, @Nullable Object> data = new LinkedHashMap<>();
    data.put("tenant", instance.tenant());
    data.put("actor", entry.actor());
    data.put("time", entry.at().toString());
    if (entry.activity() != null) {
      data.put("activity", entry.activity());
      data.put("visit", entry.visit());
      data.put("attempt", (long) entry.attempt());
    }
    if (!entry.detail().isEmpty()) {
      data.put("detail", entry.detail());
    }
    return data;
  }
}
