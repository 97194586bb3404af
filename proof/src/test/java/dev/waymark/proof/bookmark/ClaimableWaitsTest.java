package dev.waymark.proof.bookmark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.engine.bookmark.ClaimRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Waits that can be claimed, waits that cannot, and the rights that a claim leaves to others. */
final class ClaimableWaitsTest {

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final Caller ANNA = in("finance", "anna");
  private static final Caller BOB = in("finance", "bob");
  private static final Caller EVE = in("legal", "eve");

  private final VirtualClock clock = new VirtualClock();

  private static Caller in(String group, String user) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, Set.of(group), Set.of()));
  }

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void by_default_only_tasks_and_approvals_are_claimed(Stores stores) {
    try (WorkflowTestKit kit = stores.create().process(clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: several
          start: all
          activities:
            all: { type: fork, with: { branches: [act, decide, hear] } }
            act: { type: wait, with: { for: user-action } }
            decide: { type: wait, with: { for: approval } }
            hear: { type: wait, with: { for: external-message } }
          """);
      kit.start("several", Map.of());
      ClaimRequest any = ClaimRequest.lasting(MINUTE).batch(10);

      assertThat(kit.engine().bookmarks().claim(any, ANNA))
          .extracting(held -> held.bookmark().key())
          .containsExactlyInAnyOrder("act", "decide");
      assertThat(kit.engine().bookmarks().claim(any.kinds(BookmarkKind.EXTERNAL_MESSAGE), ANNA))
          .extracting(held -> held.bookmark().key())
          .containsExactly("hear");
    }
  }

  private static final String WAITS_OF_ALL_KINDS =
      """
      waymark: 1
      key: kinds
      start: split
      activities:
        split: { type: fork, with: { branches: [later, part, pick] } }
        later: { type: timer, with: { after: PT1H } }
        part: { type: sub-workflow, with: { definition: part } }
        pick: { type: race, with: { waits: { one: { key: one }, other: { key: other } } } }
      """;

  @ParameterizedTest
  @EnumSource
  void what_nobody_can_claim_is_created_and_what_is_not_needed_any_more_is_withdrawn(
      Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy("waymark: 1\nkey: part\nstart: a\nactivities: { a: { type: wait } }\n");
      kit.deploy(WAITS_OF_ALL_KINDS);
      Run run = kit.start("kinds", Map.of());
      Map<String, Bookmark> open =
          run.instance().bookmarks().values().stream()
              .collect(Collectors.toMap(Bookmark::key, bookmark -> bookmark));
      Bookmark timer = open.get("later");
      Bookmark child = only(open.values(), bookmark -> bookmark.key().startsWith("$ended:"));

      assertThat(stateOf(kit, timer)).isEqualTo(Bookmark.State.CREATED);
      assertThat(stateOf(kit, child)).isEqualTo(Bookmark.State.CREATED);
      assertThat(stateOf(kit, open.get("one"))).isEqualTo(Bookmark.State.AVAILABLE);
      for (Bookmark nobodys : List.of(timer, child)) {
        assertThat(kit.engine().bookmarks().claim(nobodys.id(), MINUTE, ANNA))
            .isInstanceOf(ClaimResult.Refused.class);
      }

      run.resume("one", Map.of());
      assertThat(stateOf(kit, open.get("one"))).isEqualTo(Bookmark.State.CONSUMED);
      assertThat(stateOf(kit, open.get("other"))).isEqualTo(Bookmark.State.WITHDRAWN);
      run.cancel("enough");
      assertThat(stateOf(kit, timer)).isEqualTo(Bookmark.State.WITHDRAWN);
      assertThat(stateOf(kit, child)).isEqualTo(Bookmark.State.WITHDRAWN);
      assertSound(store);
    }
  }

  private static Bookmark only(Collection<Bookmark> all, Predicate<Bookmark> wanted) {
    List<Bookmark> found = all.stream().filter(wanted).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  private static Bookmark.State stateOf(WorkflowTestKit kit, Bookmark bookmark) {
    return kit.engine().bookmarks().look().find(bookmark.id(), ANNA).orElseThrow().state();
  }

  @ParameterizedTest
  @EnumSource
  void a_claim_on_an_approval_keeps_nobody_else_from_deciding(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      kit.deploy(
          """
          waymark: 1
          key: ask
          start: ask
          activities:
            ask: { type: approval, with: { approvers: [anna, bob, eve], mode: all } }
          """);
      Run run = kit.start("ask", Map.of());
      BookmarkId id = run.bookmark("ask").id();
      ClaimResult.Held held = (ClaimResult.Held) kit.engine().bookmarks().claim(id, MINUTE, ANNA);

      kit.engine().approvals().approve(id, "fine", BOB).orThrow();
      kit.engine().approvals().comment(id, "hm", EVE).orThrow();
      assertThat(kit.engine().bookmarks().look().find(id, ANNA).orElseThrow().bookmark().lease())
          .isEqualTo(held.lease());
      kit.engine().approvals().approve(id, "fine", ANNA).orThrow();
      kit.engine().approvals().approve(id, "well", EVE).orThrow();
      kit.runUntilIdle();

      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(kit.engine().approvals().decisions(run.id(), ANNA))
          .extracting(vote -> vote.by())
          .containsExactly("bob", "anna", "eve");
      assertSound(store);
    }
  }
}
