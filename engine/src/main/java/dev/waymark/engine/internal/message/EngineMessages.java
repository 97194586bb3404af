package dev.waymark.engine.internal.message;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Inbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Stores messages from outside and answers questions about those that are kept. */
public final class EngineMessages implements Messages {

  private final ThisNode node;
  private final StoreCalls calls;
  private final RowReader reader;
  private final RowWriter writer;
  private final UnreadableRows unreadable;
  private final MessageIntake reception;
  private final MessageStarts starts;

  public EngineMessages(
      ThisNode node,
      StoreCalls calls,
      RowReader reader,
      RowWriter writer,
      UnreadableRows unreadable,
      MessageIntake reception,
      MessageStarts starts) {
    this.node = node;
    this.calls = calls;
    this.reader = reader;
    this.writer = writer;
    this.unreadable = unreadable;
    this.reception = reception;
    this.starts = starts;
  }

  @Override
  public boolean correlate(Correlated message, Caller caller) {
    given("message, caller", message, caller);
    Patience patience = calls.patience(caller);
    return patience.await(() -> store(message, caller, patience));
  }

  @Override
  public CompletableFuture<Boolean> correlateAsync(Correlated message, Caller caller) {
    given("message, caller", message, caller);
    calls.refuseIfClosed();
    // The caller's own code runs then, and must not keep other messages waiting.
    return calls.endsWithEngine(
        store(message, caller, calls.patience(caller))
            .thenApplyAsync(fresh -> fresh, node.scheduler()::executeUserCode));
  }

  private CompletableFuture<Boolean> store(Correlated message, Caller caller, Patience patience) {
    return reception.receive(message(message, caller, node.now()), true, patience);
  }

  public static Message message(Correlated message, Caller caller, Instant now) {
    Duration kept = message.kept() == null ? Limits.MESSAGE_KEPT : message.kept();
    return new Message(
        key(message.source(), message.id(), caller),
        null,
        Message.given(message.name()),
        Json.given(message.payload()),
        caller.actor().id(),
        now,
        message.correlation(),
        now.plus(kept));
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
    return receive(new Sent(Message.given(name), payload, source, id), to, caller);
  }

  @Override
  public boolean signal(
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller) {
    given("name, payload, source, id, caller", name, payload, source, id, caller);
    return receive(new Sent(Message.signal(name), payload, source, id), null, caller);
  }

  /**
   * A message as its sender gives it.
   *
   * @param name as it is stored
   */
  public record Sent(
      String name, Map<String, ? extends @Nullable Object> payload, String source, String id) {

    /**
     * The message as it is stored.
     *
     * @param to absent for a signal
     */
    public Message message(@Nullable InstanceId to, Caller caller, Instant now) {
      return new Message(
          key(source, id, caller), to, name, Json.given(payload), caller.actor().id(), now);
    }
  }

  private boolean receive(Sent sent, @Nullable InstanceId to, Caller caller) {
    Message message = sent.message(to, caller, node.now());
    Patience patience = calls.patience(caller);
    return patience.await(() -> reception.receive(message, true, patience));
  }

  /** A message whose key and name are the engine's own. */
  public boolean receiveOwn(Message message) {
    Patience patience = calls.patience();
    return patience.await(() -> reception.receive(message, false, patience));
  }

  private static Message.Key key(String source, String id, Caller caller) {
    return Message.Key.given(caller.actor().tenant(), source, id);
  }

  @Override
  public List<Message> unmatched(@Nullable Message after, int limit, Caller caller) {
    given("caller", caller);
    if (limit < 1 || limit > Limits.MESSAGES_PER_PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %d, but got %d".formatted(Limits.MESSAGES_PER_PAGE, limit));
    }
    String tenant = caller.actor().tenant();
    Place first = after == null ? Place.startOf(tenant) : Place.of(writer.message(after));
    return asked(
        caller,
        () ->
            unreadable.readPage(
                RowKind.MESSAGE,
                first,
                place -> node.store().correlations().waiting(tenant, place, limit),
                Place::of,
                reader::message));
  }

  @Override
  public List<Message> waitingFor(InstanceId instance, int limit, Caller caller) {
    return waitingFor(instance, null, limit, caller);
  }

  @Override
  public List<Message> waitingFor(
      InstanceId instance, @Nullable Message after, int limit, Caller caller) {
    given("instance, caller", instance, caller);
    int rows = Limits.page(limit);
    String tenant = caller.actor().tenant();
    Inbox.Place first = after == null ? Inbox.Place.START : Inbox.Place.of(writer.message(after));
    return asked(
        caller,
        () ->
            unreadable.readPage(
                RowKind.MESSAGE,
                first,
                place -> node.store().inbox().waitingFor(tenant, instance, place, rows),
                Inbox.Place::of,
                reader::message));
  }

  @Override
  public List<NotBegun> notBegun(Message.Key message, Caller caller) {
    given("message, caller", message, caller);
    return asked(
        caller, () -> isOwn(message, caller) ? starts.notBegun(message) : List.<NotBegun>of());
  }

  @Override
  public List<NearMiss> nearMisses(Message.Key message, Caller caller) {
    given("message, caller", message, caller);
    return asked(
        caller,
        () ->
            isOwn(message, caller)
                ? node.store().correlations().nearMisses(message, Limits.CORRELATION_TRIES)
                : List.<NearMiss>of());
  }

  private static boolean isOwn(Message.Key message, Caller caller) {
    return message.tenant().equals(caller.actor().tenant());
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }
}
