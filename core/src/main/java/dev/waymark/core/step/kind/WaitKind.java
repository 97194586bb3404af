package dev.waymark.core.step.kind;

import dev.waymark.core.definition.schema.Shape;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.walk.Kind;
import dev.waymark.core.step.walk.Walk;
import dev.waymark.core.step.walk.WithReader;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code wait}: stands still at one bookmark until it is resumed; the answer is its output.
 *
 * <p>{@code for} is the kind of the answer that it waits for ({@code user-action}, {@code
 * external-message}, {@code approval}, {@code signal}, {@code webhook}), {@code key} is the name of
 * the wait, {@code payload} the data for those who answer, {@code correlate} the key that a message
 * must name if it does not know this run's id, and {@code expires} the time after which no answer
 * is accepted. A wait that expires goes on with {@code Output.expired}.
 */
final class WaitKind implements Kind {

  static final Shape FOR =
      Shape.oneOf("user-action", "external-message", "approval", "signal", "webhook");

  static final Shape EXPIRES =
      Shape.duration()
          .orNull()
          .describe("When nobody may answer any more; the activity goes on, expired.");

  static final Shape CORRELATE =
      Shape.anything().describe("What a message must name to be for this run; text or a number.");

  private static final Map<String, @Nullable Object> SCHEMA =
      Shape.object()
          .field("for", FOR.describe("Whom it waits for; default user-action."))
          .field("key", Shape.word().orNull().describe("Under which name; default its id."))
          .field("payload", Shape.open().orNull().describe("What they are shown."))
          .field("correlate", CORRELATE)
          .field("expires", EXPIRES)
          .document();

  @Override
  public String name() {
    return "wait";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public Map<String, @Nullable Object> schema() {
    return SCHEMA;
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Wait wait;
    try {
      wait = expiring(wait(walk.input(visit), visit.activity()), walk.input(visit), walk.at());
    } catch (IllegalArgumentException | DateTimeException | ArithmeticException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.await(visit, List.of(wait));
  }

  static Wait expiring(Wait wait, Map<String, @Nullable Object> input, Instant now) {
    return input.get("expires") == null
        ? wait
        : wait.expires(now.plus(WithReader.duration(input.get("expires"))));
  }

  static Wait wait(Map<String, @Nullable Object> input, String otherwise) {
    String kind = WithReader.text(input, "for", "user-action");
    String key = WithReader.text(input, "key", otherwise);
    Map<String, @Nullable Object> payload = WithReader.object(input, "payload");
    if (input.get("correlate") != null && !kind.equals("external-message")) {
      throw new IllegalArgumentException(
          "Expected 'correlate' only beside 'for: external-message', but it waits for " + kind);
    }
    return switch (kind) {
      case "signal" -> new Wait(BookmarkKind.EXTERNAL_MESSAGE, Message.signal(key), payload, null);
      case "webhook" ->
          new Wait(BookmarkKind.EXTERNAL_MESSAGE, Message.hook(key), shown(payload), null);
      case "external-message" ->
          new Wait(
              BookmarkKind.EXTERNAL_MESSAGE,
              Message.given(key),
              payload,
              null,
              WithReader.correlation(input.get("correlate")));
      default ->
          new Wait(
              BookmarkKind.valueOf(kind.toUpperCase(Locale.ROOT).replace('-', '_')),
              key,
              payload,
              null);
    };
  }

  private static Map<String, @Nullable Object> shown(Map<String, @Nullable Object> payload) {
    if (payload.containsKey(StatusUpdate.FIELD)) {
      throw new IllegalArgumentException(
          "Expected a payload without '%s', which is the partner's, but got one"
              .formatted(StatusUpdate.FIELD));
    }
    return payload;
  }
}
