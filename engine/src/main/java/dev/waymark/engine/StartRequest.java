package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The run to start.
 *
 * @param version which version of the definition; absent, the newest
 * @param businessKey unique among live instances of the tenant
 * @param labels to find it by
 */
public record StartRequest(
    String definition,
    @Nullable Integer version,
    Map<String, @Nullable Object> input,
    @Nullable String businessKey,
    @Nullable String correlationId,
    Map<String, String> labels) {

  public StartRequest {
    given("definition, input, labels", definition, input, labels);
    Limits.name("a definition's key", definition);
    input = Json.given(input);
    labels = Map.copyOf(labels);
  }

  public static StartRequest of(String definition) {
    given("definition", definition);
    return new StartRequest(definition, null, Map.of(), null, null, Map.of());
  }

  public StartRequest input(Map<String, ? extends @Nullable Object> values) {
    given("values", values);
    return new StartRequest(
        definition, version, Json.given(values), businessKey, correlationId, labels);
  }

  public StartRequest version(int number) {
    return new StartRequest(definition, number, input, businessKey, correlationId, labels);
  }

  public StartRequest businessKey(String key) {
    given("key", key);
    return new StartRequest(definition, version, input, key, correlationId, labels);
  }

  public StartRequest correlationId(String id) {
    given("id", id);
    return new StartRequest(definition, version, input, businessKey, id, labels);
  }

  public StartRequest label(String name, String value) {
    given("name, value", name, value);
    Map<String, String> more = new LinkedHashMap<>(labels);
    more.put(name, value);
    return new StartRequest(definition, version, input, businessKey, correlationId, more);
  }

  /** The key whose bucket the run gets; absent if it may lie anywhere. */
  public @Nullable String routingKey() {
    return businessKey == null ? correlationId : businessKey;
  }
}
