package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A failure, classified by type and code and never by the words of a message.
 *
 * @param code a stable word for programs: an error code that the activity chose, or the simple name
 *     of the exception class
 * @param trace the place in user code where it was thrown, with its causes; absent where nothing
 *     was thrown. It is for people who look for the fault: expressions do not see it.
 */
public record Fault(
    Type type, String code, String message, boolean retryable, @Nullable String trace) {

  /** In which part of life the fault happened. */
  public enum Type {
    STARTUP,
    ACTIVITY,
    EXTERNAL_CALL,
    RESUME
  }

  public static final String TIMEOUT = "TIMEOUT";
  public static final String CRASHED = "CRASHED";
  public static final String EXPRESSION = "EXPRESSION";
  public static final String NO_MATCH = "NO_MATCH";
  public static final String TOO_MANY_VISITS = "TOO_MANY_VISITS";
  public static final String BAD_INPUT = "BAD_INPUT";
  public static final String TOO_DEEP = "TOO_DEEP";
  public static final String GUARD = "GUARD";
  public static final String CHILD_CANCELLED = "CHILD_CANCELLED";
  public static final String NO_APPROVER = "NO_APPROVER";
  public static final String NO_ASSIGNEE = "NO_ASSIGNEE";

  /** A body's result refers to a payload that is not stored. */
  public static final String PAYLOAD_MISSING = "PAYLOAD_MISSING";

  /** The step that would follow cannot be decided, or its rows cannot be stored. */
  public static final String NOT_STORABLE = "NOT_STORABLE";

  public Fault {
    requireNonNull(type, "type");
    Limits.name("an error code", code);
    message = Limits.shortened(message, Limits.ERROR_CHARS);
    trace = trace == null ? null : Limits.shortened(trace, Limits.TRACE_CHARS);
  }

  public Fault(Type type, String code, String message, boolean retryable) {
    this(type, code, message, retryable, null);
  }

  /** A fault that trying again cannot heal: the definition or its data must change first. */
  public static Fault permanent(String code, String message) {
    return new Fault(Type.ACTIVITY, code, message, false);
  }

  /** All of it, as it is stored. */
  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = summary();
    if (trace != null) {
      document.put("trace", trace);
    }
    return document;
  }

  /** The part that expressions see. */
  public Map<String, @Nullable Object> summary() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("type", type.name());
    document.put("code", code);
    document.put("message", message);
    if (!retryable) {
      document.put("permanent", true);
    }
    return document;
  }

  public static Fault fromDocument(Map<String, @Nullable Object> document) {
    return new Fault(
        Type.valueOf(String.valueOf(document.get("type"))),
        String.valueOf(document.get("code")),
        String.valueOf(document.get("message")),
        !Boolean.TRUE.equals(document.get("permanent")),
        document.get("trace") instanceof String trace ? trace : null);
  }
}
