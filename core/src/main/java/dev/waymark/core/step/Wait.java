package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Terms;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A bookmark as an activity asks for it; the step gives it its id. */
public record Wait(
    BookmarkKind kind,
    String key,
    Map<String, @Nullable Object> payload,
    @Nullable Instant due,
    Terms terms) {

  public Wait(
      BookmarkKind kind, String key, Map<String, @Nullable Object> payload, @Nullable Instant due) {
    this(kind, key, payload, due, Terms.NONE);
  }

  public Wait {
    requireNonNull(terms, "terms");
    requireNonNull(kind, "kind");
    Limits.name("a bookmark key", key);
    payload = Json.objectOf(payload);
    if (kind == BookmarkKind.TIMER && due == null) {
      throw new IllegalArgumentException(
          "Expected a due time on timer '" + key + "', but got none");
    }
    if (due != null) {
      Limits.due("a due time", due);
    }
    if (kind == BookmarkKind.MANUAL_INTERVENTION) {
      throw new IllegalArgumentException(
          "Expected a wait that an activity may create, but interventions are the engine's own");
    }
    if (terms.expires() != null && terms.expires().isAfter(Limits.FARTHEST)) {
      throw new IllegalArgumentException(
          "Expected an expiry until %s, but got %s".formatted(Limits.FARTHEST, terms.expires()));
    }
  }

  /** The same wait with the moment by which it should be answered. */
  public Wait due(Instant moment) {
    return new Wait(kind, key, payload, moment, terms);
  }

  /** The same wait with the moment from which it cannot be answered any more. */
  public Wait expires(Instant moment) {
    return new Wait(kind, key, payload, due, terms.withExpiry(moment));
  }

  /** The same wait, for these. */
  public Wait candidates(Candidates others) {
    return new Wait(kind, key, payload, due, terms.with(others));
  }

  /** The same wait; the higher, the sooner it is claimed. */
  public Wait priority(int another) {
    return new Wait(
        kind,
        key,
        payload,
        due,
        new Terms(
            another, terms.candidates(), terms.correlation(), terms.expires(), terms.followUp()));
  }

  /** The same wait, which a message must name so to reach it. */
  public Wait correlated(String another) {
    return new Wait(
        kind,
        key,
        payload,
        due,
        new Terms(
            terms.priority(),
            terms.candidates(),
            Limits.name("a correlation key", another),
            terms.expires(),
            terms.followUp()));
  }
}
