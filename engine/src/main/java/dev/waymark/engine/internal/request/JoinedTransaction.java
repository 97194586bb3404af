package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineTransaction;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.internal.message.EngineMessages;
import dev.waymark.engine.internal.message.JoinedMessages;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.JoinedWrites;
import dev.waymark.engine.message.Messages;
import java.sql.Connection;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The verbs that a caller can use inside a transaction of its own. */
public final class JoinedTransaction implements EngineTransaction {

  private final ThisNode node;
  private final Requests requests;
  private final StandIns standIns;
  private final JoinedSteps steps;
  private final JoinedMessages messages;
  private final Connection connection;
  private final JoinedWrites written;

  JoinedTransaction(
      ThisNode node,
      Requests requests,
      StandIns standIns,
      JoinedSteps steps,
      JoinedMessages messages,
      Connection connection,
      JoinedWrites written) {
    this.node = node;
    this.requests = requests;
    this.standIns = standIns;
    this.steps = steps;
    this.messages = messages;
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
    return switch (requests.startOrRefuse(request, caller, steps.definitions(connection))) {
      case Requests.StartOrRefusal.Of(Requests.Prepared prepared) -> carryOut(prepared);
      case Requests.StartOrRefusal.Not(Answer.Refused refused) -> refused;
    };
  }

  @Override
  public Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return carryOut(requests.resume(bookmark, null, payload, caller));
  }

  @Override
  public Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return carryOut(requests.resume(bookmark, fence, payload, caller));
  }

  @Override
  public Answer complete(
      BookmarkId task, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    given("task, answer, caller", task, answer, caller);
    return carryOut(requests.answer(task, null, answer, standsFor(caller), caller));
  }

  @Override
  public Answer complete(
      BookmarkId task, long fence, Map<String, ? extends @Nullable Object> answer, Caller caller) {
    given("task, answer, caller", task, answer, caller);
    return carryOut(requests.answer(task, fence, answer, standsFor(caller), caller));
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
    return carryOut(requests.answer(approval, null, answer, standsFor(caller), caller));
  }

  @Override
  public boolean correlate(Messages.Correlated message, Caller caller) {
    given("message, caller", message, caller);
    return store(EngineMessages.message(message, caller, node.now()));
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
    return store(sent.message(to, caller, node.now()));
  }

  private boolean store(Message message) {
    boolean fresh = messages.store(connection, message);
    written.message(message);
    return fresh;
  }

  private Set<String> standsFor(Caller caller) {
    return standIns.standsFor(caller.actor());
  }

  private Answer carryOut(Requests.Prepared prepared) {
    String tenant = prepared.command().meta().actor().tenant();
    Rejection refusal =
        requests
            .payloads()
            .refusal(
                prepared.data(),
                (hashes, until) ->
                    node.store().payloads().keepOn(connection, tenant, hashes, until));
    if (refusal != null) {
      return new Answer.Refused(prepared.instance(), refusal);
    }
    return steps.carryOut(prepared, connection, written);
  }
}
