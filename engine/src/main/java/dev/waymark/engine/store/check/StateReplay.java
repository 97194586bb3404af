package dev.waymark.engine.store.check;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Change;
import dev.waymark.core.step.StateDocument;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Rebuilds an instance's state from its history, from the very first step. */
final class StateReplay {

  private static final int PAGE = 500;
  private static final Duration MICRO = Duration.ofNanos(1_000);

  // Only the first entry of a step carries changes, so a version is never cut in two.
  private static final String CHANGES =
      """
      select h.version, h.changes, h.snapshot
        from wm_history h
       where h.instance_id = :instance
         and h.version > :after
         and h.ordinal = 0
       order by h.version
       limit :limit
      """;

  private final Inquiry inquiry;
  private final UnaryOperator<String> decoding;

  StateReplay(Inquiry inquiry, UnaryOperator<String> decoding) {
    this.inquiry = inquiry;
    this.decoding = decoding;
  }

  /**
   * The state that follows from history.
   *
   * @param faults full copies that differ from the result of the changes before them, or a change
   *     that cannot be applied
   */
  record ReplayedState(@Nullable Object state, List<String> faults) {}

  private record StateEntry(long version, @Nullable String changes, @Nullable String snapshot) {}

  ReplayedState of(UUID instance) throws SQLException {
    Object state = StateDocument.EMPTY;
    List<String> faults = new ArrayList<>();
    long after = 0;
    while (true) {
      Map<String, Object> values = Map.of("instance", instance, "after", after, "limit", PAGE);
      List<StateEntry> page = inquiry.ask(CHANGES, values, StateReplay::entry);
      if (page.isEmpty()) {
        return new ReplayedState(state, faults);
      }
      for (StateEntry entry : page) {
        try {
          state = apply(entry, state, faults);
        } catch (RuntimeException e) {
          // Every exception that a damaged document causes is such a fault.
          faults.add("version %d cannot be applied: %s".formatted(entry.version(), e));
          return new ReplayedState(state, faults);
        }
        after = entry.version();
      }
    }
  }

  private static StateEntry entry(Inquiry.InquiryRow row) throws SQLException {
    return new StateEntry(
        row.number("version"), row.textOrNull("changes"), row.textOrNull("snapshot"));
  }

  @SuppressWarnings("unchecked") // the document is our own
  private @Nullable Object apply(StateEntry entry, @Nullable Object before, List<String> faults) {
    Object state = before;
    if (entry.changes() != null) {
      for (Object change : (List<?>) value(entry.changes())) {
        state = Change.fromDocument((List<@Nullable Object>) change).applyTo(state);
      }
    }
    if (entry.snapshot() != null && !value(entry.snapshot()).equals(Json.valueOf(state))) {
      faults.add("the full copy at version %d differs from its changes".formatted(entry.version()));
    }
    return state;
  }

  private Object value(String stored) {
    Object value = Json.read(decoding.apply(stored));
    if (value == null) {
      throw new IllegalStateException("Expected a document, but got null");
    }
    return value;
  }

  static @Nullable Object at(@Nullable Object document, List<String> path) {
    Object value = document;
    for (String name : path) {
      value = value instanceof Map<?, ?> map ? map.get(name) : null;
    }
    return value;
  }

  static boolean isSameDue(Object stored, @Nullable Object told) {
    try {
      Duration apart =
          Duration.between(
              Instant.parse(String.valueOf(stored)), Instant.parse(String.valueOf(told)));
      return apart.abs().compareTo(MICRO) < 0;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
