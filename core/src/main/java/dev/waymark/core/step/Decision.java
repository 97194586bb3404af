package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.InputSchema.Violation;
import java.util.List;

/** What becomes of a command: a step to commit, nothing because it is done, or a refusal. */
public sealed interface Decision permits Step, Decision.NoChange, Decision.Rejection {

  /**
   * A safe repeat: what was asked for has already happened, or no longer matters.
   *
   * @param version the instance's version in which it happened, or its current one
   */
  record NoChange(String reason, long version) implements Decision {}

  /** A refusal: "Expected …, but …". A value, because nobody has done anything wrong in code. */
  record Rejection(Code code, String message, List<Violation> violations) implements Decision {

    public enum Code {
      NOT_FOUND,
      BAD_INPUT,
      KEY_TAKEN,
      COMMAND_REUSED,
      ALREADY_CLOSED,
      STALE_FENCE,
      LEASED,
      NOT_DUE,
      SUPERSEDED,
      SUSPENDED,
      ENDED,
      WRONG_STATE,
      GUARD,
      NOT_YOURS,
      EXPIRED,
      NO_EXTENSIONS,
      CANNOT_MIGRATE
    }

    public Rejection {
      message = Limits.shortened(message, Limits.REFUSAL_CHARS);
      requireNonNull(code, "code");
      violations = List.copyOf(violations);
    }

    static Rejection of(Code code, String message) {
      return new Rejection(code, message, List.of());
    }
  }
}
