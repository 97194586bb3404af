package dev.waymark.tck;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/** Threads that are let go at the same moment. */
public final class Race {

  public static final int RUNNERS = 8;

  private static final int SECONDS = 30;

  private Race() {}

  /** The results of all runners, in the order of their numbers. */
  public static <T> List<T> run(IntFunction<Callable<T>> runner) throws Exception {
    CyclicBarrier start = new CyclicBarrier(RUNNERS);
    try (ExecutorService threads = Executors.newFixedThreadPool(RUNNERS)) {
      List<Future<T>> running = new ArrayList<>();
      for (int i = 0; i < RUNNERS; i++) {
        Callable<T> task = runner.apply(i);
        running.add(
            threads.submit(
                () -> {
                  start.await(SECONDS, TimeUnit.SECONDS);
                  return task.call();
                }));
      }
      List<T> results = new ArrayList<>();
      for (Future<T> future : running) {
        results.add(future.get(SECONDS, TimeUnit.SECONDS));
      }
      return results;
    }
  }
}
