package dev.waymark.proof.death;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Two nodes on one database, where the first hears a reply late: what it decided on is old by then.
 */
final class LateRepliesTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final String FLOW =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: wait }
      """;

  /** Holds back the next reply of one of the store's methods. */
  private static final class Held {

    final String method;
    final CountDownLatch carriedOut = new CountDownLatch(1);
    final CountDownLatch heard = new CountDownLatch(1);

    Held(String method) {
      this.method = method;
    }
  }

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private final AtomicReference<Held> held = new AtomicReference<>();
  private Engine a;
  private Engine b;

  private Store open() {
    return PostgresStore.open(
        url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS);
  }

  private Store slow(Store real) {
    return (Store)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) -> {
              Held now = held.get();
              boolean holds =
                  now != null
                      && method.getName().equals(now.method)
                      && held.compareAndSet(now, null);
              Object result;
              try {
                result = method.invoke(real, arguments);
              } catch (InvocationTargetException e) {
                throw e.getTargetException();
              }
              if (holds) {
                now.carriedOut.countDown();
                assertThat(now.heard.await(30, TimeUnit.SECONDS)).isTrue();
              }
              return result;
            });
  }

  @BeforeEach
  void start() {
    a = Engine.builder(slow(open())).name("a").start();
    b = Engine.builder(open()).name("b").start();
    a.definitions().deploy(FLOW, ANNA);
  }

  @AfterEach
  void stop() {
    a.close();
    b.close();
  }

  private Held hold(String method) {
    Held one = new Held(method);
    held.set(one);
    return one;
  }

  @Test
  void a_repeat_is_not_called_unchanged_on_a_state_from_before_it_came() throws Exception {
    InstanceId run = a.instances().start(StartRequest.of("flow"), ANNA).orThrow();
    Held reply = hold("commit");
    CompletableFuture<Answer> first =
        CompletableFuture.supplyAsync(() -> a.operations().suspend(run, "first", ANNA));
    assertThat(reply.carriedOut.await(30, TimeUnit.SECONDS)).isTrue();

    b.operations().continueInstance(run, "go on", ANNA).orThrow();
    CompletableFuture<Answer> second = new CompletableFuture<>();
    Thread caller =
        Thread.ofPlatform()
            .start(() -> second.complete(a.operations().suspend(run, "after it went on", ANNA)));
    while (caller.getState() != Thread.State.TIMED_WAITING) {
      // It has handed its command in once it waits for the answer.
      Thread.onSpinWait();
    }
    reply.heard.countDown();

    assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
    assertThat(second.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
    assertThat(b.instances().find(run, ANNA).orElseThrow().status()).isEqualTo(Status.SUSPENDED);
  }

  @Test
  void one_silent_connection_holds_up_nothing_but_its_own_batch() throws Exception {
    Held reply = hold("commit");
    CompletableFuture<Answer> first = a.instances().startAsync(StartRequest.of("flow"), ANNA);
    assertThat(reply.carriedOut.await(30, TimeUnit.SECONDS)).isTrue();

    // One at a time: no crowd gathers for which another committer would join in anyhow.
    for (int i = 0; i < 5; i++) {
      assertThat(
              a.instances()
                  .start(StartRequest.of("flow"), ANNA.withTimeout(Duration.ofSeconds(10))))
          .isInstanceOf(Answer.Done.class);
    }

    assertThat(first).isNotDone();
    reply.heard.countDown();
    assertThat(first.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
  }

  @Test
  void another_body_under_a_used_id_is_refused_although_its_look_was_late() throws Exception {
    Caller named = ANNA.withCommandId("order-1");
    Held look = hold("loadTogether");
    CompletableFuture<Answer> other =
        a.instances().startAsync(StartRequest.of("flow").input(Map.of("amount", 2)), named);
    assertThat(look.carriedOut.await(30, TimeUnit.SECONDS)).isTrue();

    b.instances().start(StartRequest.of("flow").input(Map.of("amount", 1)), named).orThrow();
    CompletableFuture<Answer> same =
        a.instances().startAsync(StartRequest.of("flow").input(Map.of("amount", 1)), named);
    // The node's second reader helps only where many wait to be read. It reads in order, so the
    // start is read once these are.
    CompletableFuture<?>[] behind = new CompletableFuture<?>[60];
    for (int i = 0; i < behind.length; i++) {
      BookmarkId nobodys = new BookmarkId(new InstanceId(new UUID(1, i)), 1);
      behind[i] = a.bookmarks().resumeAsync(nobodys, Map.of(), ANNA);
    }
    CompletableFuture.allOf(behind).get(30, TimeUnit.SECONDS);
    look.heard.countDown();

    assertThat(other.get(30, TimeUnit.SECONDS))
        .isInstanceOfSatisfying(
            Answer.Refused.class,
            refused -> assertThat(refused.rejection().code()).isEqualTo(Code.COMMAND_REUSED));
    assertThat(same.get(30, TimeUnit.SECONDS)).isInstanceOf(Answer.Unchanged.class);
  }
}
