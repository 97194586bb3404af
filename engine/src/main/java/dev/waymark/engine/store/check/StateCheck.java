package dev.waymark.engine.store.check;

import dev.waymark.core.Json;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Change;
import dev.waymark.engine.store.Invariant;
import dev.waymark.engine.store.check.Findings.RuleFinding;
import dev.waymark.engine.store.check.StateRows.StoredState;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rebuilds instances from their history and compares them with their rows. This looks into
 * documents, so SQL cannot do it.
 */
final class StateCheck {

  private static final int PAGE = 100;
  private static final int PATHS = 5;

  /** The key under which joins, and they alone, store the arrived branches. */
  private static final String ARRIVED = "arrived";

  private final StateRows rows;
  private final StateReplay replay;
  private final Findings findings;

  StateCheck(Inquiry inquiry, UnaryOperator<String> decoding, Findings findings) {
    this.rows = new StateRows(inquiry, decoding);
    this.replay = new StateReplay(inquiry, decoding);
    this.findings = findings;
  }

  void run(int instances) throws SQLException {
    UUID before = new UUID(-1, -1);
    int left = instances;
    while (left > 0 && !findings.isFull()) {
      List<StoredState> page = rows.page(before, Math.min(PAGE, left));
      if (page.isEmpty()) {
        return;
      }
      for (StoredState stored : page) {
        check(stored);
      }
      before = page.get(page.size() - 1).id();
      left -= page.size();
    }
  }

  private void check(StoredState stored) throws SQLException {
    if (stored.fault() != null) {
      find(Invariant.I13, stored, "instance", "cannot be read: " + stored.fault());
      return;
    }
    StateReplay.ReplayedState told = replay.of(stored.id());
    told.faults().forEach(fault -> find(Invariant.I13, stored, "history", fault));
    List<Change> differences =
        Change.between(List.of(), withDueOf(stored.state(), told.state()), stored.state());
    if (!differences.isEmpty()) {
      find(Invariant.I13, stored, "instance", "differs from its history at " + paths(differences));
    } else if (!Json.isSame(variablesOf(stored.state()), variablesOf(told.state()))) {
      find(Invariant.I13, stored, "instance", "has variables whose keys history orders otherwise");
    }
    if (!Objects.equals(stored.labels(), stored.state().get("labels"))) {
      find(Invariant.I13, stored, "instance", "has labels that it cannot be found by");
    }
    if (!stored.isEnded()) {
      stored.visits().forEach((visit, state) -> checkVisit(stored, visit, state));
    }
  }

  private static @Nullable Object variablesOf(@Nullable Object state) {
    return StateReplay.at(state, List.of("variables"));
  }

  private static String paths(List<Change> differences) {
    String paths =
        differences.stream()
            .limit(PATHS)
            .map(change -> String.valueOf(change.toDocument().get(0)))
            .collect(Collectors.joining(", "));
    return differences.size() <= PATHS ? paths : paths + " and more";
  }

  // The checks that SQL cannot make, since it sees neither holds nor which visits are joins.
  private void checkVisit(StoredState stored, String visit, Map<String, @Nullable Object> state) {
    if (isIn(State.READY, state) && state.get("due") == null && !stored.isHeld()) {
      find(Invariant.I5, stored, "visit " + visit, "held back, but nobody holds its instance");
    }
    if (isIn(State.WAITING, state) && !isJoin(state) && !stored.isAwaited(visit)) {
      find(Invariant.I5, stored, "visit " + visit, "waits, but for nothing, and is not a join");
    }
  }

  private static boolean isIn(State expected, Map<String, @Nullable Object> visit) {
    return expected.name().equals(visit.get("state"));
  }

  private static boolean isJoin(Map<String, @Nullable Object> visit) {
    return visit.get("data") instanceof Map<?, ?> data && data.containsKey(ARRIVED);
  }

  private void find(Invariant invariant, StoredState stored, String item, String detail) {
    findings.add(invariant, new RuleFinding(stored.id(), item, detail));
  }

  /**
   * The state that follows from history, with the stored due times where both are the same to the
   * microsecond: history keeps the time that was asked for, and the databases keep only
   * microseconds.
   */
  private static @Nullable Object withDueOf(
      Map<String, @Nullable Object> stored, @Nullable Object told) {
    Object adjusted = told;
    for (String part : List.of("activities", "bookmarks")) {
      if (stored.get(part) instanceof Map<?, ?> items) {
        for (Map.Entry<?, ?> item : items.entrySet()) {
          List<String> path = List.of(part, String.valueOf(item.getKey()), "due");
          Object due = item.getValue() instanceof Map<?, ?> row ? row.get("due") : null;
          if (due != null && StateReplay.isSameDue(due, StateReplay.at(adjusted, path))) {
            adjusted = Change.set(path, due).applyTo(adjusted);
          }
        }
      }
    }
    return adjusted;
  }
}
