package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Status;
import dev.waymark.testkit.Run;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The patterns of the catalogue in which one activity has several instances. */
final class MultipleInstancePatternsTest extends PatternRuns {

  @Test
  void wcp12_multiple_instances_without_synchronization() {
    Run run = start("wcp12-multiple-instances-without-synchronization", Map.of("left", 2));

    assertThat(trace(run))
        .containsExactly(
            "ticket opens",
            "print waits",
            "count done",
            "ticket opens",
            "print waits",
            "count done",
            "pay done");
    assertThat(run.waitsAt()).containsExactly("ticket", "print", "ticket", "print");
    run.resume("printer", Map.of());
    run.resume("printer", Map.of());
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp13_multiple_instances_known_at_design_time() {
    Run run = start("wcp13-multiple-instances-known-at-design-time", Map.of());

    run.resume("secretary", Map.of());
    run.resume("treasurer", Map.of());
    run.resume("chair", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "sign opens",
            "signature waits",
            "signature waits",
            "signature waits",
            "signature answered",
            "signature done",
            "signature answered",
            "signature done",
            "signature answered",
            "signature done",
            "sign done",
            "file done");
  }

  @Test
  void wcp14_multiple_instances_known_at_run_time() {
    Run run =
        start("wcp14-multiple-instances-known-at-run-time", Map.of("lines", List.of("pen", "ink")));

    assertThat(trace(run))
        .containsExactly("check opens", "stock done", "stock done", "check done", "confirm done");
  }

  @Test
  void wcp15_multiple_instances_unknown() {
    Run run = start("wcp15-multiple-instances-unknown", Map.of());

    run.send("another-witness", Map.of());
    run.resume("witness", Map.of());
    assertThat(run.waitsAt()).containsExactly("hearing", "one-more", "heard");
    run.resume("one-more", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "hearing opens",
            "witness waits",
            "witness answered",
            "witness reacts",
            "one-more waits",
            "witness answered",
            "witness done",
            "one-more answered",
            "one-more done",
            "heard done",
            "judge done");
  }
}
