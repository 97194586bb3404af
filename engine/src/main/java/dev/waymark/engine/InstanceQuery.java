package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.Suspended;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The conditions that select the instances of a list.
 *
 * @param labels every one must match
 * @param suspended which of the suspended ones; absent for suspended and other instances alike
 * @param begun when they began; absent for any time
 * @param after the last instance of the page before
 */
public record InstanceQuery(
    @Nullable Status status,
    @Nullable String definition,
    @Nullable String businessKey,
    @Nullable String correlationId,
    Map<String, String> labels,
    @Nullable Suspended suspended,
    @Nullable Period begun,
    @Nullable InstanceId after,
    int limit) {

  public static final InstanceQuery ALL =
      new InstanceQuery(null, null, null, null, Map.of(), null, null, null, 50);

  public InstanceQuery {
    given("labels", labels);
    Limits.optionalName("a definition's key", definition);
    Limits.optionalName("a business key", businessKey);
    Limits.optionalName("a correlation id", correlationId);
    labels = Map.copyOf(labels);
    labels.forEach(
        (name, value) -> {
          Limits.name("a label's name", name);
          Limits.name("a label's value", value);
        });
  }

  public InstanceQuery withStatus(Status wanted) {
    given("wanted", wanted);
    return new InstanceQuery(
        wanted, definition, businessKey, correlationId, labels, suspended, begun, after, limit);
  }

  public InstanceQuery withDefinition(String key) {
    given("key", key);
    return new InstanceQuery(
        status, key, businessKey, correlationId, labels, suspended, begun, after, limit);
  }

  public InstanceQuery withBusinessKey(String key) {
    given("key", key);
    return new InstanceQuery(
        status, definition, key, correlationId, labels, suspended, begun, after, limit);
  }

  public InstanceQuery withCorrelationId(String id) {
    given("id", id);
    return new InstanceQuery(
        status, definition, businessKey, id, labels, suspended, begun, after, limit);
  }

  public InstanceQuery withLabel(String name, String value) {
    given("name, value", name, value);
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(name, value);
    return new InstanceQuery(
        status, definition, businessKey, correlationId, more, suspended, begun, after, limit);
  }

  /**
   * Only instances with a parked visit, which waits for an operator; an operator may hold them as
   * well.
   */
  public InstanceQuery parked() {
    return with(new Suspended(true, null, null));
  }

  /** Only instances in which this activity failed and its visit is parked. */
  public InstanceQuery parkedAt(String activity) {
    given("activity", activity);
    return with(new Suspended(true, activity, suspended == null ? null : suspended.error()));
  }

  /** Only instances with a visit that failed with this code and is parked. */
  public InstanceQuery parkedWith(String error) {
    given("error", error);
    return with(new Suspended(true, suspended == null ? null : suspended.activity(), error));
  }

  /** Only instances that an operator holds and that have no parked visit. */
  public InstanceQuery held() {
    return with(new Suspended(false, null, null));
  }

  /**
   * Only instances that began at one moment or later, and before another.
   *
   * @param from absent for no lower bound
   * @param to absent for no upper bound
   */
  public InstanceQuery begunBetween(@Nullable Instant from, @Nullable Instant to) {
    return new InstanceQuery(
        status,
        definition,
        businessKey,
        correlationId,
        labels,
        suspended,
        new Period(
            from == null ? null : Limits.within(from), to == null ? null : Limits.within(to)),
        after,
        limit);
  }

  private InstanceQuery with(Suspended which) {
    return new InstanceQuery(
        status, definition, businessKey, correlationId, labels, which, begun, after, limit);
  }

  public InstanceQuery page(@Nullable InstanceId last, int size) {
    return new InstanceQuery(
        status, definition, businessKey, correlationId, labels, suspended, begun, last, size);
  }
}
