package dev.waymark.engine;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.Stimulus.Outcome;
import dev.waymark.engine.store.Correlations;
import dev.waymark.engine.store.Correlations.Match;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings correlated messages to who waits for them: looks after a message is stored, and after a
 * wait is committed. Whoever is second finds the other.
 *
 * <p>A wait that was found may be gone when the message comes, or its guard may refuse it; then the
 * next one is tried, until nobody is left and the message goes on waiting.
 */
final class Correlator {

  private static final Logger log = LoggerFactory.getLogger(Correlator.class);

  private final Node node;
  private final MessageStarts starts;
  private final Gathering<InstanceId> waits;
  private final Gathering<Message.Key> messages;
  private final Gathering<String> freed;

  Correlator(Node node) {
    this.node = node;
    this.starts = new MessageStarts(node);
    this.waits = new Gathering<>(node, "messages for waits", this::lookForMessages);
    this.messages = new Gathering<>(node, "waits for messages", this::lookForWaits);
    this.freed = new Gathering<>(node, "messages for keys that are free", starts::freed);
    node.aftermath().watch(this::committed);
  }

  /** A run that ends leaves its business key to a message that may have waited for it. */
  void committed(Unit unit) {
    Instance after = unit.after();
    if (after.status().isTerminal() && after.origin().businessKey() != null) {
      freed.add(after.tenant());
    }
  }

  /** An instance has begun to wait for a correlated message. */
  void awaits(InstanceId instance) {
    waits.add(instance);
  }

  /** A correlated message was stored, or brought again; who waits for it must be looked for. */
  void stored(Message.Key message) {
    messages.add(message);
  }

  private void lookForMessages(Set<InstanceId> instances) {
    deliver(correlations().to(instances, Limits.MESSAGES_PER_PAGE));
  }

  private void lookForWaits(Set<Message.Key> keys) {
    List<Match> matches = correlations().of(keys);
    deliver(matches);
    if (matches.size() < keys.size()) {
      Set<Message.Key> free = new HashSet<>(keys);
      matches.forEach(match -> free.remove(match.message().key()));
      starts.look(free);
    }
  }

  /** The full look: what a crash has left between a commit and its look. */
  void sweep() {
    Correlations.Place after = Correlations.Place.START;
    List<Match> page;
    do {
      page = correlations().matchable(after, Limits.MESSAGES_PER_PAGE);
      deliver(page);
      after = page.isEmpty() ? after : Correlations.Place.of(page.getLast().message());
    } while (page.size() == Limits.MESSAGES_PER_PAGE);
    starts.sweep();
  }

  MessageStarts starts() {
    return starts;
  }

  /** Removes what has waited too long; says how much. */
  int expire() {
    int all = 0;
    int removed;
    do {
      removed = correlations().expire(Limits.MESSAGES_PER_PAGE);
      all += removed;
    } while (removed == Limits.MESSAGES_PER_PAGE);
    return all;
  }

  private void deliver(Collection<Match> matches) {
    for (Match match : matches) {
      Message message =
          node.unreadable().readOne(RowKind.MESSAGE, match.message(), node.reader()::message);
      if (message != null) {
        deliver(message, match.instance());
      }
    }
  }

  void deliver(Message message, InstanceId target) {
    deliver(message, target, new HashSet<>());
  }

  private void deliver(Message message, InstanceId target, Set<InstanceId> tried) {
    tried.add(target);
    Message.Key key = message.key();
    // Source and id may both be of full length; together they would be too long for a name.
    String name = "correlate:" + Long.toHexString(Ids.derivedLong(key.source(), key.id()));
    Command.Meta meta = node.metaHere(key.tenant(), name);
    node.post(
        target,
        Stimulus.internal(
            new Command.Deliver(meta, message), outcome -> hear(message, tried, outcome)));
  }

  // One that cannot be read does not stand in the way of the next either.
  private void hear(Message message, Set<InstanceId> tried, Outcome outcome) {
    if (!(outcome.decision() instanceof Step)) {
      node.scheduler().execute(() -> next(message, tried));
    }
  }

  private void next(Message message, Set<InstanceId> tried) {
    if (tried.size() >= Limits.CORRELATION_TRIES) {
      return;
    }
    List<InstanceId> others;
    try {
      others = new ArrayList<>(correlations().targets(message.key(), Limits.CORRELATION_TRIES));
    } catch (RuntimeException e) {
      log.warn("Could not look who else waits for message {}", message.key(), e);
      if (UnreadableRows.isOfTheWorld(e) && !node.isDraining()) {
        node.scheduler().after(node.settings().pollEvery(), () -> next(message, tried));
      }
      return;
    }
    boolean nobody = others.isEmpty();
    others.removeAll(tried);
    if (!others.isEmpty()) {
      deliver(message, others.get(0), tried);
    } else if (nobody) {
      // The wait that was found for it has closed, so nobody has asked yet whether it begins a run.
      stored(message.key());
    }
  }

  private Correlations correlations() {
    return node.store().correlations();
  }
}
