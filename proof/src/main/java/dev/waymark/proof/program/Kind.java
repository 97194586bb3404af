package dev.waymark.proof.program;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What an activity of a program does. */
public sealed interface Kind {

  /**
   * Work of the application, which here only says that it was done.
   *
   * @param holds whether an operator suspends the run while the body's first attempt runs
   */
  record Probe(
      Term label, long failures, @Nullable String fatal, Map<String, Term> result, boolean holds)
      implements Kind {

    Probe(Term label, long failures, @Nullable String fatal, Map<String, Term> result) {
      this(label, failures, fatal, result, false);
    }
  }

  record Set(Map<String, Term> values) implements Kind {}

  record End() implements Kind {}

  /**
   * Ends the run.
   *
   * @param status {@code COMPLETED}, {@code FAILED} or {@code CANCELLED}
   */
  record Terminate(String status, String code) implements Kind {

    boolean failed() {
      return status.equals("FAILED");
    }
  }

  /** A timer whose duration is a number, and so none. */
  record Misfit(String variable) implements Kind {}

  record Raise(String code) implements Kind {}

  record Fork(List<String> branches) implements Kind {}

  record Split() implements Kind {}

  /**
   * Gathers the branches of a group.
   *
   * @param many how many must come; 0 for all that can
   */
  record Join(int many, boolean cancelRest) implements Kind {}

  /** What can be waited for, alone or in a race. */
  sealed interface Waiting extends Kind {}

  record Timer(long seconds) implements Waiting {}

  /**
   * Waits for one answer.
   *
   * @param answer what the script answers; absent if it never does
   */
  record Wait(Source source, Term key, @Nullable Map<String, Object> answer) implements Waiting {}

  /** Who can answer a wait. */
  enum Source {
    USER_ACTION("user-action"),
    APPROVAL("approval"),
    MESSAGE("external-message"),
    SIGNAL("signal");

    final String text;

    Source(String text) {
      this.text = text;
    }
  }

  record Race(Map<String, Rival> waits) implements Kind {}

  /**
   * One wait of a race.
   *
   * @param when whether it takes part
   * @param to where it leads; absent, the race's {@code next}
   */
  record Rival(Waiting waiting, @Nullable Condition when, @Nullable String to) {}

  record Scope(Map<String, Term> variables, Block block) implements Kind {}

  record ForEach(
      Term items,
      int parallel,
      String item,
      String index,
      Map<String, Term> variables,
      Block block,
      Term collect,
      @Nullable Condition until)
      implements Kind {}

  record SubWorkflow(
      String definition,
      Map<String, Term> input,
      boolean await,
      boolean goOnWhenChildFails,
      boolean leaveWhenParentEnds)
      implements Kind {}

  record Signal(String name, Map<String, Term> payload) implements Kind {}

  /** Sends a message to the run itself. */
  record Send(String name, Map<String, Term> payload) implements Kind {}

  record Emit(String type) implements Kind {}

  record Compensate(@Nullable String activity) implements Kind {}
}
