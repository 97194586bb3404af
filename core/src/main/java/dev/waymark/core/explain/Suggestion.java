package dev.waymark.core.explain;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.InterventionAction;
import org.jspecify.annotations.Nullable;

/**
 * A command that would move a run on: a verb with the arguments that are known. A suggestion is
 * data; the engine and the command line each render the call for their users.
 */
public sealed interface Suggestion {

  record Continue(InstanceId instance) implements Suggestion {}

  record Cancel(InstanceId instance) implements Suggestion {}

  record MoveToken(InstanceId instance, long visit) implements Suggestion {}

  record SendMessage(InstanceId instance, String name) implements Suggestion {}

  record Correlate(String name, String correlation) implements Suggestion {}

  record SealToken(String tenant, InstanceId instance, String name) implements Suggestion {}

  record SendSignal(String name) implements Suggestion {}

  record Explain(InstanceId child) implements Suggestion {}

  /** An operator's answer. The fence is that of a live claim. */
  record Intervene(BookmarkId bookmark, @Nullable Long fence, InterventionAction action)
      implements Suggestion {}

  record Claim(BookmarkId bookmark) implements Suggestion {}

  /** An answer to a wait that may be anything. The fence is that of a live claim. */
  record Consume(BookmarkId bookmark, @Nullable Long fence) implements Suggestion {}

  record ClaimTask(BookmarkId task) implements Suggestion {}

  /** The fence is that of a live claim. */
  record CompleteTask(BookmarkId task, @Nullable Long fence) implements Suggestion {}

  record ResolveTask(BookmarkId task) implements Suggestion {}

  record Vote(BookmarkId approval, Outcome outcome) implements Suggestion {}

  record FireTimer(BookmarkId timer) implements Suggestion {}

  record RescheduleTimer(BookmarkId timer) implements Suggestion {}

  /** The same as a text for people. */
  default String what() {
    return switch (this) {
      case Continue go -> "let it go on";
      case Cancel cancel -> "cancel the run";
      case MoveToken move -> "go on elsewhere";
      case SendMessage send -> "send the message";
      case Correlate correlate -> "send it by key";
      case SealToken seal -> "let the partner call back";
      case SendSignal signal -> "send the signal";
      case Explain explain -> "see why the child waits";
      case Intervene intervene -> intervene.action().word();
      case Claim claim -> "take it";
      case Consume consume -> consume.fence() == null ? "answer it" : "answer it, for who holds it";
      case ClaimTask claim -> "take it";
      case CompleteTask complete ->
          complete.fence() == null ? "complete it" : "complete it, for who holds it";
      case ResolveTask resolve -> "hand it back to its owner";
      case Vote vote ->
          switch (vote.outcome()) {
            case APPROVED -> "approve";
            case REJECTED -> "reject";
            case CHANGES_REQUESTED -> "request changes";
          };
      case FireTimer fire -> "let it fire now";
      case RescheduleTimer reschedule -> "give it another time";
    };
  }
}
