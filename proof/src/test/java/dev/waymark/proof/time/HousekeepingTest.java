package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.bookmark.Housekeeping.Tidied;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.KillSwitch;
import dev.waymark.testkit.PumpScheduler;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of closed waits, by itself and by hand. */
final class HousekeepingTest {

  private static final Duration DAY = Duration.ofDays(1);
  private static final Duration EVERY = Duration.ofHours(1);
  private static final int BATCH = 10;
  private static final Caller ANNA = Caller.of("anna");

  static final String ORDER =
      """
      waymark: 1
      key: order
      start: pay
      activities:
        pay:
          type: race
          with:
            waits:
              paid: { for: external-message, key: paid }
              called: { for: user-action, key: called }
          next: confirm
        confirm: { type: wait, with: { for: user-action, key: confirm, expires: P1D }, next: ship }
        ship: { type: wait, with: { key: ship } }
      """;

  private static final String NAPS =
      """
      waymark: 1
      key: naps
      start: each
      activities:
        each:
          type: for-each
          with: { items: "${ Variables.naps }", parallel: 100 }
          start: nap
          activities:
            nap: { type: timer, with: { after: PT1H } }
          next: last
        last: { type: wait }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  private static boolean isArchived(Store store, BookmarkId bookmark) {
    return store.closedWaits().find("default", bookmark) != null;
  }

  @ParameterizedTest
  @EnumSource
  void each_end_of_a_wait_has_its_retention_and_the_archive_has_its_own(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
      kit.deploy(ORDER);
      Run run = kit.start("order", Map.of());
      BookmarkId consumed = run.bookmark("paid").id();
      BookmarkId withdrawn = run.bookmark("called").id();
      run.send("paid", Map.of("cents", 5));
      BookmarkId expired = run.bookmark("confirm").id();
      BookmarkId open = closedAfter(kit, run);

      kit.advance(Limits.EXPIRED_KEPT);
      assertThat(housekeeping.tidy()).isEqualTo(new Tidied(0, 0, 0, 0, 0, false));
      kit.advance(Duration.ofMillis(1));
      assertThat(housekeeping.tidy()).isEqualTo(new Tidied(0, 1, 0, 0, 0, false));
      assertThat(isArchived(store, expired)).isTrue();

      kit.advance(Limits.CONSUMED_KEPT);
      assertThat(housekeeping.tidy()).isEqualTo(new Tidied(1, 0, 1, 0, 0, false));
      assertThat(isArchived(store, consumed)).isTrue();
      assertThat(isArchived(store, withdrawn)).isTrue();
      assertSound(store);

      kit.advance(Limits.ARCHIVE_KEPT);
      assertThat(housekeeping.tidy()).isEqualTo(new Tidied(0, 0, 0, 3, 0, false));
      assertThat(kit.engine().bookmarks().look().find(consumed, ANNA)).isEmpty();
      assertThat(kit.engine().bookmarks().look().find(open, ANNA)).isPresent();
      assertSound(store);
      assertThat(run).isWaitingAt("ship");
      run.resume("ship", Map.of());
      assertThat(run).isCompleted();
      assertSound(store);
    }
  }

  private static BookmarkId closedAfter(WorkflowTestKit kit, Run run) {
    kit.advance(DAY);
    assertThat(run).isWaitingAt("ship");
    return run.bookmark("ship").id();
  }

  @ParameterizedTest
  @EnumSource
  void it_is_done_by_itself_and_a_node_that_dies_over_it_leaves_the_rest_to_the_next(
      Stores stores) {
    Store store = stores.create().open(clock);
    int closed = 2 * BATCH + 1;
    PumpScheduler first = new PumpScheduler(clock);
    KillSwitch deadly = new KillSwitch(Point.K1_BATCH_ARCHIVED, 1);
    first.diesWith(deadly);
    Engine engine = start(deadly.guard(store), first, deadly);
    var unused = engine.definitions().deploy(NAPS, ANNA);
    engine
        .instances()
        .start(StartRequest.of("naps").input(Map.of("naps", Collections.nCopies(closed, 1))), ANNA)
        .orThrow();
    first.advance(DAY);
    assertThat(count(store, "wm_bookmark")).isEqualTo(closed + 1);

    assertThatExceptionOfType(KillSwitch.Killed.class)
        .isThrownBy(() -> first.advance(Limits.CONSUMED_KEPT));

    assertThat(count(store, "wm_bookmark_archive")).isEqualTo(BATCH);
    assertSound(store);
    PumpScheduler second = new PumpScheduler(clock);
    KillSwitch harmless = new KillSwitch(Point.K1_BATCH_ARCHIVED, 0);
    try (Engine next = start(store, second, harmless)) {
      second.advance(EVERY);
      assertThat(count(store, "wm_bookmark_archive")).isEqualTo(closed);
      assertThat(count(store, "wm_bookmark")).isEqualTo(1);
      assertThat(harmless.seen()).isEqualTo(1);
      assertThat(next.bookmarks().housekeeping().tidy())
          .isEqualTo(new Tidied(0, 0, 0, 0, 0, false));
      assertSound(store);
    }
  }

  /** Nothing is polled but what is looked at here. */
  private Engine start(Store store, PumpScheduler scheduler, CrashPoints crash) {
    Settings alone = Settings.DEFAULT.alone();
    Settings looking =
        new Settings(
            alone.nodeLease(),
            alone.renewEvery(),
            alone.pollEvery(),
            alone.watchEvery(),
            Duration.ofMinutes(10),
            alone.inboxEvery(),
            alone.gatherEvents(),
            alone.maxBodies(),
            alone.maxQueued(),
            alone.callTimeout(),
            alone.suspectAfter(),
            alone.unusedPayloads(),
            alone.largestPayload(),
            false);
    return Engine.builder(store)
        .clock(clock)
        .scheduler(scheduler)
        .settings(looking)
        .retention(Retention.DEFAULT.every(EVERY).batch(BATCH))
        .crashPoints(crash)
        .start();
  }

  private static int count(Store store, String table) {
    return store.inTransaction(
        connection -> {
          try (Statement statement = connection.createStatement();
              ResultSet rows = statement.executeQuery("select count(*) from " + table)) {
            rows.next();
            return rows.getInt(1);
          }
        });
  }

  @Test
  void a_batch_has_bounds_and_a_cutoff_is_past() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
      Instant now = kit.clock().instant();

      assertThatIllegalArgumentException()
          .isThrownBy(() -> housekeeping.archive(Bookmark.End.CONSUMED, now, 1_001))
          .withMessage("Expected a batch of 1 to 1,000 waits, but got 1001");
      assertThatIllegalArgumentException().isThrownBy(() -> housekeeping.forget(now, 0));
      assertThatIllegalArgumentException()
          .isThrownBy(() -> housekeeping.forget(now.plusMillis(1), 10))
          .withMessageContaining("Expected a moment in the past");
    }
  }

  @Test
  void the_archive_is_kept_longer_than_what_goes_into_it() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.DEFAULT.archive(DAY))
        .withMessage("Expected the archive to be kept longer than waits, but got PT24H and PT720H");
    assertThatIllegalArgumentException().isThrownBy(() -> Retention.DEFAULT.every(Duration.ZERO));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Retention.DEFAULT.expired(Duration.ofDays(-1)));
    assertThatIllegalArgumentException().isThrownBy(() -> Retention.DEFAULT.batch(1_001));
  }
}
