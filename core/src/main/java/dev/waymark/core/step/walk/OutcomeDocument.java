package dev.waymark.core.step.walk;

import dev.waymark.core.Json;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Terms;
import dev.waymark.core.step.Effects;
import dev.waymark.core.step.Emission;
import dev.waymark.core.step.Send;
import dev.waymark.core.step.Wait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An {@link Outcome} as the document that is stored with its visit. */
final class OutcomeDocument {

  private static final String OUTCOME = "outcome";

  private OutcomeDocument() {}

  static Map<String, @Nullable Object> of(Outcome outcome) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    switch (outcome) {
      case Outcome.Entered entered -> document.put(OUTCOME, "entered");
      case Outcome.Retried retried -> document.put(OUTCOME, "retried");
      case Outcome.Skipped skipped -> {
        document.put(OUTCOME, "skipped");
        document.put("output", skipped.result());
      }
      case Outcome.Completed completed -> {
        document.put(OUTCOME, "completed");
        document.put("output", completed.output());
        put(document, completed.effects());
      }
      case Outcome.Awaited awaited -> {
        document.put(OUTCOME, "awaited");
        document.put("output", awaited.output());
        document.put("waits", list(awaited.waits(), OutcomeDocument::of));
        put(document, awaited.effects());
      }
      case Outcome.Failed failed -> {
        document.put(OUTCOME, "failed");
        document.put("fault", failed.fault().toDocument());
      }
    }
    return document;
  }

  static Outcome read(Map<String, @Nullable Object> document) {
    Map<String, @Nullable Object> output = Json.object(document.get("output"));
    String word = String.valueOf(document.get(OUTCOME));
    return switch (word) {
      case "entered" -> new Outcome.Entered();
      case "retried" -> new Outcome.Retried();
      case "skipped" -> new Outcome.Skipped(output);
      case "completed" -> new Outcome.Completed(output, effects(document));
      case "awaited" ->
          new Outcome.Awaited(
              read(document, "waits", OutcomeDocument::wait), output, effects(document));
      case "failed" -> new Outcome.Failed(Fault.fromDocument(Json.object(document.get("fault"))));
      default -> throw new IllegalStateException("Expected a kept outcome, but got '" + word + "'");
    };
  }

  private static void put(Map<String, @Nullable Object> document, Effects effects) {
    if (!effects.events().isEmpty()) {
      document.put(
          "events",
          list(effects.events(), event -> Map.of("type", event.type(), "data", event.data())));
    }
    if (!effects.messages().isEmpty()) {
      document.put("messages", list(effects.messages(), OutcomeDocument::of));
    }
  }

  private static Effects effects(Map<String, @Nullable Object> document) {
    return new Effects(
        read(
            document,
            "events",
            event ->
                new Emission(String.valueOf(event.get("type")), Json.object(event.get("data")))),
        read(document, "messages", OutcomeDocument::send));
  }

  private static Map<String, @Nullable Object> of(Send send) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("to", send.to() == null ? null : send.to().toString());
    document.put("name", send.name());
    document.put("payload", send.payload());
    return document;
  }

  private static Send send(Map<String, @Nullable Object> document) {
    return new Send(
        document.get("to") instanceof String to ? InstanceId.parse(to) : null,
        String.valueOf(document.get("name")),
        Json.object(document.get("payload")));
  }

  private static Map<String, @Nullable Object> of(Wait wait) {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("kind", wait.kind().name());
    document.put("key", wait.key());
    document.put("payload", wait.payload());
    document.put("due", wait.due() == null ? null : wait.due().toString());
    document.put("terms", wait.terms().toDocument());
    return document;
  }

  private static Wait wait(Map<String, @Nullable Object> document) {
    return new Wait(
        BookmarkKind.valueOf(String.valueOf(document.get("kind"))),
        String.valueOf(document.get("key")),
        Json.object(document.get("payload")),
        document.get("due") instanceof String due ? Instant.parse(due) : null,
        Terms.fromDocument(Json.object(document.get("terms"))));
  }

  private static <T> List<@Nullable Object> list(
      List<T> items, Function<T, Map<String, @Nullable Object>> writer) {
    List<@Nullable Object> documents = new ArrayList<>(items.size());
    items.forEach(item -> documents.add(writer.apply(item)));
    return documents;
  }

  private static <T> List<T> read(
      Map<String, @Nullable Object> document,
      String name,
      Function<Map<String, @Nullable Object>, T> reader) {
    List<T> items = new ArrayList<>();
    if (document.get(name) instanceof List<?> list) {
      list.forEach(item -> items.add(reader.apply(Json.object(item))));
    }
    return items;
  }
}
