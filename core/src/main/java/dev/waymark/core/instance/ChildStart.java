package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A parent's request for a child: the payload of {@link Message#START}.
 *
 * @param version which version of the definition; absent, the one that is active when it starts
 */
public record ChildStart(
    String definition,
    @Nullable Integer version,
    Map<String, @Nullable Object> input,
    @Nullable String businessKey,
    @Nullable String correlationId,
    @Nullable String traceParent,
    Instance.Origin.Parent parent) {

  public ChildStart {
    Limits.name("a definition's key", definition);
    requireNonNull(input, "input");
    requireNonNull(parent, "parent");
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("definition", definition);
    if (version != null) document.put("version", version.longValue());
    document.put("input", input);
    if (businessKey != null) document.put("businessKey", businessKey);
    if (correlationId != null) document.put("correlationId", correlationId);
    if (traceParent != null) document.put("traceParent", traceParent);
    document.put(
        "parent",
        Map.of(
            "instance", parent.instance().toString(),
            "visit", parent.visit(),
            "reports", parent.reports(),
            "depth", (long) parent.depth()));
    return Json.objectOf(document);
  }

  public static ChildStart fromDocument(Map<String, @Nullable Object> document) {
    Map<String, @Nullable Object> parent = object(document, "parent");
    return new ChildStart(
        String.valueOf(document.get("definition")),
        document.get("version") instanceof Number version ? version.intValue() : null,
        object(document, "input"),
        text(document, "businessKey"),
        text(document, "correlationId"),
        text(document, "traceParent"),
        new Instance.Origin.Parent(
            InstanceId.parse(String.valueOf(parent.get("instance"))),
            parent.get("visit") instanceof Number visit ? visit.longValue() : 0,
            Boolean.TRUE.equals(parent.get("reports")),
            parent.get("depth") instanceof Number depth ? depth.intValue() : 1));
  }

  private static @Nullable String text(Map<String, @Nullable Object> document, String name) {
    Object value = document.get(name);
    return value == null ? null : String.valueOf(value);
  }

  private static Map<String, @Nullable Object> object(
      Map<String, @Nullable Object> document, String name) {
    if (document.get(name) instanceof Map<?, ?> map) {
      return Json.object(map);
    }
    throw new IllegalArgumentException(
        "Expected an object as '%s', but got %s".formatted(name, document.get(name)));
  }
}
