package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.query.ClaimOrder;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waits in the hands of people and programs. */
final class BookmarksTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Caller ANNA = in("finance", "anna");
  private static final Caller BOB = in("finance", "bob");
  private static final Caller EVE = in("legal", "eve");
  private static final Caller STRANGER =
      Caller.of(new Actor("anna", "umbrella", Set.of("finance"), Set.of()));

  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: question, with: { priority: "${ Variables.priority }" }, next: end }
        end: { type: end }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static Caller in(String group, String user) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, Set.of(group), Set.of()));
  }

  /** Asks finance something, and goes on with the answer. */
  private static final class Question implements Activity {

    @Override
    public ActivityResult execute(ActivityContext context) {
      long priority = (Long) context.input().get("priority");
      return ActivityResult.suspended(
          ActivityResult.userAction("question", Map.of("text", "Well?"))
              .priority((int) priority)
              .correlated("order-" + priority)
              .candidates(new Candidates(null, Set.of(), Set.of("finance"), Set.of("requester"))));
    }
  }

  private static void questions(EngineBuilder builder) {
    builder.activity("question", new Question());
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  private static Code refused(ClaimResult grip) {
    return ((ClaimResult.Refused) grip).rejection().code();
  }

  private static String message(ClaimResult grip) {
    return ((ClaimResult.Refused) grip).rejection().message();
  }

  private static Run ask(WorkflowTestKit kit, int priority) {
    return kit.start("asking", Map.of("priority", priority));
  }

  @ParameterizedTest
  @EnumSource
  void the_next_wait_is_claimed_worked_on_and_answered_by_its_holder(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      Run urgent = ask(kit, 9);
      Run other = ask(kit, 1);
      Bookmarks bookmarks = kit.engine().bookmarks();

      assertThat(bookmarks.claimNext(MINUTE, EVE)).isEmpty();
      ClaimResult.Held held = bookmarks.claimNext(MINUTE, ANNA).orElseThrow();
      assertThat(held.bookmark().id().instance()).isEqualTo(urgent.id());
      assertThat(held.lease()).isEqualTo(new Lease("anna", 1, clock.instant().plus(MINUTE)));
      assertThat(state(bookmarks, held)).isEqualTo(Bookmark.State.CLAIMED);

      bookmarks.begin(held.bookmark().id(), held.lease(), ANNA).orThrow();
      bookmarks.progress(held.bookmark().id(), held.lease(), Map.of("percent", 50), ANNA).orThrow();
      BookmarkStatus status = bookmarks.look().find(held.bookmark().id(), BOB).orElseThrow();
      assertThat(status.state()).isEqualTo(Bookmark.State.PROCESSING);
      assertThat(status.progress()).containsEntry("percent", 50L);
      assertThat(urgent).isWaitingAt("ask");

      bookmarks.resume(held.bookmark().id(), held.lease(), Map.of("answer", "yes"), ANNA).orThrow();
      kit.runUntilIdle();

      assertThat(urgent.status()).isEqualTo(Status.COMPLETED);
      assertThat(state(bookmarks, held)).isEqualTo(Bookmark.State.CONSUMED);
      assertThat(other).isWaitingAt("ask");
      assertSound(store);
    }
  }

  private static Bookmark.State state(Bookmarks bookmarks, ClaimResult.Held held) {
    return bookmarks.look().find(held.bookmark().id(), ANNA).orElseThrow().state();
  }

  @ParameterizedTest
  @EnumSource
  void a_person_claims_one_wait_and_the_next_one_hears_who_has_it_until_when(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      BookmarkId question = ask(kit, 1).bookmark("question").id();
      Bookmarks bookmarks = kit.engine().bookmarks();

      Lease lease = bookmarks.claim(question, MINUTE, ANNA).orThrow().lease();

      assertThat(bookmarks.claim(question, MINUTE, ANNA).orThrow().lease()).isEqualTo(lease);
      assertThat(message(bookmarks.claim(question, MINUTE, BOB)))
          .isEqualTo(
              "Expected bookmark 'question' to be free, but anna holds it until "
                  + clock.instant().plus(MINUTE));
      assertThat(refused(bookmarks.claim(question, MINUTE, EVE))).isEqualTo(Code.NOT_YOURS);
      assertThat(refused(bookmarks.claim(question, MINUTE, in("finance", "requester"))))
          .isEqualTo(Code.NOT_YOURS);
      assertThat(refused(bookmarks.claim(question, MINUTE, STRANGER))).isEqualTo(Code.NOT_FOUND);
      assertThat(refused(bookmarks.extend(question, lease, MINUTE, STRANGER)))
          .isEqualTo(Code.NOT_FOUND);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_lease_that_lapses_returns_the_work_and_its_old_holder_is_refused_with_the_reason(
      Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      BookmarkId question = run.bookmark("question").id();
      Bookmarks bookmarks = kit.engine().bookmarks();
      Lease annas = bookmarks.claim(question, MINUTE, ANNA).orThrow().lease();

      kit.advance(MINUTE);
      assertThat(bookmarks.look().lapsedLeases(10, BOB)).hasSize(1);
      Lease bobs = bookmarks.claim(question, MINUTE, BOB).orThrow().lease();

      Answer late = bookmarks.resume(question, annas, Map.of("answer", "anna"), ANNA);
      assertThat(((Answer.Refused) late).rejection().code()).isEqualTo(Code.STALE_FENCE);
      assertThat(((Answer.Refused) late).rejection().message()).contains("bob claimed it since");
      assertThat(message(bookmarks.extend(question, annas, MINUTE, ANNA)))
          .contains("bob claimed it since");
      assertThat(refused(bookmarks.release(question, annas, ANNA))).isEqualTo(Code.STALE_FENCE);
      assertThat(refused(bookmarks.begin(question, annas, ANNA))).isEqualTo(Code.STALE_FENCE);

      bookmarks.resume(question, bobs, Map.of("answer", "bob"), BOB).orThrow();
      kit.runUntilIdle();
      assertThat(run).hasVariable("answer", "bob");
      assertThat(refused(bookmarks.extend(question, bobs, MINUTE, BOB)))
          .isEqualTo(Code.ALREADY_CLOSED);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_is_extended_twice_and_then_refused_and_what_is_released_is_free(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      BookmarkId question = ask(kit, 1).bookmark("question").id();
      Bookmarks bookmarks = kit.engine().bookmarks();
      Lease lease = bookmarks.claim(question, MINUTE, ANNA).orThrow().lease();

      bookmarks.extend(question, lease, MINUTE, ANNA).orThrow();
      bookmarks.extend(question, lease, MINUTE, ANNA).orThrow();
      assertThat(refused(bookmarks.extend(question, lease, MINUTE, ANNA)))
          .isEqualTo(Code.NO_EXTENSIONS);

      bookmarks.release(question, lease, ANNA).orThrow();
      assertThat(bookmarks.claim(question, MINUTE, BOB).orThrow().lease().fence()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource
  void where_nobody_holds_it_whoever_may_act_answers_and_nobody_else(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      Run run = ask(kit, 1);
      BookmarkId question = run.bookmark("question").id();
      Bookmarks bookmarks = kit.engine().bookmarks();

      Answer eves = bookmarks.resume(question, Map.of(), EVE);
      assertThat(((Answer.Refused) eves).rejection().code()).isEqualTo(Code.NOT_YOURS);
      Answer own = bookmarks.resume(question, Map.of(), in("finance", "requester"));
      assertThat(((Answer.Refused) own).rejection().message())
          .isEqualTo("Expected somebody other than requester for 'question', but it is requester");

      bookmarks.resume(question, Map.of("answer", "anna"), ANNA).orThrow();
      kit.runUntilIdle();
      assertThat(run).hasVariable("answer", "anna");
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_with_wishes_takes_a_batch_of_a_group_in_order(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      ask(kit, 1);
      Run most = ask(kit, 9);
      ask(kit, 5);
      Bookmarks bookmarks = kit.engine().bookmarks();

      ClaimRequest request =
          ClaimRequest.lasting(MINUTE)
              .as("anna's machine")
              .kinds(BookmarkKind.USER_ACTION)
              .ofGroups(Set.of("finance", "legal"))
              .orderedBy(ClaimOrder.PRIORITY_THEN_AGE)
              .extensions(0)
              .batch(2);
      assertThat(bookmarks.claim(request, EVE)).isEmpty();
      assertThat(bookmarks.claim(request.assignedTo("bob").ofGroups(Set.of()), ANNA)).isEmpty();
      List<ClaimResult.Held> claimed = bookmarks.claim(request, ANNA);

      assertThat(claimed).hasSize(2);
      assertThat(claimed.get(0).bookmark().id().instance()).isEqualTo(most.id());
      assertThat(claimed.get(0).lease().holder()).isEqualTo("anna#anna's machine");
      assertThat(
              refused(
                  bookmarks.extend(
                      claimed.get(0).bookmark().id(), claimed.get(0).lease(), MINUTE, ANNA)))
          .isEqualTo(Code.NO_EXTENSIONS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void waits_are_found_listed_and_counted(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, BookmarksTest::questions)) {
      kit.deploy(ASKING);
      for (int i = 1; i <= 3; i++) {
        ask(kit, i);
      }
      Bookmarks bookmarks = kit.engine().bookmarks();
      assertThat(bookmarks.claimNext(MINUTE, ANNA)).isPresent();

      assertThat(bookmarks.look().byKey("question", ANNA)).hasSize(3);
      assertThat(bookmarks.look().byCorrelation("order-2", ANNA)).hasSize(1);
      assertThat(bookmarks.look().byCorrelation("order-2", STRANGER)).isEmpty();
      List<BookmarkStatus> first = bookmarks.look().open(BookmarkKind.USER_ACTION, null, 2, ANNA);
      List<BookmarkStatus> rest =
          bookmarks.look().open(BookmarkKind.USER_ACTION, first.getLast().bookmark(), 2, ANNA);
      assertThat(first).hasSize(2);
      assertThat(rest).hasSize(1);
      var statistics = bookmarks.look().statistics(ANNA).get(0);
      assertThat(statistics.count(Bookmark.State.AVAILABLE)).isEqualTo(2);
      assertThat(statistics.count(Bookmark.State.CLAIMED)).isEqualTo(1);
      assertThat(statistics.oldest()).isEqualTo(clock.instant());
    }
  }
}
