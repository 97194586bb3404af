package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Play;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What partners say before they answer. */
final class ReportsTest {

  private static Command.Deliver report(Play play, String status, Instant received) {
    return new Command.Deliver(
        play.meta(),
        new Message(
            new Message.Key("default", Message.FROM_A_REPORT, status),
            Play.ID,
            Message.hook("identity"),
            Map.of("status", status),
            "callback",
            received));
  }

  private static Map<?, ?> shown(Play play, String activity) {
    @Nullable Object shown =
        play.live().bookmarks().values().stream()
            .filter(wait -> wait.visit() == play.at(activity).visit())
            .findFirst()
            .orElseThrow()
            .payload()
            .get(StatusUpdate.FIELD);
    return shown instanceof Map<?, ?> map ? map : Map.of();
  }

  @Test
  void of_two_reports_in_the_wrong_order_the_later_one_is_shown_and_both_are_in_history() {
    Play play = Play.of("a", "  a: { type: wait, with: { for: webhook, key: identity } }\n");
    play.start(Map.of());

    play.step(report(play, "second", play.now.plusSeconds(2)));
    play.step(report(play, "first", play.now.plusSeconds(1)));

    assertThat(shown(play, "a").get("status")).isEqualTo("second");
    assertThat(play.history)
        .filteredOn(entry -> entry.type() == HistoryEntry.Type.WAIT_REPORTED)
        .extracting(entry -> entry.detail().get("status"))
        .containsExactly("second", "first");
  }

  @Test
  void it_is_written_where_the_answer_will_go_and_no_guard_judges_it() {
    Play play =
        Play.of(
            "f",
            """
              f: { type: fork, with: { branches: [a, b] } }
              a: { type: wait, with: { for: webhook, key: identity } }
              b:
                type: wait
                with: { for: webhook, key: identity }
                guard: { result: { type: object, required: [ok] } }
            """);
    play.start(Map.of());

    play.step(report(play, "queued", play.now));

    assertThat(shown(play, "a")).isEmpty();
    assertThat(shown(play, "b").get("status")).isEqualTo("queued");
  }

  @Test
  void a_report_without_an_open_wait_changes_nothing() {
    Play play = Play.of("a", "  a: { type: wait, with: { key: other } }\n");
    play.start(Map.of());

    assertThat(play.decide(report(play, "late", play.now))).isInstanceOf(Decision.NoChange.class);
  }

  @Test
  void a_wait_does_not_say_what_only_the_partner_can() {
    Play play =
        Play.of(
            "a",
            "  a: { type: wait, with: { for: webhook, payload: { $status: { status: x } } } }\n");
    play.start(Map.of());

    assertThat(play.at("a").fault()).isNotNull();
    assertThat(play.at("a").fault().message())
        .contains("Expected a payload without '$status', which is the partner's");
  }
}
