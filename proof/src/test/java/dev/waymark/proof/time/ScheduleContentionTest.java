package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.waymark.core.Limits;
import dev.waymark.engine.Caller;
import dev.waymark.engine.DeadlinePassed;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Changes of a schedule that somebody else is always quicker with: tried again, not for ever. */
final class ScheduleContentionTest {

  private static final Caller ANNA = Caller.of("anna");

  private final VirtualClock clock = new VirtualClock();

  /** How often somebody else is quicker from now on. */
  private final AtomicInteger quicker = new AtomicInteger();

  private final AtomicInteger tries = new AtomicInteger();

  private Store contended(Store store) {
    StoredSchedules schedules = store.schedules();
    StoredSchedules slow =
        proxy(
            StoredSchedules.class,
            (proxy, method, args) -> {
              boolean change =
                  method.getName().equals("replace") || method.getName().equals("delete");
              if (!change || tries.incrementAndGet() > quicker.get()) {
                return method.invoke(schedules, args);
              }
              return method.getName().equals("delete") ? (Object) false : List.of(false);
            });
    return proxy(
        Store.class,
        (proxy, method, args) ->
            method.getName().equals("schedules") ? slow : method.invoke(store, args));
  }

  private static <T> T proxy(Class<T> type, InvocationHandler handler) {
    return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
  }

  @ParameterizedTest
  @EnumSource
  void contention_alone_fails_nobody_and_never_ends_in_a_loop_without_end(Stores stores) {
    Store store = contended(stores.create().open(clock));
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: report\nstart: a\nactivities: { a: { type: end } }\n");
      Schedules schedules = kit.engine().schedules();
      schedules.put(Schedule.every("daily", Duration.ofDays(1), StartRequest.of("report")), ANNA);

      quickerFor(3);
      assertThat(schedules.pause("daily", ANNA).paused()).isTrue();
      quickerFor(3);
      assertThat(schedules.resume("daily", ANNA).paused()).isFalse();
      quickerFor(3);
      assertThat(schedules.trigger("daily", ANNA)).isPresent();

      quickerFor(Integer.MAX_VALUE);
      assertThatExceptionOfType(DeadlinePassed.class)
          .isThrownBy(() -> schedules.pause("daily", ANNA))
          .withMessage("Expected to change schedule 'daily', but others change it all the time");
      assertThat(tries.get()).isEqualTo(Limits.SCHEDULE_TRIES);
      assertThatExceptionOfType(DeadlinePassed.class)
          .isThrownBy(() -> schedules.delete("daily", ANNA));

      quickerFor(3);
      assertThat(schedules.delete("daily", ANNA)).isTrue();
      assertThat(schedules.delete("daily", ANNA)).isFalse();
    }
  }

  private void quickerFor(int times) {
    tries.set(0);
    quicker.set(times);
  }
}
