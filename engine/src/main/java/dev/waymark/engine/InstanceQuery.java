package dev.waymark.engine;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which instances to list.
 *
 * @param labels every one must match
 * @param after the last instance of the page before
 */
public record InstanceQuery(
    @Nullable Status status,
    @Nullable String definition,
    @Nullable String businessKey,
    @Nullable String correlationId,
    Map<String, String> labels,
    @Nullable InstanceId after,
    int limit) {

  public static final InstanceQuery ALL =
      new InstanceQuery(null, null, null, null, Map.of(), null, 50);

  public InstanceQuery {
    labels = Map.copyOf(labels);
  }

  public InstanceQuery withStatus(Status wanted) {
    return new InstanceQuery(wanted, definition, businessKey, correlationId, labels, after, limit);
  }

  public InstanceQuery withDefinition(String key) {
    return new InstanceQuery(status, key, businessKey, correlationId, labels, after, limit);
  }

  public InstanceQuery withBusinessKey(String key) {
    return new InstanceQuery(status, definition, key, correlationId, labels, after, limit);
  }

  public InstanceQuery withCorrelationId(String id) {
    return new InstanceQuery(status, definition, businessKey, id, labels, after, limit);
  }

  public InstanceQuery withLabel(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(name, value);
    return new InstanceQuery(status, definition, businessKey, correlationId, more, after, limit);
  }

  public InstanceQuery page(@Nullable InstanceId last, int size) {
    return new InstanceQuery(status, definition, businessKey, correlationId, labels, last, size);
  }
}
