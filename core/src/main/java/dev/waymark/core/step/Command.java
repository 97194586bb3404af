package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.NodeId;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A request to change one instance. Time and actor travel in it, because the core has neither a
 * clock nor a session.
 *
 * <p>The commands of a node about its own bodies are in {@link Attempt}.
 */
public sealed interface Command
    permits Attempt,
        Command.Start,
        Command.Resume,
        Command.Attend,
        Command.Fire,
        Command.Deliver,
        Command.Park,
        Command.Cancel,
        Command.Suspend,
        Command.Continue,
        Command.Intervene,
        Command.Edit,
        Command.Migrate {

  Meta meta();

  /**
   * The command's name as it is stored: the scope of a caller's command id in {@code wm_command}.
   * It stays when a record is renamed, or a command that a caller repeats would be carried out
   * twice.
   */
  default String word() {
    return switch (this) {
      case Start start -> Start.WORD;
      case Resume resume -> "resume";
      case Attend attend -> "attend";
      case Fire fire -> "fire";
      case Deliver deliver -> "deliver";
      case Park park -> "park";
      case Cancel cancel -> "cancel";
      case Suspend suspend -> "suspend";
      case Continue go -> "continue";
      case Intervene intervene -> "intervene";
      case Edit edit -> "edit";
      case Migrate migrate -> "migrate";
      case Attempt.Take take -> "take";
      case Attempt.Complete complete -> "complete";
      case Attempt.Await await -> "await";
      case Attempt.Fail fail -> "fail";
      case Attempt.Release release -> "release";
      case Attempt.Recover recover -> "recover";
    };
  }

  /**
   * The part that all commands have in common.
   *
   * @param id the command's name: its repeat is recognised by it, and derived ids depend on it
   * @param runner the node that may run what the step starts; absent, it is left ready for any node
   * @param fingerprint tells this request's body from another's with the same id; present exactly
   *     if the id came from outside and must be remembered
   * @param operators the people who look after runs, as the deciding engine is configured
   */
  record Meta(
      String id,
      Actor actor,
      Instant at,
      @Nullable NodeId runner,
      @Nullable String traceParent,
      @Nullable String fingerprint,
      Operators operators) {

    public Meta {
      Limits.name("a command id", id);
      requireNonNull(actor, "actor");
      requireNonNull(at, "at");
      requireNonNull(operators, "operators");
    }

    /** With the operators that there are unless an engine says otherwise. */
    public Meta(
        String id,
        Actor actor,
        Instant at,
        @Nullable NodeId runner,
        @Nullable String traceParent,
        @Nullable String fingerprint) {
      this(id, actor, at, runner, traceParent, fingerprint, Operators.DEFAULT);
    }

    /** The same command at a moment, on a node of an engine with these operators. */
    public Meta at(Instant moment, @Nullable NodeId newRunner, Operators given) {
      return new Meta(id, actor, moment, newRunner, traceParent, fingerprint, given);
    }
  }

  /** The same command at another moment or on another node: what deciding again needs. */
  Command with(Meta meta);

  /**
   * The beginning of a run.
   *
   * @param request the stored message that asks for it; absent if a caller starts it
   */
  record Start(
      Meta meta,
      InstanceId instance,
      Map<String, @Nullable Object> input,
      @Nullable String businessKey,
      @Nullable String correlationId,
      Map<String, String> labels,
      @Nullable Request request)
      implements Command {

    /** The word of a start, for code that asks whether a start was carried out. */
    public static final String WORD = "start";

    /**
     * A parent's wish for a child, or a correlated message that a definition starts on: the start
     * step spends the message, so it is granted once.
     *
     * @param parent absent if the message comes from outside
     */
    public record Request(Instance.Origin.@Nullable Parent parent, Message message) {

      public Request {
        boolean fits =
            parent == null ? message.correlation() != null : message.name().equals(Message.START);
        if (!fits) {
          throw new IllegalArgumentException(
              "Expected %s, but got '%s'"
                  .formatted(
                      parent == null ? "a correlated message" : "a message '" + Message.START + "'",
                      message.name()));
        }
      }

      /** The request of a message from outside. */
      public static Request of(Message message) {
        return new Request(null, message);
      }
    }

    public Start {
      if (businessKey != null) {
        Limits.name("a business key", businessKey);
      }
      if (correlationId != null) {
        Limits.name("a correlation id", correlationId);
      }
      if (labels.size() > Limits.LABELS) {
        throw new IllegalArgumentException(
            "Expected at most %d labels, but got %d".formatted(Limits.LABELS, labels.size()));
      }
      labels.forEach(
          (name, value) -> {
            Limits.name("a label's name", name);
            Limits.name("a label's value", value);
          });
    }

    /** A start that a caller asks for. */
    public Start(
        Meta meta,
        InstanceId instance,
        Map<String, @Nullable Object> input,
        @Nullable String businessKey,
        @Nullable String correlationId,
        Map<String, String> labels) {
      this(meta, instance, input, businessKey, correlationId, labels, null);
    }

    @Override
    public Start with(Meta newMeta) {
      return new Start(newMeta, instance, input, businessKey, correlationId, labels, request);
    }
  }

  /**
   * A caller's answer to a wait.
   *
   * @param fence the lease's fence, or absent where no live lease stands in the way
   * @param standsFor the people for whom the actor may speak now, as a directory said before
   */
  record Resume(
      Meta meta,
      BookmarkId bookmark,
      @Nullable Long fence,
      Map<String, @Nullable Object> payload,
      Set<String> standsFor)
      implements Command {

    public Resume {
      standsFor = Set.copyOf(standsFor);
    }

    public Resume(
        Meta meta,
        BookmarkId bookmark,
        @Nullable Long fence,
        Map<String, @Nullable Object> payload) {
      this(meta, bookmark, fence, payload, Set.of());
    }

    @Override
    public Resume with(Meta newMeta) {
      return new Resume(newMeta, bookmark, fence, payload, standsFor);
    }
  }

  /**
   * An action on a task or an approval that does not answer it.
   *
   * @param standsFor the people for whom the actor may act now, as a directory said before
   */
  record Attend(Meta meta, BookmarkId bookmark, TaskAction act, Set<String> standsFor)
      implements Command {

    public Attend {
      standsFor = Set.copyOf(standsFor);
    }

    public Attend(Meta meta, BookmarkId bookmark, TaskAction act) {
      this(meta, bookmark, act, Set.of());
    }

    @Override
    public Attend with(Meta newMeta) {
      return new Attend(newMeta, bookmark, act, standsFor);
    }
  }

  /**
   * A moment that has come: a timer is due, a wait has expired, or an intervention goes to a higher
   * level.
   */
  record Fire(Meta meta, BookmarkId bookmark) implements Command {

    @Override
    public Fire with(Meta newMeta) {
      return new Fire(newMeta, bookmark);
    }
  }

  /**
   * A command of the engine's own that cannot be decided, or whose step cannot be stored.
   *
   * @param culprit the command; the visit that it is about is parked
   */
  record Park(Meta meta, Command culprit, Fault fault) implements Command {

    public Park {
      requireNonNull(culprit, "culprit");
      requireNonNull(fault, "fault");
    }

    @Override
    public Park with(Meta newMeta) {
      return new Park(newMeta, culprit, fault);
    }
  }

  /** A message from the inbox. */
  record Deliver(Meta meta, Message message) implements Command {

    @Override
    public Deliver with(Meta newMeta) {
      return new Deliver(newMeta, message);
    }
  }

  /**
   * Ends a run.
   *
   * @param compensate whether its completed activities are undone first
   */
  record Cancel(Meta meta, String reason, boolean compensate) implements Command {

    public Cancel {
      Limits.comment("a reason", reason);
    }

    @Override
    public Cancel with(Meta newMeta) {
      return new Cancel(newMeta, reason, compensate);
    }
  }

  /** An operator's suspension: nothing new starts until it is lifted. */
  record Suspend(Meta meta, String reason) implements Command {

    public Suspend {
      Limits.comment("a reason", reason);
    }

    @Override
    public Suspend with(Meta newMeta) {
      return new Suspend(newMeta, reason);
    }
  }

  record Continue(Meta meta, String reason) implements Command {

    public Continue {
      Limits.comment("a reason", reason);
    }

    @Override
    public Continue with(Meta newMeta) {
      return new Continue(newMeta, reason);
    }
  }

  /**
   * An operator's answer to an intervention.
   *
   * @param fence of the operator's claim; absent if the intervention is not claimed
   * @param values the result of a skipped activity, or the variables to set before a retry
   */
  record Intervene(
      Meta meta,
      BookmarkId bookmark,
      @Nullable Long fence,
      InterventionAction action,
      Map<String, @Nullable Object> values,
      String reason)
      implements Command {

    public Intervene {
      Limits.comment("a reason", reason);
    }

    public Intervene(
        Meta meta,
        BookmarkId bookmark,
        InterventionAction action,
        Map<String, @Nullable Object> values,
        String reason) {
      this(meta, bookmark, null, action, values, reason);
    }

    @Override
    public Intervene with(Meta newMeta) {
      return new Intervene(newMeta, bookmark, fence, action, values, reason);
    }
  }

  /** An operator's hand in a run that nothing else moves as it should. */
  record Edit(Meta meta, Correction correction, String reason) implements Command {

    public Edit {
      Limits.comment("a reason", reason);
    }

    @Override
    public Edit with(Meta newMeta) {
      return new Edit(newMeta, correction, reason);
    }
  }

  /**
   * Puts a run onto another version of its definition.
   *
   * @param from the version that the plan is for; a run that is on another one stays there
   */
  record Migrate(Meta meta, Definition from, Definition to, MigrationPlan plan) implements Command {

    @Override
    public Migrate with(Meta newMeta) {
      return new Migrate(newMeta, from, to, plan);
    }
  }
}
