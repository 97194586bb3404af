package dev.waymark.engine.internal.bookmark;

import static dev.waymark.core.Arguments.given;
import static dev.waymark.core.step.Decision.Rejection.Code.EXPIRED;
import static dev.waymark.core.step.Decision.Rejection.Code.NOT_FOUND;
import static dev.waymark.core.step.Decision.Rejection.Code.NO_EXTENSIONS;
import static dev.waymark.core.step.Decision.Rejection.Code.WRONG_STATE;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.BookmarkQueries;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.CommandGateway;
import dev.waymark.engine.internal.request.EngineBookmarkQueries;
import dev.waymark.engine.internal.request.Requests;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.time.EngineHousekeeping;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Leases.Look;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Claims, holds and answers waits for callers. */
public final class EngineBookmarks implements Bookmarks {

  private final ThisNode node;
  private final StoreCalls calls;
  private final RowWriter writer;
  private final ClaimBatcher claims;
  private final CommandGateway gateway;
  private final Requests requests;
  private final EngineBookmarkQueries lookup;
  private final EngineHousekeeping housekeeping;

  public EngineBookmarks(
      ThisNode node,
      StoreCalls calls,
      RowWriter writer,
      ClaimBatcher claims,
      CommandGateway gateway,
      EngineBookmarkQueries lookup,
      EngineHousekeeping housekeeping) {
    this.node = node;
    this.calls = calls;
    this.writer = writer;
    this.claims = claims;
    this.gateway = gateway;
    this.requests = gateway.requests();
    this.lookup = lookup;
    this.housekeeping = housekeeping;
  }

  // ---- taking

  @Override
  public Optional<ClaimResult.Held> claimNext(Duration lease, Caller caller) {
    given("lease, caller", lease, caller);
    List<ClaimResult.Held> claimed = claim(ClaimRequest.lasting(lease), caller);
    return claimed.isEmpty() ? Optional.empty() : Optional.of(claimed.get(0));
  }

  @Override
  public List<ClaimResult.Held> claim(ClaimRequest request, Caller caller) {
    given("request, caller", request, caller);
    Actor actor = caller.actor();
    ClaimQuestion question = new ClaimQuestion(request, actor);
    Patience patience = calls.patience(caller);
    List<Claim> claimed =
        patience.await(
            () ->
                claims.claim(
                    question.query(), question.holder(), request.batch(), patience.deadline()));
    List<ClaimResult.Held> held = new ArrayList<>(claimed.size());
    for (Claim claim : claimed) {
      Bookmark bookmark = claims.read(claim);
      if (bookmark != null) {
        held.add(new ClaimResult.Held(bookmark.heldBy(claim.lease()), claim.lease()));
      }
    }
    return held;
  }

  @Override
  public ClaimResult claim(BookmarkId bookmark, Duration lease, Caller caller) {
    given("bookmark, lease, caller", bookmark, lease, caller);
    return claim(bookmark, lease, Set.of(), caller);
  }

  /** The same for who also acts for others now. */
  ClaimResult claim(BookmarkId bookmark, Duration lease, Set<String> standsFor, Caller caller) {
    Actor actor = caller.actor();
    Set<String> names = Candidates.namesOf(actor);
    standsFor.forEach(user -> names.add(Candidates.user(user)));
    Patience patience = calls.patience(caller);
    Look look = claimAs(names, bookmark, lease, actor, patience);
    if (look != null && !look.permitted() && isForOperators(look)) {
      // An intervention names a level, which some applications know as a group and others as a
      // role.
      actor.roles().forEach(role -> names.add(Candidates.group(role)));
      look = claimAs(names, bookmark, lease, actor, patience);
    }
    if (look == null) {
      WaitRow archived = lookup.row(bookmark, caller);
      return archived == null
          ? notFound(bookmark)
          : closed(lookup.bookmark(archived), standsFor, actor);
    }
    if (look.granted() != null) {
      claims.claimed(bookmark, look.granted());
      return held(look.row(), look.granted());
    }
    Bookmark seen = lookup.bookmark(look.row());
    if (!seen.isOpen()) {
      return closed(seen, standsFor, actor);
    }
    if (!look.permitted()) {
      return notYours(seen, actor);
    }
    if (look.held()) {
      Lease live = requireNonNull(seen.lease(), "lease");
      boolean own = live.holder().equals(actor.id());
      return !own
          ? leased(seen, live)
          : look.expired() ? expired(seen) : new ClaimResult.Held(seen, live);
    }
    return look.expired() ? expired(seen) : notClaimable(seen);
  }

  /**
   * Its rows of candidates are removed when it ends; its terms still name the people who may see
   * it.
   */
  private ClaimResult closed(Bookmark seen, Set<String> standsFor, Actor actor) {
    return seen.terms().candidates().allow(actor, standsFor)
        ? notClaimable(seen)
        : notYours(seen, actor);
  }

  // After a lost answer the same claim finds its own lease, as any claim of the holder does.
  private @Nullable Look claimAs(
      Set<String> names, BookmarkId bookmark, Duration lease, Actor actor, Patience patience) {
    Leases.One one =
        new Leases.One(
            actor.tenant(),
            bookmark,
            names,
            actor.id(),
            actor.id(),
            lease,
            ClaimRequest.lasting(lease).extensions());
    return patience.find(again -> leases().claimOne(one));
  }

  private boolean isForOperators(Look look) {
    Bookmark seen = lookup.bookmark(look.row());
    return seen.isOpen() && seen.kind() == BookmarkKind.MANUAL_INTERVENTION;
  }

  private ClaimResult.Held held(WaitRow row, Lease lease) {
    return new ClaimResult.Held(lookup.bookmark(row).heldBy(lease), lease);
  }

  // ---- holding

  @Override
  public ClaimResult extend(BookmarkId bookmark, Lease held, Duration lease, Caller caller) {
    given("bookmark, held, lease, caller", bookmark, held, lease, caller);
    Duration wanted = Limits.lease(lease);
    WaitRow before = lookup.row(bookmark, caller);
    Optional<ClaimResult> refusal = refusal(bookmark, before, held, caller);
    if (before == null || refusal.isPresent()) {
      return refusal.orElseGet(() -> notFound(bookmark));
    }
    Lease extended =
        calls
            .patience(caller)
            .find(
                again -> again ? extendAgain(before, held, wanted) : extend(before, held, wanted));
    return answer(bookmark, held, extended, true, caller);
  }

  private @Nullable Lease extend(WaitRow before, Lease held, Duration lease) {
    return leases().extend(before.id(), held.holder(), held.fence(), lease);
  }

  /** One extension less under the same fence: the first try was carried out. */
  private @Nullable Lease extendAgain(WaitRow before, Lease held, Duration lease) {
    WaitRow now = node.store().waits().find(before.tenant(), before.id());
    Lease current = now == null ? null : lookup.bookmark(now).lease();
    boolean done =
        now != null
            && current != null
            && current.fence() == held.fence()
            && now.handling().extensions() < before.handling().extensions();
    return done ? current : extend(before, held, lease);
  }

  @Override
  public ClaimResult begin(BookmarkId bookmark, Lease held, Caller caller) {
    given("bookmark, held, caller", bookmark, held, caller);
    Optional<ClaimResult> refusal = refusal(bookmark, held, caller);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    boolean begun =
        calls
            .patience(caller)
            .call(
                again ->
                    leases().begin(bookmark, held.holder(), held.fence())
                        != Leases.Begun.NOT_CURRENT);
    return answer(bookmark, held, begun ? held : null, false, caller);
  }

  @Override
  public ClaimResult progress(
      BookmarkId bookmark,
      Lease held,
      Map<String, ? extends @Nullable Object> progress,
      Caller caller) {
    given("bookmark, held, progress, caller", bookmark, held, progress, caller);
    Optional<ClaimResult> refusal = refusal(bookmark, held, caller);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    Map<String, @Nullable Object> given = Json.given(progress);
    Rejection unfit = gateway.requests().payloads().refusal(given, caller);
    if (unfit != null) {
      return new ClaimResult.Refused(unfit);
    }
    String document = writer.document(given);
    boolean told =
        calls.patience(caller).call(again -> leases().progress(bookmark, held.fence(), document));
    return answer(bookmark, held, told ? held : null, false, caller);
  }

  @Override
  public ClaimResult release(BookmarkId bookmark, Lease held, Caller caller) {
    given("bookmark, held, caller", bookmark, held, caller);
    Optional<ClaimResult> refusal = refusal(bookmark, held, caller);
    if (refusal.isPresent()) {
      return refusal.get();
    }
    // If the answer was lost and the claim is gone now, it was given back.
    boolean released =
        calls.patience(caller).call(again -> leases().release(bookmark, held.fence()) || again);
    return answer(bookmark, held, released ? held : null, false, caller);
  }

  @Override
  public ClaimResult release(BookmarkId bookmark, Caller caller) {
    given("bookmark, caller", bookmark, caller);
    WaitRow row = lookup.row(bookmark, caller);
    if (row == null) {
      return notFound(bookmark);
    }
    Bookmark seen = lookup.bookmark(row);
    Lease lease = seen.lease();
    if (!seen.isOpen()) {
      return notClaimable(seen);
    }
    if (lease == null) {
      return ClaimResult.refused(
          WRONG_STATE,
          "Expected %s to hold '%s', but nobody does".formatted(caller.actor().id(), seen.key()));
    }
    return lease.holder().equals(caller.actor().id())
        ? release(bookmark, lease, caller)
        : leased(seen, lease);
  }

  /**
   * The refusal of a caller that may not act on the claim that it says it holds. A fence is a small
   * number: a right fence proves neither the holder nor the tenant. A claim never changes hands
   * while its fence is current, so the check here still holds where the fence is compared.
   */
  private Optional<ClaimResult> refusal(BookmarkId bookmark, Lease held, Caller caller) {
    return refusal(bookmark, lookup.row(bookmark, caller), held, caller);
  }

  private Optional<ClaimResult> refusal(
      BookmarkId bookmark, @Nullable WaitRow row, Lease held, Caller caller) {
    if (row == null) {
      return Optional.of(notFound(bookmark));
    }
    Bookmark seen = lookup.bookmark(row);
    Lease lease = seen.lease();
    boolean another =
        lease != null && (lease.fence() != held.fence() || !lease.isHeldBy(caller.actor()));
    return seen.isOpen() && another ? Optional.of(stale(seen, lease)) : Optional.empty();
  }

  private ClaimResult answer(
      BookmarkId bookmark, Lease held, @Nullable Lease granted, boolean extending, Caller caller) {
    WaitRow row = requireNonNull(lookup.row(bookmark, caller), "row");
    Bookmark seen = lookup.bookmark(row);
    if (granted != null) {
      return new ClaimResult.Held(seen.heldBy(granted), granted);
    }
    Lease current = seen.lease();
    if (!seen.isOpen() || seen.isExpiredAt(node.now())) {
      return notClaimable(seen);
    }
    if (current == null || current.fence() != held.fence()) {
      return stale(seen, current);
    }
    return extending && row.handling().extensions() == 0
        ? ClaimResult.refused(
            NO_EXTENSIONS,
            "Expected an extension of '%s' to be left, but all are used: it is yours until %s"
                .formatted(seen.key(), current.until()))
        : leased(seen, current);
  }

  // ---- answering

  @Override
  public Answer resume(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return gateway.ask(requests.resume(bookmark, null, payload, caller), caller);
  }

  @Override
  public Answer resume(
      BookmarkId bookmark,
      long fence,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return gateway.ask(requests.resume(bookmark, fence, payload, caller), caller);
  }

  @Override
  public Answer resume(
      BookmarkId bookmark,
      Lease held,
      Map<String, ? extends @Nullable Object> payload,
      Caller caller) {
    given("held", held);
    return resume(bookmark, held.fence(), payload, caller);
  }

  @Override
  public CompletableFuture<Answer> resumeAsync(
      BookmarkId bookmark, Map<String, ? extends @Nullable Object> payload, Caller caller) {
    given("bookmark, payload, caller", bookmark, payload, caller);
    return gateway.askAsync(requests.resume(bookmark, null, payload, caller), caller);
  }

  // ---- looking

  @Override
  public BookmarkQueries look() {
    return lookup;
  }

  // ---- keeping

  @Override
  public Housekeeping housekeeping() {
    return housekeeping;
  }

  private Leases leases() {
    return node.store().leases();
  }

  private static ClaimResult notFound(BookmarkId bookmark) {
    return ClaimResult.refused(
        NOT_FOUND, "Expected a bookmark, but there is none with id " + bookmark);
  }

  private static ClaimResult leased(Bookmark seen, Lease live) {
    return new ClaimResult.Refused(Rejection.leased(seen, live));
  }

  private static ClaimResult stale(Bookmark seen, @Nullable Lease current) {
    return new ClaimResult.Refused(Rejection.staleFence(seen, current));
  }

  private static ClaimResult notYours(Bookmark seen, Actor actor) {
    return new ClaimResult.Refused(Rejection.notYours(seen, actor));
  }

  private ClaimResult notClaimable(Bookmark seen) {
    if (seen.closing() != null) {
      return new ClaimResult.Refused(Rejection.alreadyClosed(seen));
    }
    if (seen.isExpiredAt(node.now())) {
      return expired(seen);
    }
    return ClaimResult.refused(
        WRONG_STATE,
        "Expected a bookmark that can be claimed, but '%s' is a %s"
            .formatted(seen.key(), seen.kind()));
  }

  private static ClaimResult expired(Bookmark seen) {
    return ClaimResult.refused(
        EXPIRED,
        "Expected '%s' before %s, but it has expired"
            .formatted(seen.key(), String.valueOf(seen.terms().expires())));
  }
}
