package dev.waymark.proof.program;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What an activity or a run does about something that happens while it is alive.
 *
 * @param to where it goes; absent, the run fails
 * @param output what it puts into the variables; absent, the payload of a message or signal
 */
public record Reaction(
    Trigger trigger,
    @Nullable String to,
    boolean interrupt,
    boolean compensate,
    @Nullable Map<String, Term> output) {

  /** What it reacts to. */
  public sealed interface Trigger {}

  /**
   * A fault inside.
   *
   * @param code absent, every error
   */
  public record OnError(@Nullable String code) implements Trigger {}

  public record OnTimeout(long seconds) implements Trigger {}

  /**
   * A message of that name.
   *
   * @param payload what the script sends
   */
  public record OnMessage(String name, Map<String, Object> payload) implements Trigger {}

  /**
   * A signal of that name.
   *
   * @param payload what the script sends
   */
  public record OnSignal(String name, Map<String, Object> payload) implements Trigger {}

  boolean takes(String error) {
    return trigger instanceof OnError wanted
        && (wanted.code() == null || wanted.code().equals(error));
  }
}
