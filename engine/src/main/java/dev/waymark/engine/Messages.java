package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.NearMiss;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Inbox;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages from outside. Each is durable before it is acknowledged, counts once however often it is
 * sent, and is kept if nobody waits for it yet.
 */
public final class Messages {

  private final Node node;
  private final StoreCalls calls;
  private final RowReader reader;
  private final RowWriter writer;
  private final UnreadableRows unreadable;
  private final Reception reception;
  private final MessageStarts starts;

  Messages(
      Node node,
      StoreCalls calls,
      RowReader reader,
      RowWriter writer,
      UnreadableRows unreadable,
      Reception reception,
      MessageStarts starts) {
    this.node = node;
    this.calls = calls;
    this.reader = reader;
    this.writer = writer;
    this.unreadable = unreadable;
    this.reception = reception;
    this.starts = starts;
  }

  /**
   * A message to whoever waits for its name with its correlation key.
   *
   * @param source together with {@code id}: what makes a second delivery a duplicate
   * @param kept how long it waits for somebody who waits for it; 30 days if absent
   */
  public record Correlated(
      String name,
      String correlation,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      @Nullable Duration kept) {

    public Correlated {
      given("name, correlation, payload, source, id", name, correlation, payload, source, id);
      if (kept != null && (kept.isNegative() || kept.compareTo(Limits.DURATION) > 0)) {
        throw new IllegalArgumentException(
            "Expected a message to be kept for up to %s, but got %s"
                .formatted(Limits.DURATION, kept));
      }
    }

    public static Correlated of(
        String name,
        String correlation,
        Map<String, ? extends @Nullable Object> payload,
        String source,
        String id) {
      return new Correlated(name, correlation, payload, source, id, null);
    }
  }

  /**
   * Hands a message to whoever waits for it. It is durable when this returns.
   *
   * @return false if it was delivered before
   * @throws CommandRefused if another message was sent under the same source and id
   * @throws IllegalArgumentException if the name begins with {@code $}
   */
  public boolean correlate(Correlated message, Caller caller) {
    given("message, caller", message, caller);
    return calls.patience(caller).await(() -> store(message, caller));
  }

  /** The same; the answer comes when the message is durable. */
  public CompletableFuture<Boolean> correlateAsync(Correlated message, Caller caller) {
    given("message, caller", message, caller);
    // What the caller does then is the caller's, and must not keep other messages waiting.
    return store(message, caller).thenApplyAsync(fresh -> fresh, node.scheduler()::executeUserCode);
  }

  private CompletableFuture<Boolean> store(Correlated message, Caller caller) {
    return reception.receive(message(message, caller, node.now()), true);
  }

  static Message message(Correlated message, Caller caller, Instant now) {
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

  /**
   * Hands a message to an instance. It is durable when this returns; if nobody waits for it yet, it
   * is kept.
   *
   * @param source together with {@code id}: what makes a second delivery a duplicate
   * @return false if it was delivered before
   * @throws CommandRefused if another message was sent under the same source and id
   * @throws IllegalArgumentException if the name begins with {@code $}
   */
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

  /**
   * Tells every instance of the caller's tenant that waits for this signal now. It is durable when
   * this returns; who begins to wait later does not get it.
   *
   * @param source together with {@code id}: what makes a second delivery a duplicate
   * @return false if it was sent before
   * @throws CommandRefused if another message was sent under the same source and id
   */
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
  record Sent(
      String name, Map<String, ? extends @Nullable Object> payload, String source, String id) {

    /**
     * @param to absent for a signal
     */
    Message message(@Nullable InstanceId to, Caller caller, Instant now) {
      return new Message(
          key(source, id, caller), to, name, Json.given(payload), caller.actor().id(), now);
    }
  }

  private boolean receive(Sent sent, @Nullable InstanceId to, Caller caller) {
    Message message = sent.message(to, caller, node.now());
    return calls.patience(caller).await(() -> reception.receive(message, true));
  }

  /** A message whose key and name are the engine's own. */
  boolean receiveOwn(Message message) {
    return calls.patience().await(() -> reception.receive(message, false));
  }

  private static Message.Key key(String source, String id, Caller caller) {
    return Message.Key.given(caller.actor().tenant(), source, id);
  }

  /**
   * Correlated messages of the caller's tenant that still wait, by correlation key. Large payloads
   * fill a page before it has as many messages as were asked for: the last page is an empty one.
   *
   * @param after the last one of the page before; absent for the first page
   */
  public List<Message> unmatched(@Nullable Message after, int limit, Caller caller) {
    given("caller", caller);
    if (limit < 1 || limit > Limits.MESSAGES_PER_PAGE) {
      throw new IllegalArgumentException(
          "Expected a page of 1 to %d, but got %d".formatted(Limits.MESSAGES_PER_PAGE, limit));
    }
    String tenant = caller.actor().tenant();
    return unreadable.readPage(
        RowKind.MESSAGE,
        after == null ? Place.startOf(tenant) : Place.of(writer.message(after)),
        place -> node.store().correlations().waiting(tenant, place, limit),
        Place::of,
        reader::message);
  }

  /** The first page of the messages that wait for an instance. */
  public List<Message> waitingFor(InstanceId instance, int limit, Caller caller) {
    return waitingFor(instance, null, limit, caller);
  }

  /**
   * Messages that were addressed to an instance and still wait, the oldest first: for a wait that
   * it has not come to, or that its definition does not know, or because it has ended or never was.
   * The full look removes those that nobody can receive any more. Large payloads fill a page before
   * it has as many messages as were asked for: the last page is an empty one.
   *
   * @param after the last one of the page before; absent for the first page
   */
  public List<Message> waitingFor(
      InstanceId instance, @Nullable Message after, int limit, Caller caller) {
    given("instance, caller", instance, caller);
    int rows = Limits.page(limit);
    String tenant = caller.actor().tenant();
    return unreadable.readPage(
        RowKind.MESSAGE,
        after == null ? Inbox.Place.START : Inbox.Place.of(writer.message(after)),
        place -> node.store().inbox().waitingFor(tenant, instance, place, rows),
        Inbox.Place::of,
        reader::message);
  }

  /**
   * A definition that begins with messages of this name, but not with this one.
   *
   * @param why what it expects of them
   */
  public record NotBegun(String definition, int version, String why) {}

  /**
   * Why a message that still waits has begun no run of the definitions that begin with its name.
   * Empty if none does, or if a run waits for it.
   */
  public List<NotBegun> notBegun(Message.Key message, Caller caller) {
    given("message, caller", message, caller);
    return message.tenant().equals(caller.actor().tenant()) ? starts.notBegun(message) : List.of();
  }

  /** Who would have got a message, had it another name or another correlation key. */
  public List<NearMiss> nearMisses(Message.Key message, Caller caller) {
    given("message, caller", message, caller);
    return message.tenant().equals(caller.actor().tenant())
        ? node.store().correlations().nearMisses(message, Limits.CORRELATION_TRIES)
        : List.of();
  }
}
