package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One vote under one command id, brought to a node while it is carried out elsewhere. The node has
 * read the run before that vote, and learns of the later version from another command's read.
 */
final class RepeatedVoteRacesTest {

  private static final Caller ANNA = Caller.of("anna").withCommandId("annas-click");
  private static final String APPROVAL =
      """
      waymark: 1
      key: flow
      start: ask
      activities:
        ask: { type: approval, with: { approvers: [anna, bert, carl], mode: all } }
      """;

  enum Kind {
    POSTGRES,
    SQLITE
  }

  private static Store store(Kind kind) {
    return kind == Kind.SQLITE
        ? SqliteStore.inMemory(InstantSource.system())
        : PostgresStore.open(
            PostgresServer.shared().url(PostgresServer.shared().newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS);
  }

  /** Holds the first read before it is made, and the second once it is made. */
  private static final class HeldReads {
    private final AtomicInteger before = new AtomicInteger();
    private final AtomicInteger after = new AtomicInteger();
    private final CountDownLatch firstAsks = new CountDownLatch(1);
    private final CountDownLatch secondHasRead = new CountDownLatch(1);
    private final CountDownLatch letGo = new CountDownLatch(1);
    private volatile boolean armed;

    Store around(Store store) {
      Store held = StoreHooks.before(store, "loadTogether", this::before);
      return StoreHooks.after(held, "loadTogether", this::after);
    }

    private void before() {
      if (armed && before.incrementAndGet() == 1) {
        firstAsks.countDown();
        await(letGo);
      }
    }

    private void after() {
      // The first that returns is the second that was asked.
      if (armed && after.incrementAndGet() == 1) {
        secondHasRead.countDown();
        await(letGo);
      }
    }

    static void await(CountDownLatch latch) {
      try {
        assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  static Stream<Arguments> cases() {
    // Bert's vote is a step that is on its way when the repeat is decided; Zoe's is refused.
    return Stream.of(Kind.values())
        .flatMap(kind -> Stream.of("bert", "zoe").map(other -> Arguments.of(kind, other)));
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_repeat_hears_of_its_own_vote_although_another_command_read_it_first(
      Kind kind, String other) throws Exception {
    HeldReads reads = new HeldReads();
    try (Engine engine = Engine.builder(reads.around(store(kind))).start();
        ExecutorService threads = Executors.newFixedThreadPool(2)) {
      engine.definitions().deploy(APPROVAL, ANNA);
      InstanceId id = engine.instances().start(StartRequest.of("flow"), ANNA).orThrow();
      BookmarkId ask = engine.instances().find(id, ANNA).orElseThrow().bookmarks().firstKey();
      Caller first = Caller.of(other).withCommandId("another-click");

      reads.armed = true;
      Future<Answer> another = threads.submit(() -> engine.approvals().approve(ask, "", first));
      HeldReads.await(reads.firstAsks);
      Future<Answer> repeat = threads.submit(() -> engine.approvals().approve(ask, "", ANNA));
      HeldReads.await(reads.secondHasRead);
      Answer vote = engine.inTransaction(j -> j.vote(ask, Outcome.APPROVED, "", null, ANNA));
      reads.letGo.countDown();

      long version = ((Answer.Done) vote).version();
      assertThat(repeat.get(20, TimeUnit.SECONDS))
          .isInstanceOfSatisfying(
              Answer.Unchanged.class, same -> assertThat(same.version()).isEqualTo(version));
      assertThat(another.get(20, TimeUnit.SECONDS))
          .isInstanceOf(other.equals("bert") ? Answer.Done.class : Answer.Refused.class);
    }
  }
}
