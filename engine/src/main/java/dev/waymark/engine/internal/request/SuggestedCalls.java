package dev.waymark.engine.internal.request;

import dev.waymark.core.explain.Explanation.Move;
import dev.waymark.core.explain.Suggestion;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.InterventionAction;

/**
 * Renders the suggestions of an explanation: as a call of the engine, and as a line for the command
 * line of the server, which does not exist yet.
 */
final class SuggestedCalls {

  private SuggestedCalls() {}

  static Move of(Suggestion suggestion) {
    return new Move(suggestion, java(suggestion), line(suggestion));
  }

  private static String java(Suggestion suggestion) {
    return switch (suggestion) {
      case Suggestion.Continue go ->
          "engine.operations().continueInstance(%s, \"…\", caller)".formatted(id(go.instance()));
      case Suggestion.Cancel cancel ->
          "engine.operations().cancel(%s, \"…\", caller)".formatted(id(cancel.instance()));
      case Suggestion.MoveToken move ->
          "engine.operations().edit(%s, new MoveToken(%d, \"…\"), \"…\", caller)"
              .formatted(id(move.instance()), move.visit());
      case Suggestion.SendMessage send ->
          "engine.messages().send(%s, \"%s\", Map.of(…), source, id, caller)"
              .formatted(id(send.instance()), send.name());
      case Suggestion.Correlate it ->
          "engine.messages().correlate(Correlated.of(\"%s\", \"%s\", Map.of(…), source, id), caller)"
              .formatted(it.name(), it.correlation());
      case Suggestion.SealToken seal ->
          "engine.callbacks().seal(new Token(\"%s\", %s, \"%s\", true, null))"
              .formatted(seal.tenant(), id(seal.instance()), seal.name());
      case Suggestion.SendSignal signal ->
          "engine.messages().signal(\"%s\", Map.of(…), source, id, caller)"
              .formatted(signal.name());
      case Suggestion.Explain explain ->
          "engine.instances().explain(%s, caller)".formatted(id(explain.child()));
      case Suggestion.Intervene intervene ->
          "engine.operations().intervene(%s%s, InterventionAction.%s, %s\"…\", caller)"
              .formatted(
                  id(intervene.bookmark()),
                  intervene.fence() == null ? "" : ", " + intervene.fence(),
                  intervene.action(),
                  hasValues(intervene) || intervene.fence() != null ? "Map.of(…), " : "");
      case Suggestion.Claim claim ->
          "engine.bookmarks().claim(%s, Duration.ofHours(1), caller)"
              .formatted(id(claim.bookmark()));
      case Suggestion.Consume consume ->
          "engine.bookmarks().resume(%s, %sMap.of(…), caller)"
              .formatted(id(consume.bookmark()), consume.fence() == null ? "" : "lease, ");
      case Suggestion.ClaimTask claim ->
          "engine.tasks().claim(%s, caller)".formatted(id(claim.task()));
      case Suggestion.CompleteTask complete ->
          "engine.tasks().complete(%s, %sMap.of(…), caller)"
              .formatted(
                  id(complete.task()), complete.fence() == null ? "" : complete.fence() + ", ");
      case Suggestion.ResolveTask resolve ->
          "engine.tasks().resolve(%s, \"…\", caller)".formatted(id(resolve.task()));
      case Suggestion.Vote vote ->
          "engine.approvals().%s(%s, \"…\", caller)".formatted(verb(vote), id(vote.approval()));
      case Suggestion.FireTimer fire ->
          "engine.operations().fireTimer(%s, \"…\", caller)".formatted(id(fire.timer()));
      case Suggestion.RescheduleTimer reschedule ->
          "engine.operations().rescheduleTimer(%s, Instant.parse(\"…\"), \"…\", caller)"
              .formatted(id(reschedule.timer()));
    };
  }

  private static String line(Suggestion suggestion) {
    return switch (suggestion) {
      case Suggestion.Continue go ->
          "waymark instance continue %s --reason …".formatted(go.instance());
      case Suggestion.Cancel cancel ->
          "waymark instance cancel %s --reason …".formatted(cancel.instance());
      case Suggestion.MoveToken move ->
          "waymark instance move %s --visit %d --to … --reason …"
              .formatted(move.instance(), move.visit());
      case Suggestion.SendMessage send ->
          "waymark message send %s --to %s --data '{…}'".formatted(send.name(), send.instance());
      case Suggestion.Correlate it ->
          "waymark message correlate %s --key '%s' --data '{…}'"
              .formatted(it.name(), it.correlation());
      case Suggestion.SealToken seal ->
          "waymark callback token %s %s".formatted(seal.instance(), seal.name());
      case Suggestion.SendSignal signal ->
          "waymark signal %s --data '{…}'".formatted(signal.name());
      case Suggestion.Explain explain -> "waymark instance explain %s".formatted(explain.child());
      case Suggestion.Intervene intervene ->
          "waymark intervention resolve %s%s --action %s%s --reason …"
              .formatted(
                  intervene.bookmark(),
                  intervene.fence() == null ? "" : " --fence " + intervene.fence(),
                  intervene.action().word(),
                  hasValues(intervene) ? " --data '{…}'" : "");
      case Suggestion.Claim claim -> "waymark bookmark claim %s".formatted(claim.bookmark());
      case Suggestion.Consume consume ->
          "waymark bookmark consume %s%s --data '{…}'"
              .formatted(
                  consume.bookmark(), consume.fence() == null ? "" : " --fence " + consume.fence());
      case Suggestion.ClaimTask claim -> "waymark task claim %s".formatted(claim.task());
      case Suggestion.CompleteTask complete ->
          "waymark task complete %s%s --data '{…}'"
              .formatted(
                  complete.task(), complete.fence() == null ? "" : " --fence " + complete.fence());
      case Suggestion.ResolveTask resolve ->
          "waymark task resolve %s --comment …".formatted(resolve.task());
      case Suggestion.Vote vote ->
          "waymark approval %s %s --comment …"
              .formatted(vote.what().replace(' ', '-'), vote.approval());
      case Suggestion.FireTimer fire -> "waymark timer fire %s --reason …".formatted(fire.timer());
      case Suggestion.RescheduleTimer reschedule ->
          "waymark timer reschedule %s --to … --reason …".formatted(reschedule.timer());
    };
  }

  private static boolean hasValues(Suggestion.Intervene intervene) {
    return intervene.action() == InterventionAction.MODIFY_VARIABLES;
  }

  private static String verb(Suggestion.Vote vote) {
    return switch (vote.outcome()) {
      case APPROVED -> "approve";
      case REJECTED -> "reject";
      case CHANGES_REQUESTED -> "requestChanges";
    };
  }

  private static String id(InstanceId instance) {
    return "InstanceId.parse(\"%s\")".formatted(instance);
  }

  private static String id(BookmarkId bookmark) {
    return "BookmarkId.parse(\"%s\")".formatted(bookmark);
  }
}
