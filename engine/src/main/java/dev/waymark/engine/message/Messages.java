package dev.waymark.engine.message;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.query.NearMiss;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Messages from outside. Each is durable before it is acknowledged, counts once however often it is
 * sent, and is kept if no instance waits for it yet.
 */
public interface Messages {

  /**
   * A message for the instance that waits longest for its name with its correlation key.
   *
   * @param source together with {@code id} the name of the message: a second delivery under the
   *     same name is a duplicate
   * @param kept how long the message is kept until an instance waits for it; 30 days if absent
   */
  record Correlated(
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
   * Hands a message to the instance that waits for it. It is durable when this returns.
   *
   * @return false if it was delivered before
   * @throws CommandRefused if another message was sent under the same source and id
   * @throws IllegalArgumentException if the name begins with {@code $}
   */
  boolean correlate(Correlated message, Caller caller);

  /** The same; the answer comes when the message is durable. */
  CompletableFuture<Boolean> correlateAsync(Correlated message, Caller caller);

  /**
   * Hands a message to an instance. It is durable when this returns; if the instance does not wait
   * for it yet, it is kept.
   *
   * @param source together with {@code id} the name of the message: a second delivery under the
   *     same name is a duplicate
   * @return false if it was delivered before
   * @throws CommandRefused if another message was sent under the same source and id
   * @throws IllegalArgumentException if the name begins with {@code $}
   */
  boolean send(
      InstanceId to,
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller);

  /**
   * Tells every instance of the caller's tenant that waits for this signal now. It is durable when
   * this returns; an instance that begins to wait later does not get it.
   *
   * @param source together with {@code id} the name of the signal: a second one under the same name
   *     is a duplicate
   * @return false if it was sent before
   * @throws CommandRefused if another message was sent under the same source and id
   */
  boolean signal(
      String name,
      Map<String, ? extends @Nullable Object> payload,
      String source,
      String id,
      Caller caller);

  /**
   * Correlated messages of the caller's tenant that still wait, by correlation key. Large payloads
   * fill a page before it has as many messages as were asked for: the last page is an empty one.
   *
   * @param after the last one of the page before; absent for the first page
   */
  List<Message> unmatched(@Nullable Message after, int limit, Caller caller);

  /** The first page of the messages that wait for an instance. */
  List<Message> waitingFor(InstanceId instance, int limit, Caller caller);

  /**
   * Messages that were addressed to an instance and still wait, the oldest first: for a wait that
   * it has not come to, or that its definition does not know, or because it has ended or never was.
   * The full look removes those that no instance can receive any more. Large payloads fill a page
   * before it has as many messages as were asked for: only an empty page is the last one.
   *
   * @param after the last one of the page before; absent for the first page
   */
  List<Message> waitingFor(InstanceId instance, @Nullable Message after, int limit, Caller caller);

  /**
   * A definition that begins with messages of this name, but not with this one.
   *
   * @param why the condition that the message does not meet
   */
  record NotBegun(String definition, int version, String why) {}

  /**
   * The reasons why a message that still waits has begun no run of the definitions that begin with
   * its name. Empty if none does, or if a run waits for it.
   */
  List<NotBegun> notBegun(Message.Key message, Caller caller);

  /** The waits that would have got a message, had it another name or another correlation key. */
  List<NearMiss> nearMisses(Message.Key message, Caller caller);
}
