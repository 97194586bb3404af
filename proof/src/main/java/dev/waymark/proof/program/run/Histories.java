package dev.waymark.proof.program.run;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.proof.program.Activity;
import dev.waymark.proof.program.Flow;
import dev.waymark.proof.program.Kind;
import dev.waymark.proof.program.Outcome;
import dev.waymark.proof.program.Trace;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads visits from the history of a run. */
final class Histories {

  private final Instant start;
  private final Probes probes;
  private final List<Trace.Seen> visits = new ArrayList<>();
  private final List<Outcome.Ended> runs = new ArrayList<>();

  Histories(Instant start, Probes probes) {
    this.start = start;
    this.probes = probes;
  }

  Trace trace(List<String> surprises) {
    return new Trace(List.copyOf(visits), List.copyOf(runs), List.copyOf(surprises));
  }

  void read(Flow flow, Instance instance, List<HistoryEntry> history) {
    Map<Long, List<Integer>> entries = new LinkedHashMap<>();
    for (int i = 0; i < history.size(); i++) {
      HistoryEntry entry = history.get(i);
      if (entry.visit() > 0 && !Definition.ROOT.equals(entry.activity())) {
        entries.computeIfAbsent(entry.visit(), v -> new ArrayList<>()).add(i);
      }
    }
    for (ActivityInstance live : instance.activities().values()) {
      if (live.isLive() && !live.activity().equals(Definition.ROOT)) {
        entries.computeIfAbsent(live.visit(), v -> new ArrayList<>());
      }
    }
    entries.forEach(
        (visit, places) -> {
          Trace.Seen seen = seen(flow, instance, visit, places, history);
          if (seen != null) {
            visits.add(seen);
          }
        });
    runs.add(
        new Outcome.Ended(
            flow.key(),
            instance.status().name(),
            instance.fault() == null ? null : instance.fault().code(),
            instance.variables()));
  }

  private Trace.@Nullable Seen seen(
      Flow flow, Instance instance, long visit, List<Integer> places, List<HistoryEntry> history) {
    ActivityInstance kept = instance.activity(visit);
    ActivityInstance live = kept != null && kept.isLive() ? kept : null;
    boolean alive = live != null;
    if (!alive && places.stream().allMatch(i -> isHeldToken(history.get(i)))) {
      return null; // a token that waited for the run to go on, and then went to a visit of its own
    }
    String id = live == null ? history.get(places.getFirst()).activity() : live.activity();
    Activity activity = flow.activity(Objects.requireNonNull(id));
    List<HistoryEntry> own = places.stream().map(history::get).toList();
    boolean group = activity.kind() instanceof Kind.Fork || activity.kind() instanceof Kind.Split;
    if (activity.kind() instanceof Kind.ForEach
        && own.stream().noneMatch(e -> e.type() == HistoryEntry.Type.ACTIVITY_STARTED)) {
      return null; // one of its items
    }
    int last = -1;
    String how = alive ? "ALIVE" : group ? "OVER" : "GONE";
    for (int i = 0; i < own.size() && !alive && !group; i++) {
      String end = end(own.get(i));
      if (end != null) {
        how = end;
        last = places.get(i);
      }
    }
    Probes.Runs ran = probes.of(instance.id(), visit);
    return new Trace.Seen(
        flow.key(),
        runs.size(),
        label(activity, own, ran),
        how,
        began(activity, own),
        last < 0 ? -1 : seconds(history.get(last)),
        visit,
        places.isEmpty() ? Integer.MAX_VALUE : places.getFirst(),
        last < 0 ? Integer.MAX_VALUE : last,
        ran == null ? 0 : ran.first(),
        ran == null ? 0 : ran.last());
  }

  private static boolean isHeldToken(HistoryEntry entry) {
    return entry.type() == HistoryEntry.Type.ACTIVITY_HELD;
  }

  /** How an entry says that a visit ended, if it does. */
  private static @Nullable String end(HistoryEntry entry) {
    return switch (entry.type()) {
      case ACTIVITY_COMPLETED -> "COMPLETED";
      case ACTIVITY_CANCELLED, ACTIVITY_FAULTED -> "CANCELLED";
      case COMPENSATION_COMPLETED -> "CANCELLED";
      case ACTIVITY_REACTED ->
          Boolean.TRUE.equals(entry.detail().get("interrupt")) ? "CANCELLED" : null;
      default -> null;
    };
  }

  private static String label(
      Activity activity, List<HistoryEntry> own, Probes.@Nullable Runs ran) {
    if (ran != null) {
      return ran.label();
    }
    if (activity.kind() instanceof Kind.Wait wait && wait.source() != Kind.Source.SIGNAL) {
      for (HistoryEntry entry : own) {
        if (entry.type() == HistoryEntry.Type.ACTIVITY_WAITING
            && entry.detail().get("for") instanceof List<?> keys) {
          return String.valueOf(keys.getFirst());
        }
      }
    }
    return activity.id();
  }

  /** When it began, for those whose first entry says so. */
  private @Nullable Long began(Activity activity, List<HistoryEntry> own) {
    boolean told =
        activity.kind() instanceof Kind.Waiting
            || activity.kind() instanceof Kind.Race
            || activity.kind() instanceof Kind.Fork
            || activity.kind() instanceof Kind.Split
            || activity.kind() instanceof Kind.Scope
            || activity.kind() instanceof Kind.ForEach;
    return told && !own.isEmpty() ? seconds(own.getFirst()) : null;
  }

  private long seconds(HistoryEntry entry) {
    return Duration.between(start, entry.at()).toSeconds();
  }
}
