package dev.waymark.core.step.walk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.instance.ActivityInstance.State;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Status;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Wait;
import dev.waymark.core.step.kind.Kinds;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Bodies that end while their run is held: what follows them begins when the run goes on. */
final class HeldBodiesTest {

  /** The activities that follow the body {@code a}, one piece for each kind of activity. */
  private static final Map<String, String> NEXT = new LinkedHashMap<>();

  static {
    NEXT.put("body", "b: { type: work }");
    NEXT.put("set", "b: { type: set, with: { y: 1 } }");
    NEXT.put("end", "b: { type: end }");
    NEXT.put("terminate", "b: { type: terminate, with: { status: failed } }");
    NEXT.put("emit", "b: { type: emit, with: { type: money-sent } }");
    NEXT.put("signal", "b: { type: signal, with: { name: rain } }");
    NEXT.put("send", "b: { type: send, with: { to: \"" + Play.ID + "\", name: hello } }");
    NEXT.put("raise", "b: { type: raise, with: { code: NO } }");
    NEXT.put("wait", "b: { type: wait, with: { key: k } }");
    NEXT.put("timer", "b: { type: timer, with: { after: PT1H } }");
    NEXT.put("user-task", "b: { type: user-task, with: { candidates: [ann] } }");
    NEXT.put("approval", "b: { type: approval, with: { approvers: [ann] } }");
    NEXT.put("sub-workflow", "b: { type: sub-workflow, with: { definition: child } }");
    NEXT.put(
        "fork",
        """
        b: { type: fork, with: { branches: [c, d] } }
        c: { type: work, next: e }
        d: { type: set, next: e }
        e: { type: join }
        """);
    NEXT.put("join", "b: { type: fork, with: { branches: [c] } }\nc: { type: join }");
    NEXT.put("split", "b: { type: split, next: [{ when: \"true\", to: c }] }\nc: { type: work }");
    NEXT.put(
        "race",
        """
        b: { type: race, with: { waits: { x: { for: user-action }, y: { after: PT1H } } }, next: c }
        c: { type: set }
        """);
    NEXT.put("scope", "b: { type: scope, start: c, activities: { c: { type: work } } }");
    NEXT.put(
        "for-each",
        "b: { type: for-each, with: { items: [1, 2] }, start: c, activities: { c: { type: work } }"
            + " }");
    NEXT.put("compensate", "b: { type: compensate }");
  }

  static Stream<String> kinds() {
    return NEXT.keySet().stream();
  }

  @Test
  void every_kind_of_activity_has_a_case() {
    List<String> builtIn = Kinds.builtIn().stream().map(ActivityType::name).toList();

    assertThat(NEXT.keySet()).containsAll(builtIn);
  }

  private static Play held(String next) {
    Play play =
        Play.of(
            "a",
            ("a: { type: work, next: b, compensate: undo }\nundo: { type: work }\n" + next)
                .indent(2));
    play.start(Map.of());
    return play;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void what_follows_a_body_begins_when_the_run_goes_on(String kind) {
    Play free = held(NEXT.get(kind)).complete("a", Map.of("x", 1));
    Play play = held(NEXT.get(kind));
    play.step(new Command.Suspend(play.meta(), "audit"));
    var visit = play.at("a");

    Step step =
        play.step(
            new Attempt.Complete(
                play.meta(),
                visit.visit(),
                visit.attempt(),
                Map.of("x", 1L),
                Effects.NONE,
                Duration.ofMillis(3)));

    assertThat(step.begun()).isEmpty();
    assertThat(step.started()).isEmpty();
    assertThat(step.created()).isEmpty();
    assertThat(step.sent()).isEmpty();
    assertThat(step.history()).extracting(e -> e.type().name()).containsExactly("ACTIVITY_HELD");
    assertThat(play.live().status()).isEqualTo(Status.SUSPENDED);
    assertThat(play.standsAt()).containsExactly("a");

    play.step(new Command.Continue(play.meta(), "seen"));

    assertThat(play.live().status()).isEqualTo(free.live().status());
    assertThat(play.standsAt()).isEqualTo(free.standsAt());
    assertThat(play.live().variables()).isEqualTo(free.live().variables());
    assertThat(play.sent()).hasSameSizeAs(free.sent());
    assertThat(play.live().bookmarks()).hasSameSizeAs(free.live().bookmarks());
  }

  @Test
  void what_a_body_asks_to_wait_for_and_tells_the_world_is_kept() {
    Play play = held("b: { type: work }");
    play.step(new Command.Suspend(play.meta(), "audit"));
    var visit = play.at("a");
    Effects effects =
        new Effects(
            List.of(new Emission("money-sent", Map.of("n", 1L))),
            List.of(Send.signal("rain", Map.of())));
    Wait wait =
        new Wait(
            BookmarkKind.USER_ACTION,
            "ask",
            Map.of("q", "why"),
            Instant.parse("2026-02-01T00:00:00Z"));

    Step step =
        play.step(
            new Attempt.Await(
                play.meta(),
                visit.visit(),
                visit.attempt(),
                List.of(wait),
                Map.of("x", 1L),
                effects,
                Duration.ZERO));

    assertThat(step.created()).isEmpty();
    assertThat(step.sent()).isEmpty();
    assertThat(play.history).noneMatch(e -> e.type().name().equals("EVENT_EMITTED"));

    play.step(new Command.Continue(play.meta(), "seen"));

    assertThat(play.bookmark("ask").due()).isEqualTo(wait.due());
    assertThat(play.bookmark("ask").payload()).isEqualTo(wait.payload());
    assertThat(play.sent()).hasSize(1);
    assertThat(play.history).anyMatch(e -> e.type().name().equals("EVENT_EMITTED"));
    assertThat(play.at("a").state()).isEqualTo(State.WAITING);
  }
}
