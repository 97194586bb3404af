package dev.waymark.engine.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.PendingCommand.Outcome;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Broadcasts.Handout;
import dev.waymark.engine.store.StoreException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands signals out: page by page, each committed before it is delivered, each delivered before the
 * next.
 *
 * <p>Signals take turns. One to a million instances does not hold up one to three.
 */
public final class SignalFanOut {

  private static final Logger log = LoggerFactory.getLogger(SignalFanOut.class);

  private final ThisNode node;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final BiConsumer<Message, Consumer<Outcome>> deliver;
  private final Runnable missed;

  /** Signals to be handed out, by tenant; a tenant is in it while one of its own is under way. */
  private final Map<String, LinkedHashSet<Message.Key>> waiting = new HashMap<>();

  /**
   * @param deliver brings a signal to one addressee, and tells when that has come to its end
   * @param missed looks, now and later, for addressees of a page that may be committed unheard
   */
  public SignalFanOut(
      ThisNode node,
      RowReader reader,
      UnreadableRows unreadable,
      BiConsumer<Message, Consumer<Outcome>> deliver,
      Runnable missed) {
    this.node = node;
    this.reader = reader;
    this.unreadable = unreadable;
    this.deliver = deliver;
    this.missed = missed;
  }

  /**
   * There is a broadcast to be handed out; a second call during the work starts no second hand-out.
   */
  void add(Message.Key broadcast) {
    String tenant = broadcast.tenant();
    synchronized (waiting) {
      LinkedHashSet<Message.Key> others = waiting.get(tenant);
      if (others != null) {
        others.add(broadcast);
        return;
      }
      waiting.put(tenant, new LinkedHashSet<>(Set.of(broadcast)));
    }
    node.scheduler().execute(() -> work(tenant));
  }

  /** Finds signals that a crash left between a commit and its look. */
  void sweep() {
    node.store()
        .broadcasts()
        .waiting(Limits.MESSAGES_PER_PAGE)
        .forEach(broadcast -> add(broadcast.key()));
  }

  // One signal of a tenant at a time: a page that is held up holds up no other tenant's.
  private void work(String tenant) {
    Message.Key broadcast = take(tenant);
    if (broadcast == null) {
      return;
    }
    try {
      Handout handout = node.store().broadcasts().handOut(broadcast, Limits.MESSAGES_PER_PAGE);
      node.crash().at(Point.S1_SIGNAL_PAGE);
      if (handout == null) {
        node.scheduler().execute(() -> work(tenant));
        return;
      }
      if (!handout.finished()) {
        add(broadcast);
      }
      deliver(tenant, handout);
    } catch (StoreException e) {
      tryAgain(broadcast, e);
    } catch (RuntimeException | Error e) {
      // A fault of ours with one signal. It stays where a full look finds it; the others go on.
      node.scheduler().after(node.settings().pollEvery(), () -> work(tenant));
      throw e;
    }
  }

  private Message.@Nullable Key take(String tenant) {
    synchronized (waiting) {
      LinkedHashSet<Message.Key> mine = waiting.get(tenant);
      if (mine == null || mine.isEmpty()) {
        waiting.remove(tenant);
        return null;
      }
      return mine.removeFirst();
    }
  }

  private void deliver(String tenant, Handout handout) {
    CommandPage page = new CommandPage(node.scheduler(), () -> work(tenant));
    if (handout.addressees().isEmpty()) {
      page.end();
      return;
    }
    Message signal =
        unreadable.readOne(RowKind.MESSAGE, handout.broadcast(), row -> reader.message(row));
    if (signal == null) {
      page.end();
      return;
    }
    Runnable each = page.each(handout.addressees().size());
    for (InstanceId addressee : handout.addressees()) {
      deliver.accept(signal.to(addressee), outcome -> each.run());
    }
    page.limit();
  }

  private void tryAgain(Message.Key broadcast, StoreException why) {
    String tenant = broadcast.tenant();
    synchronized (waiting) {
      if (node.isDraining()) {
        waiting.remove(tenant);
        return;
      }
      waiting.computeIfAbsent(tenant, name -> new LinkedHashSet<>()).add(broadcast);
    }
    log.warn("Could not hand out signal {}; trying again", broadcast, why);
    if (why.kind() == StoreException.Kind.UNKNOWN_OUTCOME) {
      // A page may have been committed that was not delivered, or the server may still be carrying
      // it out. The next try cannot tell: it finds the page handed out, or its row locked.
      node.scheduler().execute(missed);
    }
    node.scheduler().after(node.settings().pollEvery(), () -> work(tenant));
  }
}
