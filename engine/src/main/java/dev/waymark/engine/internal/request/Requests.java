package dev.waymark.engine.internal.request;

import dev.waymark.core.Ids;
import dev.waymark.core.Json;
import dev.waymark.core.approval.Outcome;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.TaskAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.payload.PayloadDoor;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.spi.IdSource;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Turns what callers ask for into commands, with names that make repeating them safe. */
public final class Requests {

  /** The prefix of the engine's own names, the same as that of its messages. */
  private static final String OWN = "$";

  private final IdSource ids;
  private final ThisNode node;
  private final DeployedDefinitions definitions;
  private final PayloadDoor payloads;
  private final boolean own;

  public Requests(
      ThisNode node, DeployedDefinitions definitions, IdSource ids, PayloadDoor payloads) {
    this(node, definitions, ids, payloads, false);
  }

  private Requests(
      ThisNode node,
      DeployedDefinitions definitions,
      IdSource ids,
      PayloadDoor payloads,
      boolean own) {
    this.node = node;
    this.definitions = definitions;
    this.ids = ids;
    this.payloads = payloads;
    this.own = own;
  }

  /** The same for requests that the engine makes itself, under names that callers cannot give. */
  public Requests own() {
    return new Requests(node, definitions, ids, payloads, true);
  }

  /** The look at the payloads that a request names. */
  public PayloadDoor payloads() {
    return payloads;
  }

  public record Prepared(
      InstanceId instance, Command command, @Nullable Definition definition, Instant deadline) {

    /** The wait that it is about, if it is about one. */
    @Nullable BookmarkId bookmark() {
      return switch (command) {
        case Command.Resume resume -> resume.bookmark();
        case Command.Attend attend -> attend.bookmark();
        case Command.Intervene intervene -> intervene.bookmark();
        default -> null;
      };
    }

    /** The data that it brings in, which may refer to payloads; absent if it brings none. */
    @Nullable Object data() {
      return switch (command) {
        case Command.Start start -> start.input();
        case Command.Resume resume -> resume.payload();
        case Command.Intervene intervene -> intervene.values();
        case Command.Edit(var meta, Correction.SetVariables change, var reason) -> change.set();
        default -> null;
      };
    }

    public PendingCommand pending(Consumer<PendingCommand.Outcome> listener) {
      return new PendingCommand(command, definition, deadline, listener);
    }
  }

  /** A start that can be asked for, or the refusal of one that cannot. */
  sealed interface StartOrRefusal {
    record Of(Prepared prepared) implements StartOrRefusal {}

    record Not(Answer.Refused refused) implements StartOrRefusal {}
  }

  /** A definition that no run can begin on is a refusal like any other, and not an exception. */
  StartOrRefusal startOrRefuse(StartRequest request, Caller caller) {
    return prepared(request, caller, () -> startable(request, caller));
  }

  /** The same in a caller's transaction. */
  StartOrRefusal startOrRefuse(
      StartRequest request, Caller caller, DeployedDefinitions.JoinedRows rows) {
    return prepared(
        request,
        caller,
        () ->
            definitions.startable(
                caller.actor().tenant(), request.definition(), request.version(), rows));
  }

  private StartOrRefusal prepared(
      StartRequest request, Caller caller, Supplier<Definition> definition) {
    try {
      return new StartOrRefusal.Of(
          start(instanceFor(request, caller), definition.get(), request, caller));
    } catch (CommandRefused e) {
      return new StartOrRefusal.Not(
          new Answer.Refused(instanceFor(request, caller), e.rejection()));
    }
  }

  /** True if a start can be prepared without asking the store. */
  boolean knows(StartRequest request, Caller caller) {
    return request.version() == null
        && definitions.knowsNewest(caller.actor().tenant(), request.definition());
  }

  private InstanceId instanceFor(StartRequest request, Caller caller) {
    String commandId = caller.commandId();
    String tenant = caller.actor().tenant();
    return commandId == null
        ? new InstanceId(ids.next()).routedBy(tenant, request.routingKey())
        : named(tenant, commandId, request);
  }

  /** The instance that a start under this command id always gets. */
  public static InstanceId named(String tenant, String commandId, StartRequest request) {
    return InstanceId.derived(tenant, commandId).routedBy(tenant, request.routingKey());
  }

  /**
   * A start.
   *
   * @throws CommandRefused if there is no definition that it can begin on
   */
  Prepared start(StartRequest request, Caller caller) {
    return start(instanceFor(request, caller), request, caller);
  }

  /** The same for a run whose id is known. */
  public Prepared start(InstanceId instance, StartRequest request, Caller caller) {
    return start(instance, startable(request, caller), request, caller);
  }

  private Definition startable(StartRequest request, Caller caller) {
    return definitions.startable(caller.actor().tenant(), request.definition(), request.version());
  }

  private Prepared start(
      InstanceId instance, Definition definition, StartRequest request, Caller caller) {
    Command.Start start =
        new Command.Start(
            meta(caller, () -> document(request)),
            instance,
            request.input(),
            request.businessKey(),
            request.correlationId(),
            request.labels());
    return new Prepared(instance, start, definition, deadline(caller));
  }

  public Prepared resume(
      BookmarkId bookmark,
      @Nullable Long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    return resume(bookmark, fence, payload, Set.of(), caller);
  }

  /**
   * A person's answer to a task or an approval.
   *
   * @param standsFor the people for whom the caller may act now, as a directory says
   */
  public Prepared answer(
      BookmarkId bookmark,
      @Nullable Long fence,
      Map<String, ? extends @Nullable Object> payload,
      Set<String> standsFor,
      Caller caller) {
    return resume(bookmark, fence, payload, standsFor, caller);
  }

  private Prepared resume(
      BookmarkId bookmark,
      @Nullable Long fence,
      Map<String, ? extends @Nullable Object> payload,
      Set<String> standsFor,
      Caller caller) {
    Map<String, @Nullable Object> answer = Json.given(payload);
    Command.Meta meta =
        meta(
            caller,
            () -> Map.of("verb", "resume", "bookmark", bookmark.toString(), "answer", answer));
    return new Prepared(
        bookmark.instance(),
        new Command.Resume(meta, bookmark, fence, answer, standsFor),
        null,
        deadline(caller));
  }

  public Prepared attend(
      BookmarkId bookmark, TaskAction act, Set<String> standsFor, Caller caller) {
    return plain(
        bookmark.instance(),
        caller,
        meta -> new Command.Attend(meta, bookmark, act, standsFor),
        () ->
            Map.of(
                "verb",
                "attend",
                "bookmark",
                bookmark.toString(),
                "act",
                act.word(),
                "says",
                act.toDocument()));
  }

  /** A command on an instance; the body tells it from another one under the same name. */
  public Prepared plain(
      InstanceId instance,
      Caller caller,
      Function<Command.Meta, Command> command,
      RequestDocument body) {
    return new Prepared(instance, command.apply(meta(caller, body)), null, deadline(caller));
  }

  /**
   * The whole content of a request, as a document. It is made only for a request that has a name.
   */
  public interface RequestDocument {

    Map<String, @Nullable Object> document();

    /** A body that is a verb and its reason. */
    static RequestDocument of(String verb, String reason) {
      return () -> Map.of("verb", verb, "reason", reason);
    }
  }

  private static Map<String, @Nullable Object> document(StartRequest request) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("verb", "start");
    document.put("definition", request.definition());
    document.put("version", request.version());
    document.put("input", request.input());
    document.put("businessKey", request.businessKey());
    document.put("correlationId", request.correlationId());
    document.put("labels", request.labels());
    return document;
  }

  private Command.Meta meta(Caller caller, RequestDocument body) {
    String named = caller.commandId();
    if (named != null && named.startsWith(OWN) && !own) {
      throw new IllegalArgumentException(
          "Expected a command id that does not begin with %s, which marks the engine's own, but got '%s'"
              .formatted(OWN, named));
    }
    return new Command.Meta(
        named == null ? ids.next().toString() : named,
        caller.actor(),
        node.now(),
        null,
        caller.traceParent(),
        named == null ? null : Ids.fingerprint(body.document()));
  }

  private Instant deadline(Caller caller) {
    return node.now().plus(timeout(caller));
  }

  public Duration timeout(Caller caller) {
    return caller.timeout() == null ? node.settings().callTimeout() : caller.timeout();
  }

  static Answer answer(InstanceId instance, Decision decision) {
    return switch (decision) {
      case Step step -> new Answer.Done(instance, step.after().version());
      case NoChange no -> new Answer.Unchanged(instance, no.version(), no.reason());
      case Rejection rejection -> new Answer.Refused(instance, rejection);
    };
  }

  /** The answer to an approval, as a vote says it. */
  public static Map<String, @Nullable Object> vote(
      Outcome outcome, String comment, @Nullable String onBehalfOf) {
    Map<String, @Nullable Object> answer = new LinkedHashMap<>();
    answer.put("outcome", outcome.word());
    if (!comment.isEmpty()) {
      answer.put("comment", comment);
    }
    if (onBehalfOf != null) {
      answer.put("for", onBehalfOf);
    }
    return answer;
  }
}
