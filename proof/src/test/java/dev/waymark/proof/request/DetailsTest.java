package dev.waymark.proof.request;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Details;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.bookmark.BookmarkStatus;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every kind of wait says what it is about as a type of its own, as it comes from the store. */
final class DetailsTest {

  private static final Caller ANNA = Caller.of("anna");

  private static final String ALL =
      """
      waymark: 1
      key: all
      start: a
      activities:
        a: { type: fork, with: { branches: [task, vote, nap, monthly, paid, storm, hook, sub, work, odd] } }
        task:
          type: user-task
          with:
            title: Check it
            description: All of it
            data: { amount: 12.50 }
            form: { type: object }
            candidates: anna
            remind: { after: PT1H }
        vote:
          type: approval
          with: { title: Spend, data: { cents: 5 }, levels: [{ name: lead, approvers: [lea, "group:heads"], mode: all }] }
        nap: { type: timer, with: { after: PT2H } }
        monthly: { type: timer, with: { cron: "0 9 1 * *" } }
        paid: { type: wait, with: { for: external-message, key: paid, correlate: "4711" } }
        storm: { type: wait, with: { for: signal, key: storm } }
        hook: { type: wait, with: { for: webhook, key: identity } }
        sub: { type: sub-workflow, with: { definition: child } }
        work: { type: broken }
        odd: { type: odd }
      """;

  private final VirtualClock clock = new VirtualClock();

  private WorkflowTestKit kit(Stores stores) {
    WorkflowTestKit kit =
        stores
            .create()
            .process(
                clock,
                builder ->
                    builder
                        .callbackSecrets(Secret.of("ours", new byte[32]))
                        .activity(
                            "broken",
                            context -> ActivityResult.failedForGood("BROKEN", "In pieces"))
                        .activity(
                            "odd",
                            context ->
                                ActivityResult.suspended(
                                    ActivityResult.approval(
                                        "odd", Map.of("title", 7, "level", "x", "data", "y")))));
    kit.deploy("waymark: 1\nkey: child\nstart: w\nactivities: { w: { type: wait } }\n");
    kit.deploy(ALL);
    return kit;
  }

  private static List<Details> of(WorkflowTestKit kit, BookmarkKind kind) {
    return kit.engine().bookmarks().look().open(kind, null, 100, ANNA).stream()
        .map(BookmarkStatus::bookmark)
        .map(Bookmark::details)
        .toList();
  }

  private static <T> T only(List<Details> details, Class<T> type) {
    List<T> found = details.stream().filter(type::isInstance).map(type::cast).toList();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @ParameterizedTest
  @EnumSource
  void people_see_what_to_do_and_what_to_decide(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.start("all", Map.of());

      Details.Task task =
          of(kit, BookmarkKind.USER_ACTION).stream()
              .map(Details.Task.class::cast)
              .filter(each -> each.title().equals("Check it"))
              .findFirst()
              .orElseThrow();
      assertThat(task.description()).isEqualTo("All of it");
      assertThat(task.data("amount", BigDecimal.class, BigDecimal.ZERO)).isEqualTo("12.50");
      assertThat(task.data("currency", String.class, "EUR")).isEqualTo("EUR");
      assertThat(task.form()).containsEntry("type", "object");

      List<Details> approvals = of(kit, BookmarkKind.APPROVAL);
      assertThat(approvals)
          .contains(
              new Details.Approval(
                  "Spend",
                  "",
                  Json.objectOf(Map.of("cents", 5L)),
                  1,
                  1,
                  "lead",
                  2,
                  List.of("lea", "group:heads")));
      // What an application wrote may be anything.
      assertThat(approvals)
          .contains(new Details.Approval("odd", "", Map.of(), 1, 1, "odd", 1, List.of()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void moments_say_which_they_are(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.start("all", Map.of());
      Instant now = clock.instant();

      List<Details> timers = of(kit, BookmarkKind.TIMER);
      assertThat(timers)
          .contains(new Details.Timer(now.plus(Duration.ofHours(2)), null, null, null))
          .contains(new Details.Timer(now.plus(Duration.ofHours(1)), null, null, "REMIND"));
      Stream<Details.Timer> cron =
          timers.stream().map(Details.Timer.class::cast).filter(t -> t.occurrence() != null);
      assertThat(cron)
          .singleElement()
          .satisfies(
              monthly -> {
                assertThat(monthly.occurrence()).isEqualTo(1);
                assertThat(monthly.scheduled()).isEqualTo(monthly.due());
              });
    }
  }

  @ParameterizedTest
  @EnumSource
  void messages_say_from_whom_and_how_far_the_partner_is(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      Run run = kit.start("all", Map.of());

      List<Details> before = of(kit, BookmarkKind.EXTERNAL_MESSAGE);
      assertThat(before)
          .hasSize(3)
          .contains(new Details.Awaited("paid", "4711"))
          .contains(new Details.Signal("storm"))
          .contains(new Details.Webhook("identity", null, null));
      List<Details> all =
          run.instance().bookmarks().values().stream().map(Bookmark::details).toList();
      assertThat(kit.engine().instances().find(only(all, Details.Child.class).instance(), ANNA))
          .isPresent();

      String token =
          kit.engine().callbacks().seal(new Token("default", run.id(), "identity", true, null));
      byte[] report = "{\"status\":\"checking\",\"progress\":40}".getBytes(UTF_8);
      assertThat(kit.engine().callbacks().report(token, report, Map.of())).isTrue();
      kit.runUntilIdle();
      assertThat(only(of(kit, BookmarkKind.EXTERNAL_MESSAGE), Details.Webhook.class))
          .isEqualTo(
              new Details.Webhook(
                  "identity", new StatusUpdate("checking", 40, null), clock.instant()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void an_intervention_says_what_failed_and_what_can_be_done(Stores stores) {
    try (WorkflowTestKit kit = kit(stores)) {
      kit.start("all", Map.of());

      Details.Intervention parked =
          only(of(kit, BookmarkKind.MANUAL_INTERVENTION), Details.Intervention.class);
      assertThat(parked.error()).isNotNull();
      assertThat(parked.error().code()).isEqualTo("BROKEN");
      assertThat(parked.activity()).isEqualTo("work");
      assertThat(parked.level()).isEqualTo(1);
      assertThat(parked.requiredRole()).isEqualTo("workflow-admin");
      assertThat(parked.actions())
          .containsExactly(
              "retry-activity", "skip-activity", "modify-variables", "cancel-workflow");
    }
  }
}
