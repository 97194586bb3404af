package dev.waymark.engine.internal.row;

import dev.waymark.core.Json;
import dev.waymark.engine.payload.PayloadReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The payloads that documents name. Only the parts of a document that hold a reference are entered,
 * so a document without one costs nothing.
 *
 * <p>An object that looks like a reference and is none is passed over here: an expression may have
 * made it, and a step that is decided must be written. What comes from outside was looked at when
 * it came in.
 */
final class NamedPayloads {

  private Set<String> hashes = Set.of();

  /** Collects from one JSON value. */
  void in(@Nullable Object json) {
    if (!Json.holdsPayload(json)) {
      return;
    }
    PayloadReference.of(json).ifPresent(this::add);
    if (json instanceof Map<?, ?> object) {
      object.values().forEach(this::in);
    } else if (json instanceof List<?> array) {
      array.forEach(this::in);
    }
  }

  private void add(PayloadReference reference) {
    if (hashes.isEmpty()) {
      hashes = new LinkedHashSet<>();
    }
    hashes.add(reference.sha256());
  }

  /** The hashes of all that were named, each once. */
  List<String> hashes() {
    return List.copyOf(hashes);
  }
}
