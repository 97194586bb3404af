package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.BookmarkKind;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code wait}: stands still at one bookmark until it is resumed; the answer is its output.
 *
 * <p>{@code for} says whom it waits for ({@code user-action}, {@code external-message}, {@code
 * approval}), {@code key} under which name, {@code payload} what they are shown.
 */
final class WaitKind implements Kind {

  private static final List<String> KINDS = List.of("user-action", "external-message", "approval");

  @Override
  public String name() {
    return "wait";
  }

  @Override
  public boolean waits() {
    return true;
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    With.onlyKeys(with, faults, "for", "key", "payload");
    Object kind = with.getOrDefault("for", "user-action");
    if (!(kind instanceof String) || !KINDS.contains(kind)) {
      faults.add("for", "one of " + KINDS, Faults.shown(kind));
    }
    Object payload = with.getOrDefault("payload", Map.of());
    if (!(payload instanceof Map) && !With.isExpression(payload)) {
      faults.add("payload", "an object", Faults.shown(payload));
    }
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    String kind = With.text(input, "for", "user-action").toUpperCase(Locale.ROOT).replace('-', '_');
    Command.Wait wait;
    try {
      wait =
          new Command.Wait(
              BookmarkKind.valueOf(kind),
              With.text(input, "key", visit.activity()),
              payload(input.getOrDefault("payload", Map.of())),
              null);
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.await(visit, List.of(wait));
  }

  @SuppressWarnings("unchecked") // every map in a JSON value has string keys
  private static Map<String, @Nullable Object> payload(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    throw new IllegalArgumentException(
        "Expected an object as payload, but got " + Faults.shown(value));
  }
}
