package dev.waymark.core.step.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Play;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an activity, a scope or the whole run does about what happens to it. */
final class ReactionsTest {

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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "timeout: { after: PT1H, fail: true }",
        "timeout: { after: PT1H, fail: true, compensate: true }",
        "error: { fail: true }",
        "error: { fail: true, compensate: true }"
      })
  void a_visit_whose_reaction_fails_the_run_is_cancelled_once(String reaction) {
    Play play =
        Play.of(
            "s",
            """
              s:
                type: scope
                start: done
                activities:
                  done: { type: set, with: { a: 1 }, compensate: undo, next: w }
                  undo: { type: set, with: { a: 2 } }
                  w: { type: work, retry: { attempts: 1 } }
                on: { %s }
            """
                .formatted(reaction));

    play.start(Map.of());
    long scope = play.at("s").visit();
    long work = play.at("w").visit();
    if (reaction.startsWith("timeout")) {
      play.pass(Duration.ofHours(1));
    } else {
      play.fail("w", "A");
    }

    assertThat(play.live().status()).isEqualTo(Status.FAILED);
    assertThat(entries(play, scope)).endsWith(HistoryEntry.Type.ACTIVITY_CANCELLED);
    assertThat(entries(play, scope)).containsOnlyOnce(HistoryEntry.Type.ACTIVITY_CANCELLED);
    assertThat(entries(play, work))
        .containsOnlyOnce(
            reaction.startsWith("error")
                ? HistoryEntry.Type.ACTIVITY_FAULTED
                : HistoryEntry.Type.ACTIVITY_CANCELLED);
  }

  private static List<HistoryEntry.Type> entries(Play play, long visit) {
    return play.history.stream()
        .filter(entry -> entry.visit() == visit)
        .map(HistoryEntry::type)
        .toList();
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
}
