package dev.waymark.core.approval;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.Json;
import dev.waymark.core.time.Lapse;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an approval was asked to be, read from its evaluated input. */
final class ApprovalPlanTest {

  private static final Instant NOON = Instant.parse("2026-01-12T12:00:00Z");

  private static ApprovalPlan plan(String json) {
    return ApprovalPlan.of(Json.readObject(json));
  }

  @ParameterizedTest
  @CsvSource({
    "5000, ''",
    "5000.01, lead",
    "25000, lead",
    "25001, lead manager",
    "100000, lead manager",
    "100001, lead manager director",
    "9999999999999999999, lead manager director",
  })
  void an_amount_needs_the_levels_of_its_band(String amount, String levels) {
    ApprovalPlan plan =
        plan(
            """
            { "bands": { "of": %s, "table": [
                { "above": 100000, "levels": 3 },
                { "above": 5000, "levels": 1 },
                { "above": 25000, "levels": 2 } ] },
              "levels": [
                { "name": "lead", "approvers": ["lead"] },
                { "name": "manager", "approvers": ["manager"] },
                { "name": "director", "approvers": ["director"] } ] }
            """
                .formatted(amount));

    assertThat(String.join(" ", plan.stages().stream().map(ApprovalPlan.Stage::name).toList()))
        .isEqualTo(levels);
  }

  @Test
  void a_level_whose_condition_is_false_is_left_out() {
    ApprovalPlan plan =
        plan(
            """
            { "levels": [
                { "approvers": ["a"], "when": true },
                { "approvers": ["b"], "when": false },
                { "approvers": ["c"] } ] }
            """);

    assertThat(plan.stages().stream().map(ApprovalPlan.Stage::name)).containsExactly("1", "3");
  }

  @Test
  void one_level_needs_no_list_of_levels() {
    ApprovalPlan plan =
        plan(
            """
            { "approvers": ["anna", "anna", "group:finance", { "group": "legal", "seats": 2 },
                            { "user": "eve", "weight": 3, "veto": true }],
              "mode": { "atLeast": 2 }, "exclude": "rita", "due": "P3D",
              "escalate": [{ "after": "P3D", "to": "group:finance" }],
              "remind": { "after": "P1D", "every": "PT12H", "times": 2 },
              "substitutes": [{ "for": "anna", "by": "bert", "until": "2026-02-01T00:00:00Z" }] }
            """);
    ApprovalPlan.Stage stage = plan.stages().get(0);

    assertThat(stage.seats())
        .containsExactly(
            Seat.of("anna"),
            Seat.of("group:finance"),
            Seat.of("group:legal"),
            Seat.of("group:legal"),
            new Seat(Party.user("eve"), 3, true));
    assertThat(stage.mode()).isEqualTo(new Mode.AtLeast(2));
    assertThat(stage.dueAt(NOON, Map.of())).isEqualTo("2026-01-15T12:00:00Z");
    assertThat(stage.ladder())
        .containsExactly(
            new Rung(new Lapse(Duration.ofDays(3), null), List.of(Party.group("finance"))));
    assertThat(stage.reminders().due(0, NOON)).isEqualTo("2026-01-13T12:00:00Z");
    assertThat(stage.reminders().due(1, NOON)).isEqualTo("2026-01-14T00:00:00Z");
    assertThat(stage.reminders().due(2, NOON)).isNull();
    assertThat(plan.excluded()).containsExactly("rita");
    assertThat(plan.substitutions())
        .containsExactly(
            new Substitution("anna", "bert", null, Instant.parse("2026-02-01T00:00:00Z")));
  }

  @Test
  void who_is_excluded_has_no_seat() {
    ApprovalPlan.Stage stage =
        plan("{ \"approvers\": [\"a\", \"b\"], \"mode\": \"all\" }").stages().get(0);

    assertThat(stage.without(Set.of("a")).required()).isEqualTo(1);
    assertThatThrownBy(() -> stage.without(Set.of("a", "b")))
        .hasMessage("Expected somebody who can approve at level '1', but nobody is left");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'approvers':['a'],'mode':'most'}"
            + "|Expected any, all, { atLeast: n } or { weight: n } as 'mode', but got 'most'",
        "{'approvers':[7]}|Expected an approver, but got 7",
        "{'approvers':['a'],'escalate':[{'after':'P2D','to':'x'},{'after':'P1D','to':'y'}]}"
            + "|Expected every rung of 'escalate' to come after the one before, but PT24H follows"
            + " PT48H",
        "{'approvers':[{'group':'x','seats':0}]}"
            + "|Expected 1 to 1,000 seats for group:x, but got 0",
        "{'approvers':['a'],'substitutes':[{'for':'a','by':'a'}]}"
            + "|Expected somebody else to speak for a, but got the same",
        "{'bands':{'of':9,'table':[{'above':1,'levels':2}]},'levels':[{'approvers':['a']}]}"
            + "|Expected 2 levels, as 'bands' says, but 'levels' has 1",
      })
  void a_faulty_approval_is_refused_with_the_reason(String json, String message) {
    Map<String, @Nullable Object> with = Json.readObject(json.replace('\'', '"'));

    assertThatThrownBy(() -> ApprovalPlan.of(with)).hasMessage(message);
  }
}
