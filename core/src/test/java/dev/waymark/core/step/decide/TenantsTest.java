package dev.waymark.core.step.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Play;
import dev.waymark.core.step.Step;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A tenant's commands reach the tenant's own runs; the engine's own reach the runs of all. */
final class TenantsTest {

  private static final Actor ELSEWHERE = Actor.of("carl").in("umbrella");

  private final Play play =
      Play.of(
              "nap",
              "  nap: { type: timer, with: { after: PT1H }, next: w }\n  w: { type: wait }\n")
          .start(Map.of());

  @Test
  void to_another_tenant_an_instance_does_not_exist() {
    Command.Meta meta = play.meta(ELSEWHERE);

    assertThat(play.refused(new Command.Cancel(meta, "mine now", false)))
        .isEqualTo("Expected an instance, but there is none with this id");
    assertThat(play.refused(new Command.Fire(meta, play.bookmark("nap").id())))
        .isEqualTo("Expected an instance, but there is none with this id");
  }

  @Test
  void the_engine_fires_timers_of_every_tenant_and_history_names_it() {
    play.now = play.now.plus(Duration.ofHours(2));

    Step step = play.step(new Command.Fire(play.meta(Actor.ENGINE), play.bookmark("nap").id()));

    assertThat(play.standsAt()).containsExactly("w");
    assertThat(step.history()).extracting(HistoryEntry::actor).containsOnly("waymark");
  }

  @Test
  void nobody_but_the_engine_is_without_a_tenant() {
    assertThatThrownBy(() -> new Actor("anna", "", Set.of(), Set.of()))
        .hasMessage("Expected a tenant, but got an empty text");
    assertThatThrownBy(() -> Actor.engine(""))
        .hasMessage("Expected a tenant, but got an empty text");
  }
}
