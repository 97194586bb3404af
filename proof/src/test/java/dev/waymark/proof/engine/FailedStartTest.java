package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.engine.Engine;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.store.Nodes.NodeRow;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Soon;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An engine that cannot start leaves nothing behind. */
final class FailedStartTest {

  private static final int STARTS = 5;

  @ParameterizedTest
  @EnumSource
  void engines_that_fail_to_start_leave_no_threads_and_no_node(Stores stores) throws Exception {
    VirtualClock clock = new VirtualClock();
    Store store = stores.create().open(clock);
    // Every platform thread that a start makes is of the group of the thread that starts.
    ThreadGroup group = new ThreadGroup("failed starts");
    CompletableFuture<Void> started = new CompletableFuture<>();
    new Thread(
            group,
            () -> {
              try {
                for (int i = 0; i < STARTS; i++) {
                  failToStart(store);
                }
                started.complete(null);
              } catch (Throwable e) {
                started.completeExceptionally(e);
              }
            })
        .start();
    started.get(60, TimeUnit.SECONDS);

    assertThat(Soon.until(Duration.ofSeconds(20), () -> enginesThreads(group), List::isEmpty))
        .isEmpty();
    // The store is still its caller's, and no node is left that others would have to wait for.
    assertThat(store.nodes().list()).noneMatch(NodeRow::alive);
    store.close();
  }

  private static void failToStart(Store store) {
    assertThatThrownBy(
            () ->
                Engine.builder(store)
                    .queue(
                        (queue, consumer) -> {
                          throw new IllegalStateException("broker is away");
                        },
                        Binding.of("q", "default", "m", "k"))
                    .start())
        .hasMessage("broker is away");
  }

  private static List<String> enginesThreads(ThreadGroup group) {
    Thread[] found = new Thread[1_000];
    int count = group.enumerate(found);
    return Arrays.stream(found, 0, count)
        .map(Thread::getName)
        .filter(name -> name.startsWith("waymark"))
        .toList();
  }
}
