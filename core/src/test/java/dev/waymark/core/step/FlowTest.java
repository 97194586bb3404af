package dev.waymark.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class FlowTest {

  // ---- scopes

  @Test
  void a_scope_has_variables_of_its_own_and_gives_out_what_its_output_says() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                variables: { x: "${ Variables.n + 1 }", y: 0 }
                start: inner
                activities:
                  inner: { type: set, with: { y: "${ Variables.x * 2 }", z: 5, n: 7 } }
                output: { result: "${ Output.y }" }
                next: after
              after: { type: set, with: { seen: "${ has(Variables.y) }" } }
            """);

    play.start(Map.of("n", 1));

    assertThat(play.live().variables())
        .isEqualTo(Map.of("n", 7L, "z", 5L, "result", 4L, "seen", false));
    assertThat(play.completed()).containsExactly("inner", "s", "after");
  }

  @Test
  void a_scope_is_done_when_nothing_inside_is_alive() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                start: f
                activities:
                  f: { type: fork, with: { branches: [a, b] } }
                  a: { type: work }
                  b: { type: work }
                next: after
              after: { type: work }
            """);

    play.start(Map.of()).complete("b");
    assertThat(play.standsAt()).containsExactly("s", "f", "a");

    play.complete("a");
    assertThat(play.standsAt()).containsExactly("after");
  }

  // ---- for-each

  private static final String EACH =
      """
        each:
          type: for-each
          with: { items: "${ Variables.items }", parallel: %d }
          item: line
          start: price
          activities:
            price: { type: work, with: { line: "${ Variables.line }" }, output: { p: "${ Output.p }" } }
          variables: { p: 0 }
          collect: "${ Variables.p }"
          until: "Output.result > 99"
          output: { prices: "${ Output.results }", early: "${ Output.early }" }
          next: done
        done: { type: end }
      """;

  @Test
  void items_are_done_one_after_another_and_their_results_collected_in_order() {
    Play play = Play.of("each", EACH.formatted(1));

    play.start(Map.of("items", List.of("a", "b", "c")));
    for (int i = 1; i <= 3; i++) {
      assertThat(play.live().activities().values().stream().filter(a -> a.state() == State.RUNNING))
          .hasSize(1);
      play.complete("price", Map.of("p", i));
    }

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables())
        .containsEntry("prices", List.of(1L, 2L, 3L))
        .containsEntry("early", false)
        .doesNotContainKeys("line", "index", "p");
  }

  @Test
  void items_side_by_side_never_exceed_the_cap_and_stop_when_it_is_enough() {
    Play play = Play.of("each", EACH.formatted(2));
    play.start(Map.of("items", List.of("a", "b", "c", "d")));

    assertThat(running(play)).hasSize(2);
    completeLine(play, "b", 2);
    assertThat(running(play)).hasSize(2);
    completeLine(play, "c", 100);

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables())
        .containsEntry("prices", Arrays.asList(null, 2L, 100L, null))
        .containsEntry("early", true);
  }

  private static List<ActivityInstance> running(Play play) {
    return play.live().activities().values().stream()
        .filter(a -> a.state() == State.RUNNING)
        .toList();
  }

  private static void completeLine(Play play, String line, int price) {
    ActivityInstance visit =
        running(play).stream()
            .filter(a -> Scopes.input(a).get("line").equals(line))
            .findFirst()
            .orElseThrow();
    play.step(
        new Attempt.Complete(
            play.meta(),
            visit.visit(),
            visit.attempt(),
            Map.of("p", (long) price),
            Command.Effects.NONE,
            Duration.ZERO));
  }

  @Test
  void a_hundred_items_keep_their_results_in_pages() {
    Play play = Play.of("each", EACH.formatted(1));
    play.start(Map.of("items", IntStream.range(0, 80).boxed().toList()));

    for (int i = 0; i < 80; i++) {
      assertThat(play.live().activities().size()).isLessThan(8);
      play.complete("price", Map.of("p", i % 50));
    }

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat((List<?>) play.live().variables().get("prices")).hasSize(80);
  }

  @Test
  void ten_thousand_items_that_need_nobody_are_several_steps() {
    Play play =
        Play.of(
            "each",
            """
              each:
                type: for-each
                with: { items: "${ Variables.items }" }
                start: one
                activities:
                  one: { type: set, with: { sum: "${ Variables.sum + Variables.item }" } }
            """);

    play.start(Map.of("items", IntStream.range(0, 10_000).boxed().toList(), "sum", 0));
    assertThat(play.live().status()).isEqualTo(Status.RUNNING);
    play.pass(Duration.ZERO);

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables()).containsEntry("sum", 49_995_000L);
  }

  @Test
  void no_items_are_done_at_once() {
    Play play = Play.of("each", EACH.formatted(3));

    play.start(Map.of("items", List.of()));

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
    assertThat(play.live().variables()).containsEntry("prices", List.of());
  }

  // ---- race and split

  @Test
  void the_first_wait_wins_and_the_others_are_withdrawn_in_the_same_step() {
    Play play =
        Play.of(
            "r",
            """
              r:
                type: race
                with:
                  waits:
                    yes: { for: user-action, key: yes, to: good }
                    late: { after: PT1H }
                    never: { for: signal, key: n, when: "${ false }" }
                next: bad
              good: { type: work }
              bad: { type: work }
            """);

    play.start(Map.of());
    assertThat(play.live().bookmarks()).hasSize(2);
    Step step =
        play.step(new Command.Resume(play.meta(), play.bookmark("yes").id(), null, Map.of()));

    assertThat(step.spends()).hasSize(2);
    assertThat(play.live().bookmarks()).isEmpty();
    assertThat(play.standsAt()).containsExactly("good");
    assertThat(play.live().variables()).containsEntry("winner", "yes");
  }

  @Test
  void a_split_takes_every_way_that_holds_and_the_join_waits_for_those() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: split
                next:
                  - { when: "Variables.n > 1", to: a }
                  - { when: "Variables.n > 5", to: b }
                  - { to: c }
              a: { type: work, next: j }
              b: { type: work, next: j }
              c: { type: work, next: j }
              j: { type: join, next: done }
              done: { type: work }
            """);

    play.start(Map.of("n", 7));
    assertThat(play.standsAt()).containsExactly("s", "a", "b");
    play.complete("a");
    assertThat(play.standsAt()).containsExactly("s", "b", "j");
    play.complete("b");
    assertThat(play.standsAt()).containsExactly("done");
  }

  // ---- reactions

  @Test
  void an_error_goes_to_the_innermost_reaction_that_matches() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                start: w
                activities:
                  w:
                    type: work
                    retry: { attempts: 1 }
                    on: { error: { match: "Error.code == 'A'", to: inside } }
                    next: x
                  x: { type: work, retry: { attempts: 1 } }
                  inside: { type: work, retry: { attempts: 1 } }
                on:
                  error: { to: outside, output: { why: "${ Error.code }" } }
              outside: { type: work }
            """);

    play.start(Map.of()).fail("w", "A");
    assertThat(play.standsAt()).containsExactly("s", "inside");
    play.fail("inside", "B");

    assertThat(play.standsAt()).containsExactly("outside");
    assertThat(play.live().variables()).containsEntry("why", "B");
  }

  @Test
  void a_timeout_interrupts_or_starts_something_beside() {
    Play play =
        Play.of(
            "w",
            """
              w:
                type: wait
                on:
                  timeout:
                    - { after: PT1H, to: remind, interrupt: false }
                    - { after: PT3H, to: late }
                next: done
              remind: { type: set, with: { reminded: true } }
              late: { type: work }
              done: { type: end }
            """);

    play.start(Map.of()).pass(Duration.ofHours(1));
    assertThat(play.live().variables()).containsEntry("reminded", true);
    assertThat(play.standsAt()).containsExactly("w");

    play.pass(Duration.ofHours(2));
    assertThat(play.standsAt()).containsExactly("late");
    assertThat(play.live().bookmarks()).isEmpty();
  }

  @Test
  void a_message_beside_can_come_again() {
    Play play =
        Play.of(
            "w",
            """
              w:
                type: work
                on: { message: { name: note, to: add, interrupt: false, output: { k: "${ Output.k }" } } }
              add: { type: set, with: { sum: "${ Variables.sum + Variables.k }" } }
            """);

    play.start(Map.of("sum", 0)).message("note", Map.of("k", 2)).message("note", Map.of("k", 3));
    assertThat(play.live().variables()).containsEntry("sum", 5L);
    play.complete("w");

    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_signal_reaches_every_wait_of_the_run_at_once() {
    Play play =
        Play.of(
            "f",
            """
              f: { type: fork, with: { branches: [a, b] } }
              a: { type: wait, with: { for: signal, key: go }, next: j }
              b: { type: wait, with: { for: signal, key: go }, next: j }
              j: { type: join, next: done }
              done: { type: work }
            """);

    play.start(Map.of()).message(Message.signal("go"), Map.of());

    assertThat(play.standsAt()).containsExactly("done");
  }

  @Test
  void the_whole_run_can_time_out() {
    Play play =
        new Play(
            """
            waymark: 1
            key: k
            timeout: PT1H
            start: w
            activities:
              w: { type: wait }
            """);

    play.start(Map.of()).pass(Duration.ofHours(1));

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
    assertThat(play.live().fault()).isNotNull();
    assertThat(play.live().fault().code()).isEqualTo("TIMEOUT");
  }

  @Test
  void a_run_without_trouble_ends_although_it_has_reactions() {
    Play play =
        new Play(
            """
            waymark: 1
            key: k
            on: { message: { name: stop, to: stopped }, error: { to: stopped } }
            start: w
            activities:
              w: { type: work, retry: { attempts: 1 } }
              stopped: { type: work, retry: { attempts: 1 } }
            """);

    play.start(Map.of()).complete("w");
    assertThat(play.live().status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void an_error_in_what_the_run_reacts_with_is_parked_and_does_not_go_round() {
    Play play =
        new Play(
            """
            waymark: 1
            key: k
            on: { error: { to: repair } }
            start: w
            activities:
              w: { type: work, retry: { attempts: 1 } }
              repair: { type: work, retry: { attempts: 1 } }
            """);

    play.start(Map.of()).fail("w", "A").fail("repair", "B");

    assertThat(play.at("repair").state()).isEqualTo(State.PARKED);
  }

  @Test
  void a_token_on_its_way_into_what_is_cancelled_goes_with_it() {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                start: f
                activities:
                  f: { type: fork, with: { branches: [bad, w] } }
                  bad: { type: raise, with: { code: X } }
                  w: { type: work }
                on: { error: { to: after } }
              after: { type: work }
            """);

    play.start(Map.of());

    assertThat(play.standsAt()).containsExactly("after");
  }

  // ---- guards

  @Test
  void an_answer_that_the_guard_does_not_let_pass_is_refused_and_the_wait_stays() {
    Play play =
        Play.of(
            "w",
            """
              w:
                type: wait
                with: { key: k }
                guard:
                  when: "Context.actor != Variables.requester"
                  message: Nobody approves their own.
                  result: { type: object, required: [outcome] }
            """);
    play.start(Map.of("requester", "test"));

    var bare = new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of());
    var own =
        new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of("outcome", "ok"));

    assertThat(((Decision.Rejection) play.decide(bare)).message()).contains("outcome");
    assertThat(((Decision.Rejection) play.decide(own)).message())
        .isEqualTo(
            "Expected the guard of 'w' to hold, but it does not: Nobody approves their own.");
  }

  @Test
  void a_guard_asks_for_a_role() {
    Play play =
        Play.of("w", "  w: { type: wait, with: { key: k }, guard: { roles: [boss, chief] } }\n");
    play.start(Map.of());

    var resume = new Command.Resume(play.meta(), play.bookmark("k").id(), null, Map.of());

    assertThat(((Decision.Rejection) play.decide(resume)).message())
        .isEqualTo("Expected test to have role boss or chief, but got none");
  }

  // ---- compensation

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
            Command.Intervene.Action.RETRY_ACTIVITY,
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

  // ---- children

  private static final String PARENT =
      """
        c:
          type: sub-workflow
          with: { definition: child, input: { n: "${ Variables.n }" } }
          output: { got: "${ Output.m }" }
          on: { error: { match: "Error.code == 'X'", to: failed }, timeout: { after: PT1H, to: late } }
          next: done
        done: { type: work }
        failed: { type: work }
        late: { type: work }
      """;

  private static Message childEnd(Play play, Map<String, Object> payload) {
    Message start = play.sent().get(0);
    return new Message(
        new Message.Key("default", "instance", "x"),
        Play.ID,
        Message.ended(start.addressee()),
        payload,
        "child",
        play.now);
  }

  @Test
  void a_parent_asks_for_its_child_waits_for_it_and_takes_its_result() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));

    Message start = play.sent().get(0);
    assertThat(start.name()).isEqualTo(Message.START);
    assertThat(start.payload()).containsEntry("input", Map.of("n", 4L));
    play.step(
        new Command.Deliver(
            play.meta(), childEnd(play, Map.of("status", "COMPLETED", "output", Map.of("m", 5L)))));

    assertThat(play.live().variables()).containsEntry("got", 5L);
    assertThat(play.standsAt()).containsExactly("done");
  }

  @Test
  void a_childs_failure_is_a_fault_of_the_parents_visit() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));

    play.step(
        new Command.Deliver(
            play.meta(),
            childEnd(
                play,
                Map.of(
                    "status",
                    "FAILED",
                    "error",
                    Map.of("type", "ACTIVITY", "code", "X", "message", "m")))));

    assertThat(play.standsAt()).containsExactly("failed");
  }

  @Test
  void nobody_but_the_child_can_say_that_it_has_ended() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));
    String key = Message.ended(play.sent().get(0).addressee());

    var resume = new Command.Resume(play.meta(), play.bookmark(key).id(), null, Map.of());

    assertThat(((Decision.Rejection) play.decide(resume)).message()).contains("waits for a child");
  }

  @Test
  void a_child_that_nobody_waits_for_any_more_is_cancelled() {
    Play play = Play.of("c", PARENT);
    play.start(Map.of("n", 4));
    Message start = play.sent().get(0);

    play.pass(Duration.ofHours(1));

    assertThat(play.standsAt()).containsExactly("late");
    assertThat(play.sent()).hasSize(1);
    assertThat(play.sent().get(0).name()).isEqualTo(Message.CANCEL);
    assertThat(play.sent().get(0).addressee()).isEqualTo(start.addressee());
  }

  @Test
  void what_ends_leaves_nothing_alive() {
    Play play = Play.of("a", "  a: { type: work, compensate: u }\n  u: { type: work }\n");

    play.start(Map.of()).complete("a");

    Instance ended = play.live();
    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(ended.activities()).isEmpty();
  }
}
