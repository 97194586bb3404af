package dev.waymark.core.explain;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.explain.Explanation.Move;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.InterventionAction;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Chooses the suggestions of an explanation, and has them rendered. */
final class SuggestedMoves {

  private final InstanceId instance;
  private final Function<Suggestion, Move> rendering;

  SuggestedMoves(InstanceId instance, Function<Suggestion, Move> rendering) {
    this.instance = instance;
    this.rendering = rendering;
  }

  private List<Move> rendered(Suggestion... suggestions) {
    return Stream.of(suggestions).map(rendering).toList();
  }

  Move goOn() {
    return rendering.apply(new Suggestion.Continue(instance));
  }

  Move cancel() {
    return rendering.apply(new Suggestion.Cancel(instance));
  }

  Move elsewhere(long visit) {
    return rendering.apply(new Suggestion.MoveToken(instance, visit));
  }

  Move send(String name) {
    return rendering.apply(new Suggestion.SendMessage(instance, name));
  }

  Move correlate(String name, String correlation) {
    return rendering.apply(new Suggestion.Correlate(name, correlation));
  }

  Move callBack(String tenant, String name) {
    return rendering.apply(new Suggestion.SealToken(tenant, instance, name));
  }

  Move signal(String name) {
    return rendering.apply(new Suggestion.SendSignal(name));
  }

  Move explain(InstanceId child) {
    return rendering.apply(new Suggestion.Explain(child));
  }

  List<Move> intervene(Bookmark wait, @Nullable Lease live) {
    return Stream.of(InterventionAction.values())
        .map(action -> new Suggestion.Intervene(wait.id(), fence(live), action))
        .map(rendering)
        .toList();
  }

  /** An answer to a wait that may be anything; who holds it need not take it first. */
  List<Move> answer(Bookmark wait, @Nullable Lease live) {
    Suggestion answer = new Suggestion.Consume(wait.id(), fence(live));
    return live == null ? rendered(new Suggestion.Claim(wait.id()), answer) : rendered(answer);
  }

  List<Move> complete(Bookmark task, @Nullable Lease live) {
    Suggestion complete = new Suggestion.CompleteTask(task.id(), fence(live));
    return live == null
        ? rendered(new Suggestion.ClaimTask(task.id()), complete)
        : rendered(complete);
  }

  Move resolve(Bookmark task) {
    return rendering.apply(new Suggestion.ResolveTask(task.id()));
  }

  List<Move> vote(Bookmark approval) {
    return Stream.of(Outcome.values())
        .map(outcome -> new Suggestion.Vote(approval.id(), outcome))
        .map(rendering)
        .toList();
  }

  List<Move> timer(Bookmark timer) {
    return rendered(
        new Suggestion.FireTimer(timer.id()), new Suggestion.RescheduleTimer(timer.id()));
  }

  private static @Nullable Long fence(@Nullable Lease live) {
    return live == null ? null : live.fence();
  }
}
