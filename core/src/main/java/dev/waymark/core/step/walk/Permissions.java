package dev.waymark.core.step.walk;

import static dev.waymark.core.step.Decision.Rejection.Code.NOT_YOURS;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.TaskAction;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Says whether the actor of a command may act on a wait for people. */
public final class Permissions {

  private Permissions() {}

  /**
   * The refusal of an actor who is no candidate for this wait and no operator; absent if they may
   * act.
   */
  public static @Nullable Rejection mayAct(Walk walk, Bookmark bookmark) {
    Command command = walk.draft().command;
    Actor actor = command.meta().actor();
    Set<String> standsFor =
        command instanceof Command.Attend attend ? attend.standsFor() : Set.of();
    return bookmark.terms().candidates().allow(actor, standsFor) || isOperator(command.meta())
        ? null
        : Rejection.notYours(bookmark, actor);
  }

  /** True if the actor may act on work of other people, such as one on holiday. */
  public static boolean isOperator(Command.Meta meta) {
    return meta.operators().include(meta.actor());
  }

  /** The refusal of an act for operators to an actor who is none; absent if they may. */
  public static @Nullable Rejection operatorsOnly(Walk walk, TaskAction act) {
    Command.Meta meta = walk.draft().command.meta();
    return isOperator(meta)
        ? null
        : Rejection.of(
            NOT_YOURS,
            "Expected an operator (role %s) for '%s', but %s is none"
                .formatted(
                    String.join(" or ", meta.operators().roles()), act.word(), meta.actor().id()));
  }
}
