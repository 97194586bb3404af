package dev.waymark.core.step.walk;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The behaviour of a run at activities of one type. A new kind of activity is a new implementation
 * here and an entry in {@code Kinds}. The decider, the walk and the explainer know a kind only by
 * the methods of this interface.
 *
 * <p>A kind keeps no state of a run. All that it needs between steps is in the visit's {@code
 * data}.
 */
public interface Kind extends ActivityType {

  /** Finds the kind of a type that a definition names. */
  interface Lookup {

    Kind of(String type);
  }

  /** A token has entered; the visit is live and its input evaluated. */
  void enter(Walk walk, ActivityInstance visit);

  /** One of the visit's bookmarks was consumed with this answer. */
  default void resumed(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Map<String, @Nullable Object> payload) {
    walk.complete(visit, payload);
  }

  /** The reason why this answer is refused, in addition to the guard; absent if it is accepted. */
  default @Nullable Rejection refusal(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume answer) {
    return Permissions.mayAct(walk, bookmark);
  }

  /**
   * Decides on an answer to one of the visit's waits, where an answer need not end the wait.
   *
   * @return absent if the first answer that is allowed ends the wait, as nearly everywhere
   */
  default @Nullable Decision answer(
      Walk walk, ActivityInstance visit, Bookmark bookmark, Command.Resume answer) {
    return null;
  }

  /** Decides an act of a person on one of the visit's waits that is no answer. */
  default @Nullable Rejection attend(
      Walk walk, ActivityInstance visit, Bookmark bookmark, TaskAction act) {
    return Rejection.of(
        Rejection.Code.WRONG_STATE,
        "Expected a task or an approval, but '%s' is neither".formatted(visit.activity()));
  }

  /** A person has looked at a parked visit, and wants it tried again. */
  default void retried(Walk walk, ActivityInstance visit) {
    walk.begin(visit);
  }

  /**
   * The visit ends before it has done its work; its requests to other runs are to be taken back.
   */
  default void cancelled(Walk walk, ActivityInstance visit) {}

  /** True if an application's code runs at the activity. */
  default boolean runsBody() {
    return false;
  }

  /** True if its waits are work for people, with timers of their own beside them. */
  default boolean asksPeople() {
    return false;
  }

  /** True if its visits gather the branches of a fork. */
  default boolean joins() {
    return false;
  }

  /** True if its visits undo completed activities: they react to no fault then. */
  default boolean undoes() {
    return false;
  }

  /** True if its visits take a message for them without asking the guard first. */
  default boolean takesEveryMessage() {
    return false;
  }

  /** True if a result that no mapping takes goes into the variables. */
  default boolean merges() {
    return true;
  }

  /** True if a visit that is already live takes this token in, so that no new visit begins. */
  default boolean absorbs(Walk walk, Activity activity, long parent) {
    return false;
  }

  /** True if visits of this kind depend on what becomes of others, and so want to be settled. */
  default boolean settles() {
    return false;
  }

  /**
   * Looks at the whole after everything has moved; returns whether it moved something itself.
   *
   * @param visit a live visit of this kind
   */
  default boolean settle(Walk walk, ActivityInstance visit) {
    return false;
  }
}
