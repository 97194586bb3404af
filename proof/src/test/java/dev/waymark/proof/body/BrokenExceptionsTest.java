package dev.waymark.proof.body;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.Settings;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Exceptions of user code whose own methods fail: they are failures like any other. */
final class BrokenExceptionsTest {

  private static final class NoMessage extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
      throw new IllegalStateException("There is no message");
    }
  }

  @SuppressWarnings("OverrideThrowableToString") // This is what is tried.
  private static final class NoText extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw new IllegalStateException("There is no text");
    }
  }

  private static final class NoTrace extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    @SuppressWarnings("NullAway") // This is what is tried.
    public StackTraceElement[] getStackTrace() {
      return null;
    }
  }

  private static final class NoCause extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public synchronized @Nullable Throwable getCause() {
      throw new StackOverflowError();
    }
  }

  private static final List<Supplier<RuntimeException>> BROKEN =
      List.of(NoMessage::new, NoText::new, NoTrace::new, NoCause::new);

  @ParameterizedTest
  @EnumSource
  void a_body_that_throws_one_is_parked_after_its_last_attempt(Stores stores) {
    for (Supplier<RuntimeException> broken : BROKEN) {
      AtomicInteger calls = new AtomicInteger();
      try (WorkflowTestKit kit =
          stores
              .create()
              .process(
                  new VirtualClock(),
                  builder ->
                      builder.activity(
                          "call",
                          context -> {
                            calls.incrementAndGet();
                            throw broken.get();
                          }))) {
        kit.deploy(
            """
            waymark: 1
            key: flow
            start: call
            activities:
              call: { type: call, retry: { attempts: 1 } }
            """);

        Run run = kit.start("flow", Map.of());
        kit.advance(Duration.ofMinutes(5));

        assertThat(run).as(broken.get().getClass().getName()).isSuspended().isWaitingAt("call");
        assertThat(calls).hasValue(1);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_listener_that_throws_one_is_asked_at_growing_distances(Stores stores) {
    for (Supplier<RuntimeException> broken : BROKEN) {
      AtomicInteger calls = new AtomicInteger();
      try (WorkflowTestKit kit =
          stores
              .create()
              .process(
                  new VirtualClock(),
                  builder ->
                      builder
                          .settings(Settings.DEFAULT)
                          .subscribe(
                              "broken",
                              type -> type.equals("hello"),
                              event -> {
                                calls.incrementAndGet();
                                throw broken.get();
                              }))) {
        kit.deploy(
            """
            waymark: 1
            key: flow
            start: a
            activities:
              a: { type: emit, with: { type: hello } }
            """);
        kit.start("flow", Map.of());

        kit.advance(Duration.ofSeconds(20));

        assertThat(calls.get()).as(broken.get().getClass().getName()).isBetween(3, 6);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_worker_whose_handler_throws_one_goes_on(Stores stores) {
    AtomicInteger calls = new AtomicInteger();
    try (WorkflowTestKit kit =
        stores
            .create()
            .process(new VirtualClock(), builder -> builder.settings(Settings.DEFAULT))) {
      kit.deploy(
          """
          waymark: 1
          key: flow
          start: ask
          activities:
            ask: { type: wait, with: { for: user-action, key: it } }
          """);
      var unused =
          kit.engine()
              .worker(BookmarkKind.USER_ACTION)
              .handle(
                  work -> {
                    int call = calls.getAndIncrement();
                    if (call < BROKEN.size()) {
                      throw BROKEN.get(call).get();
                    }
                    return Map.of();
                  });
      Run run = kit.start("flow", Map.of());

      kit.advance(Duration.ofMinutes(10));

      assertThat(run).isCompleted();
    }
  }
}
