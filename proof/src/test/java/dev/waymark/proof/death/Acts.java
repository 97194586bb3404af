package dev.waymark.proof.death;

import dev.waymark.engine.Caller;
import dev.waymark.engine.message.Messages;
import dev.waymark.proof.death.Drill.Act;
import java.time.Duration;
import java.util.Map;

/** What comes from outside in the scenes of a {@link Drill}. */
public final class Acts {

  /** Past every timer that a scene sets. */
  public static final Act HOURS = pass(Duration.ofHours(3));

  private Acts() {}

  static Act answer(String key) {
    return answer(key, Map.of());
  }

  static Act answer(String key, Map<String, Object> payload) {
    return (drill, name) -> drill.resume(key, payload, name);
  }

  static Act vote(String who, String outcome) {
    return (drill, name) -> drill.resume(who, "spend", Map.of("outcome", outcome), name);
  }

  static Act send(String message) {
    return (drill, name) -> drill.send(message, name);
  }

  static Act signal(String signal) {
    return (drill, name) ->
        drill
            .in()
            .messages()
            .signal(signal, Map.of("by", "signal"), "test", name, Caller.of("anna"));
  }

  static Act correlate(String key) {
    return (drill, name) ->
        drill
            .in()
            .messages()
            .correlate(
                Messages.Correlated.of("placed", key, Map.of("by", key), "test", name),
                Caller.of("anna"));
  }

  static Act pass(Duration time) {
    return (drill, name) -> drill.pass(time);
  }

  static Act attend(String who, String key, dev.waymark.core.step.TaskAction act) {
    return (drill, name) -> drill.attend(who, key, act, name);
  }
}
