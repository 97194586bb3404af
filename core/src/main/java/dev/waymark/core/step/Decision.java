package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The outcome of a command: a step to commit, nothing because it is done, or a refusal. */
public sealed interface Decision permits Step, Decision.NoChange, Decision.Rejection {

  /**
   * A safe repeat: the command has been carried out already, or no longer matters.
   *
   * @param version the instance's version in which it happened, or its current one
   */
  record NoChange(String reason, long version) implements Decision {}

  /** A refusal: "Expected …, but …". A value, because no code did anything wrong. */
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
      CANNOT_MIGRATE,
      PAYLOAD_MISSING
    }

    public Rejection {
      message = Limits.shortened(message, Limits.REFUSAL_CHARS);
      requireNonNull(code, "code");
      violations = List.copyOf(violations);
    }

    public static Rejection of(Code code, String message) {
      return new Rejection(code, message, List.of());
    }

    // ---- refusals that more than one place has to give, with the same text

    /** A bookmark that is no longer open: says who closed it, and when. */
    public static Rejection alreadyClosed(Bookmark bookmark) {
      Bookmark.Closing closing = requireNonNull(bookmark.closing(), "closing");
      return of(
          Code.ALREADY_CLOSED,
          "Expected bookmark '%s' to be open, but it was %s by %s at %s"
              .formatted(
                  bookmark.key(),
                  closing.end().name().toLowerCase(Locale.ROOT),
                  closing.by(),
                  closing.at()));
    }

    /**
     * A claim that has ended since. The text contains no fence: only the holder may know the
     * current one.
     *
     * @param current the claim that counts now; absent if there is none
     */
    public static Rejection staleFence(Bookmark bookmark, @Nullable Lease current) {
      return of(
          Code.STALE_FENCE,
          "Expected a claim on bookmark '%s' that is still yours, but %s"
              .formatted(
                  bookmark.key(),
                  current == null ? "it was given back" : current.holder() + " claimed it since"));
    }

    /** A bookmark that another holder has claimed. */
    public static Rejection leased(Bookmark bookmark, Lease lease) {
      return leased("bookmark '%s'".formatted(bookmark.key()), lease, "");
    }

    /** A bookmark that a worker of the same actor has claimed, to an answer without a fence. */
    public static Rejection leasedWithFence(Bookmark bookmark, Lease lease) {
      return leased(
          "bookmark '%s'".formatted(bookmark.key()),
          lease,
          ": say the fence of your claim, or give it back first");
    }

    /**
     * The refusal of an act that would give a task to another person while a third one has claimed
     * it.
     */
    public static Rejection taskLeased(Bookmark task, Lease lease) {
      return leased("'%s'".formatted(task.key()), lease, "");
    }

    private static Rejection leased(String what, Lease lease, String advice) {
      return of(
          Code.LEASED,
          "Expected %s to be free, but %s holds it until %s%s"
              .formatted(what, lease.holder(), lease.until(), advice));
    }

    /** The refusal of an actor who is not among the candidates of a bookmark. */
    public static Rejection notYours(Bookmark bookmark, Actor actor) {
      return of(Code.NOT_YOURS, bookmark.terms().candidates().whyNot(actor.id(), bookmark.key()));
    }

    /** A business key that a live instance of the tenant has. */
    public static Rejection keyTaken(String businessKey, InstanceId holder) {
      return of(
          Code.KEY_TAKEN,
          "Expected business key '%s' to be free, but instance %s has it"
              .formatted(businessKey, holder));
    }
  }
}
