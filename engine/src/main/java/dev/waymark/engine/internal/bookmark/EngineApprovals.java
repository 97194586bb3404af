package dev.waymark.engine.internal.bookmark;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.approval.Vote;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.TaskAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.InstanceQueries;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.request.StandIns;
import dev.waymark.engine.task.Approvals;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Carries out votes and delegations, as commands. */
public final class EngineApprovals implements Approvals {

  private final StoreCalls calls;
  private final CommandGateway gateway;
  private final Requests requests;
  private final InstanceQueries queries;
  private final StandIns standIns;

  public EngineApprovals(
      StoreCalls calls, CommandGateway gateway, InstanceQueries queries, StandIns standIns) {
    this.calls = calls;
    this.gateway = gateway;
    this.requests = gateway.requests();
    this.queries = queries;
    this.standIns = standIns;
  }

  @Override
  public Answer approve(BookmarkId id, String comment, Caller caller) {
    given("id, comment, caller", id, comment, caller);
    return vote(id, Outcome.APPROVED, comment, null, caller);
  }

  @Override
  public Answer reject(BookmarkId id, String comment, Caller caller) {
    given("id, comment, caller", id, comment, caller);
    return vote(id, Outcome.REJECTED, comment, null, caller);
  }

  @Override
  public Answer requestChanges(BookmarkId id, String comment, Caller caller) {
    given("id, comment, caller", id, comment, caller);
    return vote(id, Outcome.CHANGES_REQUESTED, comment, null, caller);
  }

  @Override
  public Answer vote(
      BookmarkId id, Outcome outcome, String comment, @Nullable String onBehalfOf, Caller caller) {
    given("id, outcome, comment, caller", id, outcome, comment, caller);
    Map<String, @Nullable Object> answer = Requests.vote(outcome, comment, onBehalfOf);
    return gateway.ask(requests.answer(id, null, answer, standsFor(caller), caller), caller);
  }

  /** A vote as the answer to the approval's wait. */
  @Override
  public Answer delegate(
      BookmarkId id, String to, @Nullable Instant from, @Nullable Instant until, Caller caller) {
    given("id, to, caller", id, to, caller);
    return gateway.ask(
        requests.attend(id, new TaskAction.Delegate(to, from, until), Set.of(), caller), caller);
  }

  @Override
  public Answer comment(BookmarkId id, String text, Caller caller) {
    given("id, text, caller", id, text, caller);
    return gateway.ask(
        requests.attend(id, new TaskAction.Comment(text), standsFor(caller), caller), caller);
  }

  private Set<String> standsFor(Caller caller) {
    return standIns.standsFor(caller.actor());
  }

  @Override
  public List<Vote> decisions(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    String tenant = caller.actor().tenant();
    return calls.patience(caller).read(() -> decisions(instance, tenant));
  }

  private List<Vote> decisions(InstanceId instance, String tenant) {
    List<Vote> votes = new ArrayList<>();
    if (queries.find(tenant, instance) != null) {
      queries.read(
          instance,
          1,
          Integer.MAX_VALUE,
          entry -> {
            if (entry.type() == HistoryEntry.Type.VOTE_CAST) {
              votes.add(Vote.fromDocument(entry.detail()));
            }
            return true;
          });
    }
    return votes;
  }
}
