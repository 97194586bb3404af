package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.EngineTransaction;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.message.EngineMessages;
import dev.waymark.engine.internal.message.JoinedMessages;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.Committer;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.JoinedWrites;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.spi.PeopleDirectory;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Decides and commits steps on a caller's connection. */
public final class JoinedTransaction implements EngineTransaction {

  private static final int TRIES = 10;

  private final Surroundings around;
  private final Connection connection;
  private final JoinedWrites written;

  /** The parts of the engine that a caller's transaction needs. */
  public record Surroundings(
      ThisNode node,
      Requests requests,
      DeployedDefinitions definitions,
      PeopleDirectory directory,
      RowReader reader,
      Committer committer,
      Mailboxes mailboxes,
      JoinedMessages messages) {}

  JoinedTransaction(Surroundings around, Connection connection, JoinedWrites written) {
    this.around = around;
    this.connection = connection;
    this.written = written;
  }

  @Override
  public Connection connection() {
    return connection;
  }

  @Override
  public Answer start(StartRequest request, Caller caller) {
    given("request, caller", request, caller);
    return switch (around.requests().startOrRefuse(request, caller, definitions())) {
      case Requests.Start.Of(Requests.Prepared prepared) -> carryOut(prepared);
      case Requests.Start.Not(Answer.Refused refused) -> refused;
    };
  }

  @Override
  public Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return carryOut(around.requests().resume(bookmark, null, payload, caller));
  }

  @Override
  public Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return carryOut(around.requests().resume(bookmark, fence, payload, caller));
  }

  @Override
  public Answer complete(
      BookmarkId task, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    given("task, answer, caller", task, answer, caller);
    return carryOut(around.requests().answer(task, null, answer, standsFor(caller), caller));
  }

  @Override
  public Answer complete(
      BookmarkId task, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    given("task, answer, caller", task, answer, caller);
    return carryOut(around.requests().answer(task, fence, answer, standsFor(caller), caller));
  }

  @Override
  public Answer vote(
      BookmarkId approval,
      Outcome outcome,
      String comment,
      @Nullable String onBehalfOf,
      Caller caller) {
    given("approval, outcome, comment, caller", approval, outcome, comment, caller);
    Map<String, @Nullable Object> answer = Requests.vote(outcome, comment, onBehalfOf);
    return carryOut(around.requests().answer(approval, null, answer, standsFor(caller), caller));
  }

  @Override
  public boolean correlate(Messages.Correlated message, Caller caller) {
    given("message, caller", message, caller);
    return store(EngineMessages.message(message, caller, around.node().now()));
  }

  @Override
  public boolean send(
      InstanceId to,
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller) {
    given("to, name, payload, source, id, caller", to, name, payload, source, id, caller);
    EngineMessages.Sent sent = new EngineMessages.Sent(Message.given(name), payload, source, id);
    return store(sent.message(to, caller, around.node().now()));
  }

  private boolean store(Message message) {
    boolean fresh = around.messages().store(connection, message);
    written.message(message);
    return fresh;
  }

  private DeployedDefinitions.JoinedRows definitions() {
    dev.waymark.engine.store.StoredDefinitions stored = around.node().store().definitions();
    return new DeployedDefinitions.JoinedRows() {
      @Override
      public @Nullable DefinitionRow byId(long id) {
        return stored.byIdOn(connection, id);
      }

      @Override
      public @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version) {
        return stored.findOn(connection, tenant, key, version);
      }
    };
  }

  private Set<String> standsFor(Caller caller) {
    return around
        .directory()
        .standsFor(caller.actor().tenant(), caller.actor().id(), around.node().now());
  }

  private Answer carryOut(Requests.Prepared prepared) {
    return carryOut(prepared.instance(), prepared.stimulus(outcome -> {}));
  }

  private Answer carryOut(InstanceId id, PendingCommand stimulus) {
    for (int i = 0; i < TRIES; i++) {
      Load.Answer read = around.node().store().loadOn(connection, stimulus.question(id));
      Instance instance = around.reader().instance(read);
      StoredFacts prior = around.reader().prior(id, stimulus.command.meta().actor().tenant(), read);
      if (instance != null) {
        // The decision would read it on a connection of the engine's, and wait for one.
        var unused = around.definitions().byId(instance.origin().definition(), definitions());
      }
      // No node is named: only the caller knows whether, and when, its transaction commits.
      Decision decision = around.mailboxes().decideApart(stimulus, instance, prior);
      if (!(decision instanceof Step step)) {
        return Requests.answer(id, decision);
      }
      Unit unit = Unit.of(step);
      CommitResult result =
          around.committer().commitOn(connection, null, around.committer().rows(unit));
      switch (result.outcome()) {
        case COMMITTED -> {
          written.unit(unit);
          return Requests.answer(id, step);
        }
        case FAILED -> throw EngineException.unwrap(result.cause());
        case STALE, BUSY, NOT_SPENDABLE, EXISTS, NODE_NOT_ALIVE -> {
          // Another node moved it between our load and our lock: it is decided again.
        }
      }
    }
    throw new EngineException(
        "Expected to carry out %s on instance %s, but lost %d races in a row"
            .formatted(stimulus.command.meta().id(), id, TRIES),
        null);
  }
}
