package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.Decision;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Timers and expiries that came due while an operator held the run, or that lead to a step which
 * cannot be stored. Each is moved to the farthest moment there is, once, so that no sweep reads it
 * again, and its own moment is kept with the visit. When the run goes on, or the visit is tried
 * again, it gets that moment back and fires like any that is late.
 */
public final class PutOff {

  private static final String DATA = "putOff";
  private static final String DUE = "due";
  private static final String EXPIRES = "expires";

  private PutOff() {}

  /** The step for a wait whose time has come in a held run. */
  public static Decision decide(Walk walk, Bookmark wait, ActivityInstance visit) {
    untilTriedAgain(walk, wait, visit);
    walk.note(HistoryEntry.Type.WAIT_HELD, visit, Map.of("key", wait.key()));
    return walk.finish();
  }

  /** Puts a wait off that could not be answered for, until its visit goes on. */
  public static void untilTriedAgain(Walk walk, Bookmark wait, ActivityInstance visit) {
    Map<String, @Nullable Object> moments = new LinkedHashMap<>();
    Bookmark later = wait;
    if (wait.due() != null && !wait.due().isAfter(walk.at())) {
      moments.put(DUE, wait.due().toString());
      later = later.with(later.payload(), Limits.FARTHEST, later.terms());
    }
    Instant expires = wait.terms().expires();
    if (expires != null && !expires.isAfter(walk.at())) {
      moments.put(EXPIRES, expires.toString());
      later = later.with(later.payload(), later.due(), later.terms().withExpiry(Limits.FARTHEST));
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(Json.object(visit.data().get(DATA)));
    Map<String, @Nullable Object> own = new LinkedHashMap<>(Json.object(all.get(name(wait))));
    own.putAll(moments);
    all.put(name(wait), own);
    walk.put(visit.with(DATA, all));
    walk.bookmarks().amend(later, false);
  }

  /** Gives the waits of a visit the moments that were theirs before the hold. */
  public static void restore(Walk walk, ActivityInstance visit) {
    if (!visit.data().containsKey(DATA)) {
      return;
    }
    for (Bookmark wait : walk.bookmarks().of(visit.visit())) {
      Bookmark restored = asBefore(visit, wait);
      if (!restored.equals(wait)) {
        walk.bookmarks().amend(restored, false);
      }
    }
    walk.put(visit.with(DATA, null));
  }

  /** The wait with the moments that are its own, also while they are put off. */
  public static Bookmark asBefore(ActivityInstance visit, Bookmark wait) {
    Map<String, @Nullable Object> moments =
        Json.object(Json.object(visit.data().get(DATA)).get(name(wait)));
    Instant due = moment(moments, DUE, wait.due());
    Instant expires = moment(moments, EXPIRES, wait.terms().expires());
    return moments.isEmpty()
        ? wait
        : wait.with(wait.payload(), due, wait.terms().withExpiry(expires));
  }

  /** An operator gave the wait another due time, so its old one is not restored. */
  public static void forget(Walk walk, Bookmark wait) {
    ActivityInstance visit = walk.activity(wait.visit());
    if (visit != null && visit.data().containsKey(DATA)) {
      Map<String, @Nullable Object> all = new LinkedHashMap<>(Json.object(visit.data().get(DATA)));
      Map<String, @Nullable Object> own = new LinkedHashMap<>(Json.object(all.get(name(wait))));
      own.remove(DUE);
      if (own.isEmpty()) {
        all.remove(name(wait));
      } else {
        all.put(name(wait), own);
      }
      walk.put(visit.with(DATA, all.isEmpty() ? null : all));
    }
  }

  private static @Nullable Instant moment(
      Map<String, @Nullable Object> moments, String name, @Nullable Instant otherwise) {
    return moments.get(name) instanceof String text ? Instant.parse(text) : otherwise;
  }

  private static String name(Bookmark wait) {
    return Long.toHexString(wait.id().tag());
  }
}
