package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A change that an operator makes to a run by hand: the content of {@link Command.Edit}. */
public sealed interface Correction {

  /** The name of the correction in history. */
  String word();

  /** All that it says, to tell it from another correction. */
  Map<String, @Nullable Object> toDocument();

  /** Sets variables of the run, and removes others. */
  record SetVariables(Map<String, @Nullable Object> set, List<String> remove)
      implements Correction {

    public SetVariables {
      set = Json.given(set);
      remove = List.copyOf(remove);
      var unused = Json.valueOf(remove);
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("set", set, "remove", remove);
    }

    @Override
    public String word() {
      return "set-variables";
    }
  }

  /** Ends a visit, with all inside it, and enters another activity in its place. */
  record MoveToken(long visit, String to) implements Correction {

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("visit", visit, "to", to);
    }

    @Override
    public String word() {
      return "move-token";
    }
  }

  /**
   * Makes an open timer due now. It does not say when that is, so that it is the same request when
   * it is sent again.
   */
  record FireTimer(BookmarkId timer) implements Correction {

    public FireTimer {
      requireNonNull(timer, "timer");
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("timer", timer.toString());
    }

    @Override
    public String word() {
      return "fire-timer";
    }
  }

  /** Gives an open timer another due time. */
  record RescheduleTimer(BookmarkId timer, Instant due) implements Correction {

    public RescheduleTimer {
      requireNonNull(timer, "timer");
      Limits.due("a due time", due);
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("timer", timer.toString(), "due", due.toString());
    }

    @Override
    public String word() {
      return "reschedule-timer";
    }
  }

  /** Ends all that is alive in the activity's scope, and begins again there. */
  record RestartFrom(String activity) implements Correction {

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("activity", activity);
    }

    @Override
    public String word() {
      return "restart-from";
    }
  }
}
