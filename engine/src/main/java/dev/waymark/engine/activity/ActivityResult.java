package dev.waymark.engine.activity;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The end of a body: a result, something to wait for, or a failure. */
public sealed interface ActivityResult {

  Effects effects();

  record Completed(Map<String, @Nullable Object> output, Effects effects)
      implements ActivityResult {

    public Completed {
      output = Json.given(output);
      refuseOwnNames(effects);
    }
  }

  /**
   * The body wants to wait.
   *
   * @param output written into the variables at once, so that others see the reason for the wait
   */
  record Suspended(List<Wait> waits, Map<String, @Nullable Object> output, Effects effects)
      implements ActivityResult {

    public Suspended {
      waits = List.copyOf(waits);
      output = Json.given(output);
      refuseOwnNames(effects);
      for (Wait wait : waits) {
        if (wait.kind() == BookmarkKind.EXTERNAL_MESSAGE && !Message.isSignal(wait.key())) {
          var unused = Message.given(wait.key());
        }
      }
    }
  }

  record Failed(Fault fault) implements ActivityResult {

    @Override
    public Effects effects() {
      return Effects.NONE;
    }
  }

  static Completed completed() {
    return completed(Map.of());
  }

  static Completed completed(Map<String, ? extends @Nullable Object> output) {
    return new Completed(Json.given(output), Effects.NONE);
  }

  static Suspended suspended(Wait... waits) {
    given("waits", (Object) waits);
    return new Suspended(List.of(waits), Map.of(), Effects.NONE);
  }

  /**
   * A failure that trying again may heal.
   *
   * @param message absent if there is nothing to say, as with many an exception
   */
  static Failed failed(String code, @Nullable String message) {
    return new Failed(new Fault(Fault.Type.ACTIVITY, code, message == null ? "" : message, true));
  }

  /**
   * A failure that trying again cannot heal: a person must look at once.
   *
   * @param message absent if there is nothing to say
   */
  static Failed failedForGood(String code, @Nullable String message) {
    return new Failed(new Fault(Fault.Type.ACTIVITY, code, message == null ? "" : message, false));
  }

  static Wait userAction(String key, Map<String, ? extends @Nullable Object> payload) {
    return new Wait(BookmarkKind.USER_ACTION, key, Json.given(payload), null);
  }

  static Wait approval(String key, Map<String, ? extends @Nullable Object> payload) {
    return new Wait(BookmarkKind.APPROVAL, key, Json.given(payload), null);
  }

  static Wait message(String name) {
    return new Wait(BookmarkKind.EXTERNAL_MESSAGE, name, Map.of(), null);
  }

  /** A wait for the next signal of that name. */
  static Wait signal(String name) {
    return new Wait(BookmarkKind.EXTERNAL_MESSAGE, Message.signal(name), Map.of(), null);
  }

  static Wait timer(String key, Instant due) {
    return new Wait(BookmarkKind.TIMER, key, Map.of(), due);
  }

  /** The same result, publishing an event besides. */
  default ActivityResult emitting(String type, Map<String, ? extends @Nullable Object> data) {
    List<Emission> events = new ArrayList<>(effects().events());
    events.add(new Emission(type, Json.given(data)));
    return with(new Effects(events, effects().messages()));
  }

  /** The same result, sending a message to another instance besides. */
  default ActivityResult sending(
      InstanceId to, String name, Map<String, ? extends @Nullable Object> payload) {
    List<Send> messages = new ArrayList<>(effects().messages());
    messages.add(new Send(to, name, Json.given(payload)));
    return with(new Effects(effects().events(), messages));
  }

  /** The same result, and this signal for all instances that wait for it now. */
  default ActivityResult signalling(String name, Map<String, ? extends @Nullable Object> payload) {
    List<Send> messages = new ArrayList<>(effects().messages());
    messages.add(Send.signal(name, Json.given(payload)));
    return with(new Effects(effects().events(), messages));
  }

  /** A body that could name the engine's own messages could cancel or start runs of others. */
  private static void refuseOwnNames(Effects effects) {
    for (Send message : effects.messages()) {
      if (message.to() != null) {
        var unused = Message.given(message.name());
      }
    }
  }

  private ActivityResult with(Effects effects) {
    return switch (this) {
      case Completed completed -> new Completed(completed.output(), effects);
      case Suspended suspended -> new Suspended(suspended.waits(), suspended.output(), effects);
      case Failed failed ->
          throw new IllegalStateException("Expected no effects of a failure, but got " + effects);
    };
  }
}
