package dev.waymark.engine.internal.message;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.CoalescingLookup;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.PendingCommand.Outcome;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Correlations.Match;
import dev.waymark.engine.store.Correlations.MatchPlace;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings correlated messages to the instances that wait for them: looks after a message is stored,
 * and after a wait is committed. The later of the two looks finds the pair.
 *
 * <p>A wait that was found may be gone when the message comes, or its guard may refuse it; then the
 * next wait is tried, until none is left and the message goes on waiting.
 */
public final class MessageCorrelator {

  private static final Logger log = LoggerFactory.getLogger(MessageCorrelator.class);

  private final ThisNode node;
  private final EngineCommands commands;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final MessageStarts starts;
  private final CoalescingLookup<InstanceId> waits;
  private final CoalescingLookup<Message.Key> messages;
  private final CoalescingLookup<String> freed;

  public MessageCorrelator(
      ThisNode node,
      EngineCommands commands,
      RowReader reader,
      UnreadableRows unreadable,
      MessageStarts starts) {
    this.node = node;
    this.commands = commands;
    this.reader = reader;
    this.unreadable = unreadable;
    this.starts = starts;
    this.waits = new CoalescingLookup<>(node, "messages for waits", this::lookForMessages);
    this.messages = new CoalescingLookup<>(node, "waits for messages", this::lookForWaits);
    this.freed = new CoalescingLookup<>(node, "messages for keys that are free", starts::freed);
  }

  /** A run that ends leaves its business key to a message that may have waited for it. */
  void committed(Unit unit) {
    Instance after = unit.after();
    if (after.status().isTerminal() && after.origin().businessKey() != null) {
      freed.add(after.tenant(), after.tenant());
    }
  }

  /** An instance has begun to wait for a correlated message. */
  void awaits(String tenant, InstanceId instance) {
    waits.add(tenant, instance);
  }

  /**
   * A correlated message was stored, or delivered again: looks for an instance that waits for it.
   */
  void stored(Message.Key message) {
    messages.add(message.tenant(), message);
  }

  private CompletableFuture<Boolean> lookForMessages(Set<InstanceId> instances) {
    Pages<Match> pages =
        Pages.behind(
            MatchPlace.START,
            after -> correlations().pairs(instances, after, Limits.MESSAGES_PER_PAGE),
            MatchPlace::of);
    return PagedLook.untilRead(node.scheduler(), pages, this::offer);
  }

  private CompletableFuture<Boolean> lookForWaits(Set<Message.Key> keys) {
    Set<Message.Key> open = new HashSet<>(keys);
    Pages<Match> pages =
        () -> {
          Page<Match> page = correlations().of(open);
          page.forEach(match -> open.remove(match.message().key()));
          return page;
        };
    return PagedLook.untilRead(node.scheduler(), pages, this::deliver)
        .thenCompose(done -> starts.look(open));
  }

  /**
   * The full look: delivers messages that a crash has left between a commit and its look. Completes
   * when the commands for all of them have an outcome.
   */
  CompletableFuture<Boolean> sweep() {
    Pages<Match> pages =
        Pages.behind(
            Correlations.Place.START,
            after -> correlations().matchable(after, Limits.MESSAGES_PER_PAGE),
            match -> Correlations.Place.of(match.message()));
    return PagedLook.untilEnded(node.scheduler(), pages, this::deliver)
        .thenCompose(done -> starts.sweep());
  }

  MessageStarts starts() {
    return starts;
  }

  /** Removes messages that have waited too long, and returns their number. */
  int expire() {
    int all = 0;
    int removed;
    do {
      removed = correlations().expire(Limits.MESSAGES_PER_PAGE);
      all += removed;
    } while (removed == Limits.MESSAGES_PER_PAGE);
    return all;
  }

  private void deliver(Match match, Runnable ended) {
    Message message = read(match);
    if (message == null) {
      ended.run();
    } else {
      deliver(new Offer(message, new HashSet<>(), ended, () -> {}), match.instance());
    }
  }

  private @Nullable Message read(Match match) {
    return unreadable.readOne(RowKind.MESSAGE, match.message(), reader::message);
  }

  /**
   * Offers a message to the wait that it is paired with. If that does not take it, the message goes
   * on to others that wait for it, and the wait to the next message.
   */
  private void offer(Match match, Runnable ended) {
    Message message = read(match);
    if (message == null) {
      node.scheduler().execute(() -> offerNext(match));
      ended.run();
    } else {
      Offer offer = new Offer(message, new HashSet<>(), ended, () -> offerNext(match));
      deliver(offer, match.instance());
    }
  }

  private void offerNext(Match refused) {
    Page<Match> behind;
    try {
      behind = correlations().to(List.of(refused.instance()), MatchPlace.of(refused), 1);
    } catch (RuntimeException | Error e) {
      again(e, refused.instance(), () -> offerNext(refused), () -> {});
      return;
    }
    for (Match next : behind) {
      if (isOfSameWait(refused.message(), next.message())) {
        offer(next, () -> {});
      }
    }
  }

  private static boolean isOfSameWait(MessageRow one, MessageRow other) {
    return one.name().equals(other.name())
        && Objects.equals(one.correlation(), other.correlation());
  }

  void deliver(Message message, InstanceId target) {
    deliver(new Offer(message, new HashSet<>(), () -> {}, () -> {}), target);
  }

  /**
   * A message that is offered to one wait after another.
   *
   * @param tried instances that it was offered to
   * @param ended run once, when one has taken it or it goes on waiting
   * @param refused run if the first of them does not take it
   */
  private record Offer(Message message, Set<InstanceId> tried, Runnable ended, Runnable refused) {}

  private void deliver(Offer offer, InstanceId target) {
    offer.tried().add(target);
    Message message = offer.message();
    Message.Key key = message.key();
    // Source and id may both be of full length; together they would be too long for a name.
    String name = "correlate:" + Long.toHexString(Ids.derivedLong(key.source(), key.id()));
    Command.Meta meta = commands.metaHere(key.tenant(), name);
    commands.post(
        target,
        PendingCommand.internal(
            new Command.Deliver(meta, message), outcome -> hear(offer, outcome)));
  }

  // One that cannot be read does not stand in the way of the next either.
  private void hear(Offer offer, Outcome outcome) {
    if (outcome.decision() instanceof Step) {
      offer.ended().run();
    } else {
      if (offer.tried().size() == 1) {
        node.scheduler().execute(offer.refused());
      }
      node.scheduler().execute(() -> next(offer));
    }
  }

  private void next(Offer offer) {
    if (offer.tried().size() >= Limits.CORRELATION_TRIES) {
      offer.ended().run();
      return;
    }
    Message.Key key = offer.message().key();
    List<InstanceId> others;
    try {
      others = new ArrayList<>(correlations().targets(key, Limits.CORRELATION_TRIES));
    } catch (RuntimeException | Error e) {
      again(e, key, () -> next(offer), offer.ended());
      return;
    }
    boolean nobody = others.isEmpty();
    others.removeAll(offer.tried());
    if (!others.isEmpty()) {
      deliver(offer, others.get(0));
      return;
    }
    if (nobody) {
      // The wait that was found for it has closed, so it was not checked yet whether it begins a
      // run.
      stored(key);
    }
    offer.ended().run();
  }

  private void again(Throwable fault, Object what, Runnable task, Runnable giveUp) {
    log.warn("Could not look who else waits for, or what else comes to, {}", what, fault);
    if (StoreException.isPassing(fault) && !node.isDraining()) {
      node.scheduler().after(node.settings().pollEvery(), task);
    } else {
      giveUp.run();
    }
  }

  private Correlations correlations() {
    return node.store().correlations();
  }
}
