package dev.waymark.engine.callback;

import static dev.waymark.core.Arguments.given;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.core.Ids;
import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.engine.callback.CallbackRefused.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The intake of callbacks from partners. The bearer of a token may speak to the one wait that it
 * names, as often as it says; nothing else identifies a partner here.
 */
public final class Callbacks {

  private final List<Secret> seals;
  private final Map<String, Secret> senders;
  private final InstantSource clock;
  private final Predicate<Message> inbox;

  /**
   * Made by the engine, with what its builder was given.
   *
   * @param seals the first seals new tokens, all of them are known: so a key can be changed
   * @param senders the secrets that partners sign with, by name
   * @param inbox stores a message durably; false if it is a duplicate
   */
  public Callbacks(
      List<Secret> seals,
      Map<String, Secret> senders,
      InstantSource clock,
      Predicate<Message> inbox) {
    this.seals = List.copyOf(seals);
    this.senders = Map.copyOf(senders);
    this.clock = clock;
    this.inbox = inbox;
  }

  /** The text that lets a partner call back; the same for the same token and key. */
  public String seal(Token token) {
    given("token", token);
    if (seals.isEmpty()) {
      throw new IllegalStateException(
          "Expected a secret to seal tokens with, but the engine was built without one: see"
              + " EngineBuilder.callbackSecrets");
    }
    if (token.signedBy() != null && !senders.containsKey(token.signedBy())) {
      throw new IllegalArgumentException(
          "Expected one of the secrets %s, but the token asks for a signature by '%s'"
              .formatted(senders.keySet(), token.signedBy()));
    }
    return token.seal(seals.get(0));
  }

  /**
   * Takes the callback of a partner. It is durable when this returns; if the run does not wait for
   * it yet, it is kept.
   *
   * @param body a JSON object, or nothing
   * @param headers as they came over HTTP; their names in any case
   * @return false if it came before
   * @throws CallbackRefused if the token, the signature or the body is wrong
   */
  public boolean receive(String token, byte[] body, Map<String, String> headers) {
    given("token, body, headers", token, body, headers);
    Token opened = open(token, body, headers);
    // With a token that counts once everything is one message, whatever it says.
    String id = opened.once() ? id(opened, "once", "") : id(opened, body, headers);
    return store(opened, Message.FROM_A_CALLBACK, id, payload(body), null);
  }

  /**
   * Takes the report of a partner before its callback: {@code { status, progress, message }}, see
   * {@link StatusUpdate}. It is shown on the wait and kept in history; the wait stays open, and a
   * token for one use stays good. A report that comes before its wait is kept, as a callback is; a
   * report after the wait has closed does nothing.
   *
   * @return false if it came before
   * @throws CallbackRefused if the token, the signature or the body is wrong
   */
  public boolean report(String token, byte[] body, Map<String, String> headers) {
    given("token, body, headers", token, body, headers);
    Token opened = open(token, body, headers);
    StatusUpdate update;
    try {
      update = StatusUpdate.fromDocument(payload(body));
    } catch (IllegalArgumentException e) {
      throw new CallbackRefused(Reason.BODY, String.valueOf(e.getMessage()));
    }
    return store(
        opened,
        Message.FROM_A_REPORT,
        id(opened, body, headers),
        update.toDocument(),
        // A report that is too late cannot be told from one that is too early.
        clock.instant().plus(Limits.REPORT_KEPT));
  }

  private boolean store(
      Token token,
      String source,
      String id,
      Map<String, @Nullable Object> payload,
      @Nullable Instant expires) {
    return inbox.test(
        new Message(
            new Message.Key(token.tenant(), source, id),
            token.instance(),
            Message.hook(token.name()),
            payload,
            token.signedBy() == null ? "callback" : token.signedBy(),
            clock.instant(),
            null,
            expires));
  }

  private Token open(String token, byte[] body, Map<String, String> headers) {
    Token opened = token.length() > Limits.TOKEN ? null : Token.open(token, seals);
    if (opened == null) {
      throw new CallbackRefused(Reason.TOKEN, "Expected a token of ours, but got another text");
    }
    if (body.length > Limits.CALLBACK_BYTES) {
      throw new CallbackRefused(
          Reason.BODY,
          "Expected at most %d bytes, but got %d".formatted(Limits.CALLBACK_BYTES, body.length));
    }
    if (opened.signedBy() != null) {
      checkSignature(opened.signedBy(), body, headers);
    }
    return opened;
  }

  private void checkSignature(String sender, byte[] body, Map<String, String> headers) {
    Secret secret = senders.get(sender);
    String refusal =
        secret == null
            ? "Expected a secret named '%s', but this engine has none".formatted(sender)
            : Signature.refusal(secret, body, headers, clock.instant());
    if (refusal != null) {
      throw new CallbackRefused(Reason.SIGNATURE, refusal);
    }
  }

  // The sender's own id tells a repeat from news, and without one the body does.
  private static String id(Token token, byte[] body, Map<String, String> headers) {
    String given = Signature.header(headers, Signature.ID);
    return given == null
        ? id(token, "body", new String(body, UTF_8))
        : id(token, "sender's", given);
  }

  /** Kinds of ids are kept apart: no partner's id or body is what another kind says. */
  private static String id(Token token, String kind, String what) {
    return Ids.fingerprint(token.instance().toString(), token.name(), kind, what);
  }

  private static Map<String, @Nullable Object> payload(byte[] body) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
      return text.isBlank() ? Map.of() : Json.given(Json.readObject(text));
    } catch (CharacterCodingException e) {
      throw new CallbackRefused(
          Reason.BODY, "Expected UTF-8, but got other bytes: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw new CallbackRefused(Reason.BODY, "Expected a JSON object, but got: " + e.getMessage());
    }
  }
}
