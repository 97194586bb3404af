package dev.waymark.engine.internal.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.engine.spi.Scheduler;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** That no request is lost, whenever it comes, and that nothing runs beside itself. */
class RunAgainTest {

  private final ByHand scheduler = new ByHand();
  private int runs;

  @Test
  void a_request_begins_one_run() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);

    assertThat(latch.ask()).isTrue();
    assertThat(runs).isZero();
    scheduler.runAll();

    assertThat(runs).isOne();
    assertThat(latch.ended()).isFalse();
  }

  @Test
  void many_requests_during_a_run_are_one_more_run() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);
    assertThat(latch.begin()).isTrue();

    assertThat(latch.begin()).isFalse();
    assertThat(latch.ask()).isFalse();
    assertThat(latch.follow()).isTrue();

    assertThat(scheduler.soon).isEmpty();
    assertThat(latch.ended()).isTrue();
    assertThat(latch.ended()).isFalse();
  }

  // The window in which a flag that is cleared too early, or too late, loses a request.
  @Test
  void a_request_between_the_last_look_and_the_end_is_not_lost() {
    AtomicInteger there = new AtomicInteger();
    AtomicInteger seen = new AtomicInteger();
    RunAgain latch = new RunAgain(scheduler, () -> seen.set(there.get()));
    latch.ask();
    scheduler.runAll();

    there.set(1);
    assertThat(latch.ask()).isFalse();
    assertThat(seen).hasValue(0);
    assertThat(latch.ended()).isTrue();
    latch.runSoon();
    scheduler.runAll();

    assertThat(seen).hasValue(1);
    assertThat(latch.ended()).isFalse();
  }

  @Test
  void a_request_between_the_end_and_the_run_that_follows_is_not_lost_either() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);
    latch.begin();
    latch.begin();
    assertThat(latch.ended()).isTrue();

    assertThat(latch.begin()).isFalse();
    latch.run();

    assertThat(latch.ended()).isTrue();
  }

  @Test
  void a_request_that_is_to_follow_begins_nothing_by_itself() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);

    assertThat(latch.follow()).isFalse();
    assertThat(latch.begin()).isTrue();
    assertThat(latch.ended()).isFalse();
  }

  @Test
  void a_run_that_is_stopped_is_followed_by_none() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);
    latch.begin();
    latch.begin();

    latch.stop();

    assertThat(latch.begin()).isTrue();
    assertThat(latch.ended()).isFalse();
  }

  @Test
  void a_run_that_fails_begins_again_after_a_pause_and_keeps_what_was_asked() {
    RunAgain latch =
        new RunAgain(
            scheduler,
            () -> {
              if (runs++ == 0) {
                throw new AssertionError("a fault of ours");
              }
            });
    latch.ask();
    assertThatThrownBy(scheduler::runAll).hasMessage("a fault of ours");

    assertThat(latch.ask()).isFalse();
    assertThat(scheduler.soon).isEmpty();
    scheduler.pauseEnds();

    assertThat(runs).isEqualTo(2);
    assertThat(latch.ended()).isTrue();
  }

  @Test
  void a_later_part_that_fails_begins_the_run_again() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);
    latch.begin();
    latch.run();

    assertThatThrownBy(
            () ->
                latch.part(
                    () -> {
                      throw new IllegalStateException("a fault of ours");
                    }))
        .isInstanceOf(IllegalStateException.class);
    scheduler.pauseEnds();

    assertThat(runs).isEqualTo(2);
  }

  @Test
  void a_scheduler_that_takes_no_task_leaves_no_run_under_way() {
    RunAgain latch = new RunAgain(scheduler, () -> runs++);
    scheduler.closed = true;
    assertThatThrownBy(latch::ask).hasMessage("closed");

    assertThatThrownBy(
            () ->
                latch.part(
                    () -> {
                      throw new IllegalStateException("a fault of ours");
                    }))
        .hasMessage("a fault of ours");

    assertThat(latch.begin()).isTrue();
  }

  /**
   * Two threads meet at each request. The first run holds its end back until the other's request is
   * made, so that requests come while a run is under way, each time.
   */
  @Test
  void of_two_threads_that_ask_at_once_one_runs_and_sees_what_both_have_done() throws Exception {
    for (int round = 0; round < 1_000; round++) {
      AtomicInteger written = new AtomicInteger();
      AtomicInteger seen = new AtomicInteger();
      AtomicInteger inside = new AtomicInteger();
      CyclicBarrier together = new CyclicBarrier(2);
      CountDownLatch asked = new CountDownLatch(2);
      RunAgain latch = new RunAgain(scheduler, () -> {});
      Runnable asks =
          () -> {
            meet(together);
            written.incrementAndGet();
            boolean mine = latch.begin();
            asked.countDown();
            if (!mine) {
              return;
            }
            do {
              assertThat(inside.incrementAndGet()).isOne();
              seen.set(written.get());
              await(asked);
              inside.decrementAndGet();
            } while (latch.ended());
          };
      CompletableFuture<Void> other = CompletableFuture.runAsync(asks);
      asks.run();
      other.get();

      assertThat(seen).hasValue(2);
      assertThat(latch.begin()).isTrue();
    }
  }

  private static void meet(CyclicBarrier barrier) {
    try {
      barrier.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs what it is given when the test says so. */
  private static final class ByHand implements Scheduler {

    private final Deque<Runnable> soon = new ArrayDeque<>();
    private final Deque<Runnable> later = new ArrayDeque<>();
    private boolean closed;

    void runAll() {
      while (!soon.isEmpty()) {
        soon.remove().run();
      }
    }

    void pauseEnds() {
      soon.addAll(later);
      later.clear();
      runAll();
    }

    private void take(Deque<Runnable> tasks, Runnable task) {
      if (closed) {
        throw new IllegalStateException("closed");
      }
      tasks.add(task);
    }

    @Override
    public void execute(Runnable task) {
      take(soon, task);
    }

    @Override
    public Pending after(Duration delay, Runnable task) {
      assertThat(delay).isEqualTo(RunAgain.PAUSE);
      take(later, task);
      return () -> later.remove(task);
    }

    @Override
    public Lane lane(String name) {
      return this::execute;
    }

    @Override
    public <T> T await(CompletableFuture<T> future, Duration atMost) {
      return future.join();
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
