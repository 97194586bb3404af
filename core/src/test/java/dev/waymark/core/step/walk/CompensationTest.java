package dev.waymark.core.step.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.core.step.Play;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is completed, and undone again. */
final class CompensationTest {

  private static final String SAGA =
      """
      waymark: 1
      key: saga
      on: { error: { compensate: true, fail: true } }
      start: flight
      activities:
        flight: { type: work, compensate: noFlight, next: trip }
        noFlight: { type: work, with: { id: "${ Output.id }" } }
        trip:
          type: scope
          variables: { night: 3 }
          start: hotel
          activities:
            hotel: { type: work, compensate: noHotel, next: seat }
            noHotel: { type: work, with: { id: "${ Output.id }", night: "${ Variables.night }" } }
            seat: { type: work, compensate: noSeat }
            noSeat: { type: work }
          next: pay
        pay: { type: work, retry: { attempts: 1 } }
      """;

  @Test
  void what_is_completed_is_undone_in_reverse_order_and_then_the_run_fails() {
    Play play = new Play(SAGA);
    play.start(Map.of())
        .complete("flight", Map.of("id", "F1"))
        .complete("hotel", Map.of("id", "H1"))
        .complete("seat");
    play.fail("pay", "NO_FUNDS");

    assertThat(play.standsAt()).containsExactly("$root", "noSeat");
    play.complete("noSeat");
    assertThat(Scopes.input(play.at("noHotel"))).isEqualTo(Map.of("id", "H1", "night", 3L));
    play.complete("noHotel");
    assertThat(Scopes.input(play.at("noFlight"))).isEqualTo(Map.of("id", "F1"));
    play.complete("noFlight");

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
    assertThat(play.live().fault()).isNotNull();
    assertThat(play.live().fault().code()).isEqualTo("NO_FUNDS");
  }

  @Test
  void a_handler_that_fails_for_good_is_parked_and_goes_on_when_retried() {
    Play play =
        new Play(
            SAGA.replace(
                "noFlight: { type: work,", "noFlight: { type: work, retry: { attempts: 1 },"));
    play.start(Map.of())
        .complete("flight", Map.of("id", "F1"))
        .complete("hotel", Map.of("id", "H1"))
        .complete("seat");
    play.fail("pay", "NO_FUNDS").complete("noSeat").complete("noHotel").fail("noFlight", "DOWN");

    assertThat(play.at("noFlight").state()).isEqualTo(State.PARKED);
    play.step(
        new Command.Intervene(
            play.meta(Play.ADMIN),
            play.bookmark("noFlight").id(),
            InterventionAction.RETRY_ACTIVITY,
            Map.of(),
            "up again"));
    play.complete("noFlight");

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
  }

  @Test
  void what_is_completed_in_a_scope_that_is_still_alive_is_undone_too() {
    Play play =
        Play.of(
            "outer",
            """
              outer:
                type: scope
                start: each
                activities:
                  each:
                    type: for-each
                    with: { items: [4] }
                    start: a
                    activities:
                      a: { type: work, compensate: u, next: bad }
                      u: { type: work, with: { item: "${ Variables.item }" } }
                      bad: { type: raise, with: { code: X } }
                on: { error: { to: after, compensate: true } }
              after: { type: work }
            """);

    play.start(Map.of()).complete("a");
    assertThat(Scopes.input(play.at("u"))).isEqualTo(Map.of("item", 4L));
    play.complete("u");

    assertThat(play.standsAt()).containsExactly("after");
  }

  @Test
  void a_finished_item_is_not_undone_by_what_undoes_the_whole_loop() {
    Play play =
        Play.of(
            "each",
            """
              each:
                type: for-each
                with: { items: [1, 2] }
                start: a
                activities:
                  a: { type: work, compensate: u }
                  u: { type: work }
                compensate: all
                on: { message: { name: stop, to: after, compensate: true } }
              all: { type: work }
              after: { type: work }
            """);

    play.start(Map.of()).complete("a").message("stop", Map.of());
    assertThat(play.standsAt()).containsExactly("each", "u");
    play.complete("u");

    assertThat(play.standsAt()).containsExactly("after");
  }

  @Test
  void a_compensate_activity_undoes_its_scope_and_goes_on() {
    Play play =
        Play.of(
            "a",
            """
              a: { type: work, compensate: undoA, next: b }
              undoA: { type: work }
              b: { type: work, compensate: undoB, next: c }
              undoB: { type: work }
              c: { type: compensate, next: done }
              done: { type: work }
            """);

    play.start(Map.of()).complete("a").complete("b").complete("undoB").complete("undoA");

    assertThat(play.standsAt()).containsExactly("done");
    play.complete("done");
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().activities()).isEmpty();
  }

  @Test
  void a_completed_run_has_no_visits_left() {
    Play play = Play.of("a", "  a: { type: work, compensate: u }\n  u: { type: work }\n");

    play.start(Map.of()).complete("a");

    Instance ended = play.live();
    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(ended.activities()).isEmpty();
  }
}
