package dev.waymark.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.message.Messages.NotBegun;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.query.NearMiss;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.InProcessQueue;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import dev.waymark.engine.schedule.ScheduleInfo;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The Java of the pages in {@code docs}: it compiles and does what they say. */
final class PagesTest {

  private static final Path FOLDER = Path.of("src/test/java/dev/waymark/examples");

  /** The classes whose code the pages show. */
  private static final List<String> SOURCES = List.of("PagesTest.java", "WaitsPageTest.java");

  private final Caller caller = Caller.of("anna");

  @ParameterizedTest
  @ValueSource(strings = {"messages", "payloads", "schedules", "waits"})
  void every_java_of_a_page_is_code_that_runs_here(String page) throws IOException {
    List<String> shown =
        Pattern.compile("(?s)```java\n(.*?)```")
            .matcher(Files.readString(Path.of("../docs/" + page + ".md")))
            .results()
            .map(block -> block.group(1).strip())
            .toList();

    assertThat(shown).isNotEmpty().isEqualTo(tagged(page));
  }

  /** The lines between a page's tags, without their indentation, in the order of the sources. */
  private static List<String> tagged(String page) throws IOException {
    StringBuilder source = new StringBuilder();
    for (String name : SOURCES) {
      source.append(Files.readString(FOLDER.resolve(name)));
    }
    return Pattern.compile("(?s) // tag::" + page + "\\[]\n(.*?)\n *// end::" + page + "\\[]")
        .matcher(source)
        .results()
        .map(part -> part.group(1).stripIndent().strip())
        .toList();
  }

  static WorkflowTestKit kit(String definition) {
    WorkflowTestKit kit =
        WorkflowTestKit.with(
            builder ->
                builder
                    .callbackSecrets(Secret.of("ours", new byte[32]))
                    .senderSecret(Secret.of("partner-key", new byte[32])));
    kit.deploy(definition);
    return kit;
  }

  @Test
  void messages_by_business_key() {
    try (WorkflowTestKit kit =
        kit(
            """
            waymark: 1
            key: order
            startOn: [{ name: order-placed, match: "Output.lines.size() > 0" }]
            start: payment
            activities:
              payment:
                type: wait
                with: { for: external-message, key: payment, correlate: "${ Variables.number }" }
            """)) {
      Engine engine = kit.engine();
      InstanceId run = kit.start("order", Map.of("number", "4711")).id();
      Map<String, Object> payload = Map.of("paid", 100);

      // tag::messages[]
      boolean fresh =
          engine
              .messages()
              .correlate(Correlated.of("payment", "4711", payload, "bank", "transfer-1"), caller);
      // end::messages[]
      kit.runUntilIdle();

      assertThat(fresh).isTrue();
      assertThat(kit.run(run).variables()).containsEntry("paid", 100L);
      engine
          .messages()
          .correlate(
              Correlated.of("order-placed", "1", Map.of("lines", List.of()), "s", "1"), caller);
      kit.runUntilIdle();

      // tag::messages[]
      for (Message message : engine.messages().unmatched(null, 100, caller)) {
        List<NearMiss> nearly = engine.messages().nearMisses(message.key(), caller);
        List<NotBegun> refused = engine.messages().notBegun(message.key(), caller);
        System.out.println(message.key() + " " + nearly + " " + refused);
      }
      // end::messages[]

      Message waiting = engine.messages().unmatched(null, 100, caller).get(0);
      assertThat(engine.messages().notBegun(waiting.key(), caller)).hasSize(1);
    }
  }

  @Test
  void callbacks_and_what_comes_before_them() {
    try (WorkflowTestKit kit =
        kit(
            """
            waymark: 1
            key: check
            start: answer
            activities:
              answer: { type: wait, with: { for: webhook, key: identity } }
            """)) {
      Engine engine = kit.engine();
      InstanceId instance = kit.start("check", Map.of()).id();
      String tenant = "default";
      byte[] body = "{\"ok\":true}".getBytes(UTF_8);
      Map<String, String> headers = Map.of();
      assertThat(engine.callbacks().seal(new Token(tenant, instance, "x", true, "partner-key")))
          .isNotEmpty();

      // tag::messages[]
      String token = engine.callbacks().seal(new Token(tenant, instance, "identity", true, null));
      boolean fresh = engine.callbacks().receive(token, body, headers);
      // end::messages[]
      kit.runUntilIdle();

      assertThat(fresh).isTrue();
      assertThat(kit.run(instance).status()).isEqualTo(Status.COMPLETED);
    }
  }

  @Test
  void reports_of_how_far_a_partner_is() {
    try (WorkflowTestKit kit =
        kit(
            """
            waymark: 1
            key: check
            start: answer
            activities:
              answer: { type: wait, with: { for: webhook, key: identity } }
            """)) {
      Engine engine = kit.engine();
      InstanceId instance = kit.start("check", Map.of()).id();
      String token =
          engine.callbacks().seal(new Token("default", instance, "identity", true, null));
      Map<String, String> headers = Map.of();

      // tag::messages[]
      byte[] status =
          """
          { "status": "checking", "progress": 40, "message": "Two of five" }
          """
              .getBytes(UTF_8);
      boolean fresh = engine.callbacks().report(token, status, headers);
      // end::messages[]
      kit.runUntilIdle();

      assertThat(fresh).isTrue();
      assertThat(kit.run(instance).bookmark(Message.hook("identity")).payload())
          .containsKey(StatusUpdate.FIELD);
    }
  }

  @Test
  void queues() {
    InProcessQueue broker = new InProcessQueue();
    String tenant = "default";

    // tag::messages[]
    Binding parcels =
        Binding.of("parcels", tenant, "shipped", "order")
            .where(delivery -> !"test".equals(delivery.headers().get("kind")));
    // end::messages[]

    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> builder.queue(broker, parcels))) {
      broker.publish("parcels", "1", Map.of("kind", "test"), Map.of("order", "4711"));
      broker.publish("parcels", "2", Map.of(), Map.of("order", "4712"));
      kit.runUntilIdle();
      assertThat(kit.engine().messages().unmatched(null, 10, caller))
          .extracting(Message::correlation)
          .containsExactly("4712");
    }
  }

  @Test
  void schedules() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      for (String key : List.of("report", "check")) {
        kit.deploy(
            "waymark: 1\nkey: %s\nstart: a\nactivities: { a: { type: end } }".formatted(key));
      }
      Engine engine = kit.engine();
      Instant before = kit.clock().instant();
      Instant from = before.minus(Duration.ofDays(3));

      // tag::schedules[]
      Schedules schedules = engine.schedules();

      StartRequest report = StartRequest.of("report").input(Map.of("kind", "daily"));
      schedules.put(
          Schedule.cron("nightly-report", "0 2 * * *", ZoneId.of("Europe/Berlin"), report)
              .overlap(Overlap.SKIP)
              .missed(Missed.ONCE),
          caller);
      schedules.put(
          Schedule.every("heartbeat", Duration.ofMinutes(5), StartRequest.of("check")), caller);

      schedules.pause("nightly-report", caller);
      schedules.resume("nightly-report", caller);
      Optional<InstanceId> run = schedules.trigger("nightly-report", caller);
      schedules.backfill("nightly-report", from, before, caller);
      schedules.delete("heartbeat", caller);
      List<ScheduleInfo> all = schedules.list(null, 50, caller);
      // end::schedules[]
      kit.runUntilIdle();

      assertThat(run).isPresent();
      assertThat(all).extracting(info -> info.schedule().name()).containsExactly("nightly-report");
      assertThat(engine.instances().list(dev.waymark.engine.InstanceQuery.ALL, caller)).hasSize(4);
    }
  }

  @Test
  void payloads(@TempDir Path folder) throws IOException {
    Path file = Files.write(folder.resolve("contract.pdf"), new byte[1_000_000]);
    try (WorkflowTestKit kit =
        WorkflowTestKit.with(builder -> builder.activity("archive", PagesTest::archive))) {
      kit.deploy(
          """
          waymark: 1
          key: filing
          start: archive
          activities:
            archive:
              type: archive
              with: { scan: "${ Variables.scan }" }
              output: { receipt: "${ Output.receipt }" }
          """);
      Engine engine = kit.engine();

      // tag::payloads[]
      PayloadReference scan;
      try (InputStream content = Files.newInputStream(file)) {
        scan = engine.payloads().put(content, "application/pdf", caller);
      }
      StartRequest filing = StartRequest.of("filing").input(Map.of("scan", scan));
      InstanceId run = engine.instances().start(filing, caller).orThrow();
      // end::payloads[]
      kit.runUntilIdle();

      Object receipt = kit.run(run).variables().get("receipt");
      // tag::payloads[]
      PayloadReference found = PayloadReference.of(receipt).orElseThrow();
      try (InputStream content = engine.payloads().open(found, caller)) {
        System.out.println(new String(content.readAllBytes(), UTF_8));
      }
      // end::payloads[]

      assertThat(found.size()).isEqualTo("Archived 1000000".length());
    }
  }

  // tag::payloads[]
  static ActivityResult archive(ActivityContext context) throws IOException {
    PayloadReference scan = PayloadReference.of(context.input().get("scan")).orElseThrow();
    try (InputStream content = context.payloads().open(scan)) {
      long bytes = content.transferTo(OutputStream.nullOutputStream());
      byte[] receipt = ("Archived " + bytes).getBytes(UTF_8);
      return ActivityResult.completed(
          Map.of("receipt", context.payloads().put(receipt, "text/plain")));
    }
  }
  // end::payloads[]
}
