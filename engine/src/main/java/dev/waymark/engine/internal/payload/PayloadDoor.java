package dev.waymark.engine.internal.payload;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.store.StoredPayloads.PayloadRow;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the references in data that comes in: with a request, a message or the result of a body.
 * Data without a reference passes at no cost. For the others the store is asked once, and keeps
 * them for {@code Settings.unusedPayloads} from now on.
 *
 * <p>So it does no harm that the housekeeping runs beside: it removes no payload before that time
 * is over, and by then the step is written, with a row that says that its run uses the payload. A
 * step that is decided later than that, because the database was away for a day, may name a payload
 * that is gone; opening it says so.
 */
public final class PayloadDoor {

  private final ThisNode node;
  private final StoreCalls calls;

  /** Asks the store to keep payloads of one tenant, and for those that exist. */
  @FunctionalInterface
  public interface Keeping {
    List<PayloadRow> keep(Collection<String> hashes, Instant until);
  }

  public PayloadDoor(ThisNode node, StoreCalls calls) {
    this.node = node;
    this.calls = calls;
  }

  /**
   * The refusal of data of a request; absent if it may come in.
   *
   * @param data a JSON value
   */
  public @Nullable Rejection refusal(@Nullable Object data, Caller caller) {
    String tenant = caller.actor().tenant();
    return refusal(
        data,
        (hashes, until) ->
            calls.patience(caller).read(() -> node.store().payloads().keep(tenant, hashes, until)));
  }

  /** The same in a transaction, in which the store is asked too. */
  public @Nullable Rejection refusal(@Nullable Object data, Keeping joined) {
    return refusal(data, null, joined);
  }

  /** The same for data that code of the application gives to the engine. */
  public @Nullable Rejection refusal(@Nullable Object data, String tenant) {
    return refusal(
        data,
        (hashes, until) -> calls.read(() -> node.store().payloads().keep(tenant, hashes, until)));
  }

  /**
   * Refuses such data.
   *
   * @throws CommandRefused if it may not come in
   */
  public void admit(@Nullable Object data, String tenant) {
    orThrow(refusal(data, tenant));
  }

  /**
   * Refuses a message, whose payloads are kept for as long as it may wait.
   *
   * @throws CommandRefused if it may not come in
   */
  public void admit(Message message, Patience patience) {
    String tenant = message.key().tenant();
    admit(
        message,
        (hashes, until) ->
            patience.read(() -> node.store().payloads().keep(tenant, hashes, until)));
  }

  /** The same in a transaction, in which the store is asked too. */
  public void admit(Message message, Keeping joined) {
    orThrow(refusal(message.payload(), end(message), joined));
  }

  private static void orThrow(@Nullable Rejection refusal) {
    if (refusal != null) {
      throw new CommandRefused(refusal);
    }
  }

  /** A message that does not say so waits for its addressee as long as others wait by default. */
  private static Instant end(Message message) {
    Instant expires = message.expires();
    return expires == null ? Limits.after(message.received(), Limits.MESSAGE_KEPT) : expires;
  }

  /**
   * @param needed until when the data itself is needed; absent for data that is used at once
   */
  private @Nullable Rejection refusal(
      @Nullable Object data, @Nullable Instant needed, Keeping store) {
    Object json = Json.valueOf(data);
    if (!Json.holdsPayload(json)) {
      return null;
    }
    Map<String, PayloadReference> named = new LinkedHashMap<>();
    Rejection unfit = collect(json, "", named);
    if (unfit != null) {
      return unfit;
    }
    List<String> hashes = named.values().stream().map(PayloadReference::sha256).distinct().toList();
    if (hashes.size() > Limits.PAYLOAD_REFERENCES) {
      return Rejection.of(
          Rejection.Code.BAD_INPUT,
          "Expected at most %,d payloads in one request, but got %,d"
              .formatted(Limits.PAYLOAD_REFERENCES, hashes.size()));
    }
    Map<String, PayloadRow> known = new HashMap<>();
    Instant from = needed == null ? node.now() : needed;
    store
        .keep(hashes, Limits.after(from, node.settings().unusedPayloads()))
        .forEach(row -> known.put(row.hash(), row));
    return missing(named, known);
  }

  /** Collects references by their places, or tells of an object that should be one and is not. */
  private static @Nullable Rejection collect(
      @Nullable Object json, String path, Map<String, PayloadReference> into) {
    if (!Json.holdsPayload(json)) {
      return null;
    }
    if (Json.isPayload(json)) {
      PayloadReference reference = PayloadReference.of(json).orElse(null);
      if (reference == null) {
        return unfit(path, json);
      }
      into.put(path, reference);
      return null;
    }
    if (json instanceof Map<?, ?> object) {
      for (Map.Entry<?, ?> entry : object.entrySet()) {
        String name = String.valueOf(entry.getKey()).replace("~", "~0").replace("/", "~1");
        Rejection unfit = collect(entry.getValue(), path + "/" + name, into);
        if (unfit != null) {
          return unfit;
        }
      }
    } else if (json instanceof List<?> array) {
      for (int i = 0; i < array.size(); i++) {
        Rejection unfit = collect(array.get(i), path + "/" + i, into);
        if (unfit != null) {
          return unfit;
        }
      }
    }
    return null;
  }

  private static Rejection unfit(String path, @Nullable Object json) {
    return Rejection.of(
        Rejection.Code.BAD_INPUT,
        "%s: Expected a reference {\"%s\": \"sha256:…\", \"size\": …, \"mediaType\": …}, as put gives it, but got %s"
            .formatted(
                path.isEmpty() ? "/" : path,
                Json.PAYLOAD,
                Limits.shortened(Json.write(json), 200)));
  }

  private static @Nullable Rejection missing(
      Map<String, PayloadReference> named, Map<String, PayloadRow> known) {
    for (Map.Entry<String, PayloadReference> entry : named.entrySet()) {
      PayloadReference reference = entry.getValue();
      PayloadRow row = known.get(reference.sha256());
      if (row == null || row.size() != reference.size()) {
        return Rejection.of(
            Rejection.Code.PAYLOAD_MISSING,
            entry.getKey() + ": " + missing(reference, row == null ? null : row.size()));
      }
    }
    return null;
  }

  /**
   * @param size that of the payload which has this hash; absent if there is none
   */
  static String missing(PayloadReference reference, @Nullable Long size) {
    return "Expected payload sha256:%s of %,d bytes to be stored, but %s: put it first, and it is kept while a run uses it"
        .formatted(
            reference.sha256(),
            reference.size(),
            size == null ? "there is none" : "it has %,d bytes".formatted(size));
  }
}
