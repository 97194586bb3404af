package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.internal.node.Backoff;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.Waits.WaitRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves equal requests of many callers with one claim: requests that come while a claim is under
 * way are served together by the next. So single claims cost one transaction for each turn, and not
 * one for each claim.
 */
public final class ClaimBatcher {

  /** Bookmarks that one statement claims, unless one request wants more. */
  private static final int BATCH = 200;

  /** One, so that more callers share a transaction; not measured apart from other changes. */
  private static final int CLAIMERS = 1;

  /** The time for which callers wait until claims in doubt are given back. */
  private static final Duration GIVE_BACK_FIRST = Duration.ofSeconds(5);

  private static final Logger log = LoggerFactory.getLogger(ClaimBatcher.class);
  private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

  static final Duration WORST_PAUSE = BACKOFF.longest();

  private final ThisNode node;
  private final StoreCalls calls;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final Leases leases;
  private final Scheduler scheduler;
  private final Mailboxes mailboxes;
  private final Map<ClaimQuery, List<Ask>> asked = new LinkedHashMap<>();
  private int claiming;

  /**
   * One wish.
   *
   * @param until how long it is tried again after faults that pass
   * @param failed how often it was tried in vain
   */
  private record Ask(
      List<String> holders, CompletableFuture<List<Claim>> answer, Instant until, int failed) {

    Ask again() {
      return new Ask(holders, answer, until, failed + 1);
    }
  }

  /** The callers with equal requests. */
  private record Batch(ClaimQuery query, List<Ask> asks) {

    List<String> holders() {
      List<String> holders = new ArrayList<>();
      asks.forEach(ask -> holders.addAll(ask.holders()));
      return holders;
    }
  }

  public ClaimBatcher(
      ThisNode node,
      StoreCalls calls,
      Mailboxes mailboxes,
      RowReader reader,
      UnreadableRows unreadable) {
    this.node = node;
    this.calls = calls;
    this.reader = reader;
    this.unreadable = unreadable;
    this.leases = node.store().leases();
    this.scheduler = node.scheduler();
    this.mailboxes = mailboxes;
  }

  /**
   * Claims up to so many for one holder. If the caller completes the future itself, the waits that
   * were claimed for it are given back.
   *
   * @param until the moment until which the claim is repeated after transient faults
   */
  CompletableFuture<List<Claim>> claim(ClaimQuery query, String holder, int limit, Instant until) {
    Ask ask = new Ask(Collections.nCopies(limit, holder), new CompletableFuture<>(), until, 0);
    enqueue(query, ask);
    return ask.answer();
  }

  private void enqueue(ClaimQuery query, Ask ask) {
    synchronized (asked) {
      asked.computeIfAbsent(query, q -> new ArrayList<>()).add(ask);
      if (claiming == CLAIMERS) {
        return;
      }
      claiming++;
    }
    scheduler.execute(this::claimAll);
  }

  private void claimAll() {
    for (Batch batch = take(); batch != null; batch = take()) {
      List<Claim> standing = new ArrayList<>();
      List<Claim> claims;
      try {
        claims = leases.claim(batch.query(), batch.holders(), standing::addAll);
      } catch (RuntimeException | Error e) {
        failed(batch, standing, e);
        continue;
      }
      claims.forEach(claim -> mailboxes.claimed(claim.bookmark(), claim.lease()));
      List<Ask> left = handOut(batch.asks(), claims);
      if (!left.isEmpty()) {
        synchronized (asked) {
          asked.computeIfAbsent(batch.query(), q -> new ArrayList<>()).addAll(left);
        }
      }
    }
  }

  /**
   * Gives back the claims that stand although the answer was lost, before any of their callers is
   * told of the fault or claims again: else they would stay unused for a whole lease, held by a
   * caller that does not know of them. Callers go on without it after a while: a server that has
   * not noticed the loss of a connection keeps the claims in doubt, and other waits are free.
   */
  private void failed(Batch batch, List<Claim> standing, Throwable fault) {
    if (standing.isEmpty()) {
      tryAgain(batch, fault);
      return;
    }
    CompletableFuture<Boolean> goOn = new CompletableFuture<>();
    var unused = goOn.thenAccept(known -> tryAgain(batch, fault));
    var unusedToo = giveBack(standing).whenComplete((done, vain) -> goOn.complete(true));
    scheduler.after(GIVE_BACK_FIRST, () -> goOn.complete(false));
  }

  private void tryAgain(Batch batch, Throwable fault) {
    for (Ask ask : batch.asks()) {
      if (StoreException.isPassing(fault) && node.now().isBefore(ask.until())) {
        scheduler.after(StoreCalls.pause(ask.failed()), () -> enqueue(batch.query(), ask.again()));
      } else {
        ask.answer().completeExceptionally(fault);
      }
    }
  }

  /** Ends these claims and no others of the same holder, whether or not they are committed yet. */
  private CompletableFuture<Optional<Boolean>> giveBack(List<Claim> claims) {
    Instant latest = node.now();
    for (Claim claim : claims) {
      latest = claim.lease().until().isAfter(latest) ? claim.lease().until() : latest;
    }
    return calls.submit(
        latest,
        again -> {
          for (Claim claim : claims) {
            var unused = leases.withdraw(claim.bookmark(), claim.lease());
          }
          return true;
        });
  }

  /**
   * The wait that was claimed. One that cannot be read is given back with a pause, so that it is
   * not the next to be claimed again; then this is absent.
   */
  @Nullable Bookmark read(Claim claim) {
    WaitRow row = claim.row();
    Bookmark bookmark =
        unreadable.readOne(
            RowKind.WAIT, row, wait -> reader.bookmark(wait.instance(), wait.bookmark()));
    if (bookmark == null) {
      try {
        var unused = leases.release(claim.bookmark(), claim.lease().fence(), pause(claim.lease()));
      } catch (RuntimeException e) {
        log.warn("Could not give {} back; its lease lapses", claim.bookmark(), e);
      }
    }
    return bookmark;
  }

  /**
   * The pause after which a wait that was claimed in vain may be claimed again. It grows with every
   * claim, as the fence does.
   */
  static Duration pause(Lease lease) {
    return BACKOFF.after(lease.fence());
  }

  /** The oldest wish, and all that wish for the same. */
  private @Nullable Batch take() {
    synchronized (asked) {
      Iterator<Map.Entry<ClaimQuery, List<Ask>>> all = asked.entrySet().iterator();
      if (!all.hasNext()) {
        claiming--;
        return null;
      }
      Map.Entry<ClaimQuery, List<Ask>> first = all.next();
      all.remove();
      List<Ask> asks = first.getValue();
      int size = 0;
      int count = 0;
      while (count < asks.size()
          && (count == 0 || size + asks.get(count).holders().size() <= BATCH)) {
        size += asks.get(count++).holders().size();
      }
      if (count < asks.size()) {
        asked.put(first.getKey(), new ArrayList<>(asks.subList(count, asks.size())));
      }
      return new Batch(first.getKey(), List.copyOf(asks.subList(0, count)));
    }
  }

  /**
   * Each caller gets the waits that were claimed in its name; of callers with one name, the first.
   *
   * @return the callers who got nothing because the large documents of the others filled the
   *     answer, and who have to ask again: an empty answer says that there is nothing to claim
   */
  private List<Ask> handOut(List<Ask> asks, List<Claim> claims) {
    boolean cut = mayBeCut(claims);
    List<Ask> left = new ArrayList<>();
    Map<String, Deque<Claim>> byHolder = new HashMap<>();
    for (Claim claim : claims) {
      byHolder.computeIfAbsent(claim.lease().holder(), holder -> new ArrayDeque<>()).add(claim);
    }
    for (Ask ask : asks) {
      List<Claim> own = new ArrayList<>();
      for (String holder : ask.holders()) {
        Claim claim = byHolder.getOrDefault(holder, new ArrayDeque<>(0)).poll();
        if (claim != null) {
          own.add(claim);
        }
      }
      if (own.isEmpty() && cut) {
        left.add(ask);
      } else if (!ask.answer().complete(List.copyOf(own)) && !own.isEmpty()) {
        var unused = giveBack(own);
      }
    }
    return left;
  }

  /** A claim is bounded by bytes, and a character has up to three of them. */
  private static boolean mayBeCut(List<Claim> claims) {
    return 3 * claims.stream().mapToLong(claim -> claim.row().size()).sum() >= Limits.BATCH_BYTES;
  }

  /** A wait was claimed by other means through this node. */
  void claimed(BookmarkId bookmark, Lease lease) {
    mailboxes.claimed(bookmark, lease);
  }
}
