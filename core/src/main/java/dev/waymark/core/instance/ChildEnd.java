package dev.waymark.core.instance;

import dev.waymark.core.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A child's report of its end to its parent: the payload of {@link Message#ended}.
 *
 * @param output the child's result, if it has completed
 * @param error why it has failed, if it has; a child that could not be started has failed with a
 *     fault of type {@code STARTUP}
 */
public record ChildEnd(
    Status status, @Nullable Map<String, @Nullable Object> output, @Nullable Fault error) {

  public ChildEnd {
    if (!status.isTerminal()
        || (status == Status.COMPLETED) != (output != null)
        || (status == Status.FAILED) != (error != null)) {
      throw new IllegalArgumentException(
          "Expected an output of a completed child and an error of a failed one, but got %s of %s"
              .formatted(output != null ? "an output" : error, status));
    }
  }

  public static ChildEnd completed(Map<String, @Nullable Object> output) {
    return new ChildEnd(Status.COMPLETED, output, null);
  }

  public static ChildEnd failed(Fault error) {
    return new ChildEnd(Status.FAILED, null, error);
  }

  public static ChildEnd cancelled() {
    return new ChildEnd(Status.CANCELLED, null, null);
  }

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("status", status.name());
    if (output != null) document.put("output", output);
    if (error != null) document.put("error", error.toDocument());
    return Json.objectOf(document);
  }

  public static ChildEnd fromDocument(Map<String, @Nullable Object> document) {
    Object output = document.get("output");
    Object error = document.get("error");
    return new ChildEnd(
        Status.valueOf(String.valueOf(document.get("status"))),
        output == null ? null : Json.object(output),
        error == null ? null : Fault.fromDocument(Json.object(error)));
  }
}
