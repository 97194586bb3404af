package dev.waymark.engine.activity;

import dev.waymark.core.Json;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.payload.TenantPayloads;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The facts that a body is given about the run and the visit that it belongs to.
 *
 * @param variables the run's variables when the body was let start
 * @param input the activity's evaluated {@code with}
 * @param idempotencyKey the same for every attempt of this visit: give it to whatever must not be
 *     done twice
 * @param deadline when the body is interrupted and the attempt counts as failed
 * @param payloads the payloads of the run's tenant
 */
public record ActivityContext(
    InstanceId instance,
    String tenant,
    String activity,
    long visit,
    int attempt,
    Map<String, @Nullable Object> variables,
    Map<String, @Nullable Object> input,
    @Nullable String businessKey,
    @Nullable String correlationId,
    String idempotencyKey,
    Instant now,
    Instant deadline,
    @Nullable String traceParent,
    TenantPayloads payloads) {

  /** A variable as a type of yours; a missing one is an error that names what there is. */
  public <T> T variable(String name, Class<T> type) {
    if (!variables.containsKey(name)) {
      throw new IllegalArgumentException(
          "Expected variable '%s', but there are only %s".formatted(name, variables.keySet()));
    }
    return converted("Variable", name, variables.get(name), type);
  }

  public <T> T variable(String name, Class<T> type, T otherwise) {
    return variables.get(name) == null
        ? otherwise
        : converted("Variable", name, variables.get(name), type);
  }

  /** An input as a type of yours; a missing one is an error that names what there is. */
  public <T> T input(String name, Class<T> type) {
    if (!input.containsKey(name)) {
      throw new IllegalArgumentException(
          "Expected input '%s', but there are only %s".formatted(name, input.keySet()));
    }
    return converted("Input", name, input.get(name), type);
  }

  public <T> T input(String name, Class<T> type, T otherwise) {
    return input.get(name) == null ? otherwise : converted("Input", name, input.get(name), type);
  }

  private static <T> T converted(String what, String name, @Nullable Object value, Class<T> type) {
    try {
      return Json.convert(value, type);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("%s '%s': %s".formatted(what, name, e.getMessage()), e);
    }
  }
}
