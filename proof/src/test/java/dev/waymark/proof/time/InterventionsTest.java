package dev.waymark.proof.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Operators;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.EngineBuilder;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.ClaimRequest;
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

/**
 * Manual interventions: the people who may resolve one, and the levels to which it goes in time.
 */
final class InterventionsTest {

  private static final Duration HOUR = Duration.ofHours(1);
  private static final Caller ANNA = Caller.of("anna");

  private static final String BROKEN =
      """
      waymark: 1
      key: broken
      start: work
      activities:
        work: { type: work, retry: { attempts: 1 } }
      """;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void an_intervention_that_nobody_looks_at_goes_to_a_higher_level_once(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder.activity(
                    "work", context -> ActivityResult.failedForGood("BROKEN", "It is broken")))) {
      kit.deploy(BROKEN);
      Run run = kit.start("broken", Map.of());
      Bookmark parked = run.bookmark("work");
      assertThat(parked.terms().candidates().groups()).containsExactly("workflow-admin");
      assertThat(parked.payload()).containsEntry("level", 1L);

      kit.advance(Limits.INTERVENTION_TIME);

      Bookmark escalated = run.bookmark("work");
      assertThat(escalated.id()).isEqualTo(parked.id());
      assertThat(escalated.terms().candidates().groups()).containsExactly("senior-admin");
      assertThat(escalated.payload())
          .containsEntry("level", 2L)
          .containsEntry("requiredRole", "senior-admin");
      Caller senior =
          Caller.of(new Actor("sam", Actor.DEFAULT_TENANT, Set.of("senior-admin"), Set.of()));
      assertThat(
              kit.engine()
                  .bookmarks()
                  .claim(
                      ClaimRequest.lasting(HOUR).kinds(BookmarkKind.MANUAL_INTERVENTION), senior))
          .hasSize(1);

      long version = run.instance().version();
      kit.advance(Limits.INTERVENTION_TIME.multipliedBy(3));
      assertThat(run.instance().version()).isEqualTo(version);
      assertSound(store);
    }
  }

  private static Caller with(String user, Set<String> groups, Set<String> roles) {
    return Caller.of(new Actor(user, Actor.DEFAULT_TENANT, groups, roles));
  }

  private static Answer retry(WorkflowTestKit kit, Run run, Caller caller) {
    BookmarkId parked = run.bookmark("work").id();
    return kit.engine()
        .operations()
        .intervene(parked, InterventionAction.RETRY_ACTIVITY, "Mended", caller);
  }

  private static String refusal(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    assertThat(((Answer.Refused) answer).rejection().code()).isEqualTo(Code.NOT_YOURS);
    return ((Answer.Refused) answer).rejection().message();
  }

  @ParameterizedTest
  @EnumSource
  void a_team_names_its_own_levels_and_needs_no_higher_one(Stores stores) {
    Caller lead = with("lea", Set.of("team-leads"), Set.of());
    Caller support = with("sue", Set.of(), Set.of("support"));
    Caller admin = with("adam", Set.of(), Set.of("workflow-admin"));
    Stores.Place place = stores.create();
    Operators team =
        Operators.DEFAULT
            .withRoles(Set.of("support"))
            .withLevels("support", "team-leads")
            .withPatience(Duration.ofHours(2));
    InstanceId id;
    try (WorkflowTestKit kit = place.process(clock, b -> broken(b).operators(team))) {
      kit.deploy(BROKEN);
      Run run = kit.start("broken", Map.of());
      id = run.id();
      assertThat(refusal(retry(kit, run, admin))).startsWith("Expected group:support to resolve");
      retry(kit, run, support).orThrow();
      kit.runUntilIdle();

      kit.advance(Duration.ofHours(2));
      assertThat(refusal(retry(kit, run, support))).startsWith("Expected group:team-leads");
      retry(kit, run, lead).orThrow();
      kit.runUntilIdle();
      assertThat(
              kit.engine().instances().explain(run.id(), ANNA).orElseThrow().reasons().get(0).who())
          .containsExactly("group:support", "group:team-leads", "role:support", "role:team-leads");
      kit.advance(Duration.ofHours(2));
    }

    // A team without a higher level resolves also what once went there.
    Operators flat = team.withLevels("support", null);
    try (WorkflowTestKit kit = place.process(clock, b -> broken(b).operators(flat))) {
      Run run = kit.run(id);
      retry(kit, run, support).orThrow();
      kit.runUntilIdle();
      kit.advance(Duration.ofDays(9));
      retry(kit, run, support).orThrow();
    }
  }

  private static EngineBuilder broken(EngineBuilder builder) {
    return builder.activity(
        "work", context -> ActivityResult.failedForGood("BROKEN", "It is broken"));
  }

  @ParameterizedTest
  @EnumSource
  void only_who_an_intervention_names_or_who_is_above_resolves_it(Stores stores) {
    Caller admin = with("adam", Set.of(), Set.of("workflow-admin"));
    Caller member = with("mia", Set.of("workflow-admin"), Set.of());
    Caller senior = with("sam", Set.of(), Set.of("senior-admin"));
    Caller operator = with("olga", Set.of("operations"), Set.of("operator"));
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder.activity(
                    "work", context -> ActivityResult.failedForGood("BROKEN", "It is broken")))) {
      kit.deploy(BROKEN);
      Run run = kit.start("broken", Map.of());

      assertThat(refusal(retry(kit, run, ANNA)))
          .isEqualTo(
              "Expected group:workflow-admin to resolve 'work', but anna is neither in such a"
                  + " group nor has such a role");
      assertThat(refusal(retry(kit, run, operator))).contains("but olga is neither");
      for (Caller may : List.of(admin, member, senior)) {
        retry(kit, run, may).orThrow();
        kit.runUntilIdle();
      }

      kit.advance(Limits.INTERVENTION_TIME);
      assertThat(refusal(retry(kit, run, admin)))
          .startsWith("Expected group:senior-admin to resolve 'work', but adam is neither");
      assertThat(refusal(retry(kit, run, member))).contains("mia");
      retry(kit, run, senior).orThrow();
      kit.runUntilIdle();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void who_has_claimed_an_intervention_resolves_it_or_who_is_above(Stores stores) {
    Caller adam = with("adam", Set.of(), Set.of("workflow-admin"));
    Caller mia = with("mia", Set.of("workflow-admin"), Set.of());
    Caller sam = with("sam", Set.of("senior-admin"), Set.of("senior-admin"));
    Caller sue = with("sue", Set.of("senior-admin"), Set.of("senior-admin"));
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder.activity(
                    "work", context -> ActivityResult.failedForGood("BROKEN", "It is broken")))) {
      kit.deploy(BROKEN);
      Run run = kit.start("broken", Map.of());
      BookmarkId parked = run.bookmark("work").id();
      long fence = claim(kit, parked, adam);

      assertThat(rejection(retry(kit, run, mia)).code()).isEqualTo(Code.LEASED);
      assertThat(rejection(retry(kit, run, mia)).message())
          .isEqualTo(
              "Expected bookmark 'work' to be free, but adam holds it until "
                  + clock.instant().plus(HOUR));
      assertThat(rejection(retry(kit, parked, fence + 1, mia)).code()).isEqualTo(Code.STALE_FENCE);
      retry(kit, parked, fence, adam).orThrow();
      kit.runUntilIdle();
      assertThat(rejection(retry(kit, parked, fence, adam)).code()).isEqualTo(Code.ALREADY_CLOSED);

      var unused = claim(kit, run.bookmark("work").id(), adam);
      retry(kit, run, sam).orThrow();
      kit.runUntilIdle();

      BookmarkId again = run.bookmark("work").id();
      long late = claim(kit, again, adam);
      kit.advance(HOUR);
      long mias = claim(kit, again, mia);
      assertThat(rejection(retry(kit, again, late, adam)).message())
          .endsWith("mia claimed it since");
      retry(kit, again, mias, mia).orThrow();
      kit.runUntilIdle();

      kit.advance(Limits.INTERVENTION_TIME);
      long sues = claim(kit, run.bookmark("work").id(), sue);
      assertThat(rejection(retry(kit, run, sam)).code()).isEqualTo(Code.LEASED);
      retry(kit, run.bookmark("work").id(), sues, sue).orThrow();
      kit.runUntilIdle();
      assertSound(store);
    }
  }

  private static long claim(WorkflowTestKit kit, BookmarkId parked, Caller caller) {
    return kit.engine().bookmarks().claim(parked, HOUR, caller).orThrow().lease().fence();
  }

  private static Answer retry(WorkflowTestKit kit, BookmarkId parked, long fence, Caller caller) {
    return kit.engine()
        .operations()
        .intervene(parked, fence, InterventionAction.RETRY_ACTIVITY, Map.of(), "Mended", caller);
  }

  private static Rejection rejection(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Refused.class);
    return ((Answer.Refused) answer).rejection();
  }
}
