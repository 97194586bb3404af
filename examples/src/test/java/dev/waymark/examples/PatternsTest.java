package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The twenty basic control-flow patterns of the workflow patterns catalogue, each as a definition
 * in {@code examples/patterns}, with the exact trace of what it does.
 */
final class PatternsTest {

  private static final Path FOLDER = Path.of("patterns");

  private final WorkflowTestKit kit =
      WorkflowTestKit.with(
          builder -> builder.activity("task", context -> ActivityResult.completed()));

  @AfterEach
  void close() {
    kit.close();
  }

  private Run start(String file, Map<String, ? extends @Nullable Object> input) {
    try {
      kit.deploy(Files.readString(FOLDER.resolve(file + ".yaml")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return kit.start(file, input);
  }

  /** What a run did, in order: one line for everything that happened to one of its activities. */
  private static List<String> trace(Run run) {
    return run.history().stream().flatMap(PatternsTest::line).toList();
  }

  private static Stream<String> line(HistoryEntry entry) {
    String verb =
        switch (entry.type()) {
          case ACTIVITY_STARTED -> "opens";
          case ACTIVITY_WAITING -> "waits";
          case BOOKMARK_CONSUMED -> "answered";
          case ACTIVITY_COMPLETED -> "done";
          case ACTIVITY_CANCELLED -> "cancelled";
          case ACTIVITY_REACTED -> "reacts";
          default -> null;
        };
    return verb == null ? Stream.empty() : Stream.of(entry.activity() + " " + verb);
  }

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
