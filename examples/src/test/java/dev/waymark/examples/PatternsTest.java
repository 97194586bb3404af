package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Status;
import dev.waymark.testkit.Run;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The twenty basic control-flow patterns of the workflow patterns catalogue, each as a definition
 * in {@code examples/patterns}, with the exact trace of what it does. Those with several instances
 * of one activity are in {@link MultipleInstancePatternsTest}.
 */
final class PatternsTest extends PatternRuns {

  @Test
  void there_is_a_definition_for_each_of_the_twenty_patterns() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      assertThat(files.map(file -> file.getFileName().toString().substring(0, 5)).sorted())
          .containsExactlyElementsOf(
              Stream.iterate(1, n -> n + 1).limit(20).map("wcp%02d"::formatted).toList());
    }
  }

  @Test
  void wcp01_sequence() {
    Run run = start("wcp01-sequence", Map.of());

    assertThat(trace(run)).containsExactly("receive done", "check done", "file done");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp02_parallel_split() {
    Run run = start("wcp02-parallel-split", Map.of());

    assertThat(trace(run)).containsExactly("confirmed opens", "pack done", "invoice done");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp03_synchronization() {
    Run run = start("wcp03-synchronization", Map.of());

    assertThat(trace(run))
        .containsExactly("confirmed opens", "pack done", "invoice done", "both done", "ship done");
  }

  @Test
  void wcp04_exclusive_choice() {
    assertThat(trace(start("wcp04-exclusive-choice", Map.of("kilos", 31))))
        .containsExactly("weigh done", "freight done");
    assertThat(trace(start("wcp04-exclusive-choice", Map.of("kilos", 30))))
        .containsExactly("weigh done", "parcel done");
  }

  @Test
  void wcp05_simple_merge() {
    assertThat(trace(start("wcp05-simple-merge", Map.of("card", true))))
        .containsExactly("pay done", "charge done", "receipt done");
    assertThat(trace(start("wcp05-simple-merge", Map.of("card", false))))
        .containsExactly("pay done", "transfer done", "receipt done");
  }

  @Test
  void wcp06_multi_choice() {
    assertThat(trace(start("wcp06-multi-choice", Map.of("fire", true, "hurt", 2))))
        .containsExactly("emergency opens", "brigade done", "ambulance done");
    assertThat(trace(start("wcp06-multi-choice", Map.of("fire", false, "hurt", 0))))
        .containsExactly("emergency opens", "patrol done");
  }

  @Test
  void wcp07_structured_synchronizing_merge() {
    String file = "wcp07-structured-synchronizing-merge";

    assertThat(trace(start(file, Map.of("fire", true, "hurt", 2))))
        .containsExactly(
            "emergency opens", "brigade done", "ambulance done", "done done", "report done");
    assertThat(trace(start(file, Map.of("fire", false, "hurt", 1))))
        .containsExactly("emergency opens", "ambulance done", "done done", "report done");
  }

  @Test
  void wcp08_multi_merge() {
    Run run = start("wcp08-multi-merge", Map.of());

    assertThat(trace(run))
        .containsExactly("order opens", "books done", "music done", "invoice done", "invoice done");
  }

  @Test
  void wcp09_structured_discriminator() {
    Run run = start("wcp09-structured-discriminator", Map.of());

    run.resume("second", Map.of());
    run.resume("first", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "ask opens",
            "first waits",
            "second waits",
            "second answered",
            "second done",
            "answered done",
            "go-on done",
            "first answered",
            "first done");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp10_arbitrary_cycles() {
    Run run = start("wcp10-arbitrary-cycles", Map.of("reviewed", true));

    assertThat(trace(run))
        .containsExactly(
            "draft done",
            "improve done",
            "review done",
            "improve done",
            "review done",
            "improve done",
            "review done",
            "publish done");
    assertThat(trace(start("wcp10-arbitrary-cycles", Map.of("reviewed", false, "rounds", 2))))
        .containsExactly("draft done", "review done", "publish done");
  }

  @Test
  void wcp11_implicit_termination() {
    Run run = start("wcp11-implicit-termination", Map.of());
    assertThat(run.status()).isEqualTo(Status.RUNNING);

    run.resume("long", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "both opens", "long waits", "short done", "long answered", "long done", "last done");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp16_deferred_choice() {
    Run accepted = start("wcp16-deferred-choice", Map.of());
    accepted.resume("accept", Map.of());
    Run forgotten = start("wcp16-deferred-choice", Map.of());
    kit.advance(Duration.ofDays(14));

    assertThat(trace(accepted))
        .containsExactly("offer waits", "offer answered", "offer done", "order done");
    assertThat(trace(forgotten))
        .containsExactly("offer waits", "offer answered", "offer done", "remind done");
  }

  @Test
  void wcp17_interleaved_parallel_routing() {
    Run run = start("wcp17-interleaved-parallel-routing", Map.of());

    run.resume("eyes", Map.of());
    run.resume("blood", Map.of());
    run.resume("xray", Map.of());

    assertThat(run.completed())
        .containsExactly(
            "choose",
            "test-eyes",
            "again",
            "choose",
            "take-blood",
            "again",
            "choose",
            "make-xray",
            "again",
            "decide");
    assertThat(trace(run).stream().filter(line -> line.endsWith("waits")))
        .containsExactly("choose waits", "choose waits", "choose waits");
  }

  @Test
  void wcp18_milestone() {
    Run run = start("wcp18-milestone", Map.of());

    run.resume("change-address", Map.of());
    run.resume("ship", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "pack done",
            "packed waits",
            "packed answered",
            "packed done",
            "relabel done",
            "packed waits",
            "packed answered",
            "packed done",
            "dispatch done");
    assertThat(run.status()).isEqualTo(Status.COMPLETED);
  }

  @Test
  void wcp19_cancel_activity() {
    Run run = start("wcp19-cancel-activity", Map.of());

    run.send("no-survey", Map.of());
    run.resume("account", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "both opens",
            "survey waits",
            "account waits",
            "survey answered",
            "survey reacts",
            "survey cancelled",
            "thanks done",
            "account answered",
            "account done",
            "done done",
            "close done");
  }

  @Test
  void wcp20_cancel_case() {
    Run run = start("wcp20-cancel-case", Map.of());

    run.resume("interview", Map.of());
    run.send("withdraw", Map.of());

    assertThat(trace(run))
        .containsExactly(
            "both opens",
            "interview waits",
            "references waits",
            "interview answered",
            "interview done",
            "$root answered",
            "$root reacts",
            "references cancelled",
            "decided cancelled",
            "both cancelled",
            "withdrawn done");
    assertThat(run.status()).isEqualTo(Status.FAILED);
    assertThat(run.instance().fault()).isNotNull();
    assertThat(run.instance().fault().code()).isEqualTo("WITHDRAWN");
  }
}
