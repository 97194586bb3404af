package dev.waymark.engine.flow;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.definition.read.Format;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.TransactionalActivity;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An activity as far as it is written.
 *
 * @param type absent for a lambda, which is named after the flow that it comes into
 * @param fields the fields of the text, as plain data
 * @param inside the activities of a scope or a for-each
 */
record Sketch(
    String id,
    @Nullable String type,
    Map<String, @Nullable Object> fields,
    List<Vertex<?>> inside,
    @Nullable Activity body,
    @Nullable TransactionalActivity transactional) {

  Sketch {
    requireNonNull(id, "id");
  }

  static Sketch of(String id, String type) {
    return new Sketch(id, type, Map.of(), List.of(), null, null);
  }

  Sketch put(String field, @Nullable Object value) {
    return new Sketch(id, type, PlainData.plus(fields, field, value), inside, body, transactional);
  }

  /** Puts a value into an object that is a field. */
  Sketch put(String field, String name, @Nullable Object value) {
    return put(field, PlainData.plus(fields.get(field), name, value));
  }

  Sketch with(String name, @Nullable Object value) {
    return put("with", name, value);
  }

  /** One way to react is an object, more of them are a list. */
  Sketch on(String event, List<? extends Reaction<?>> reactions) {
    return put("on", Reactions.plus(fields.get("on"), event, reactions));
  }

  Sketch inside(Vertex<?>... more) {
    List<Vertex<?>> all = new ArrayList<>(inside);
    all.addAll(Arrays.asList(more));
    return new Sketch(id, type, fields, List.copyOf(all), body, transactional);
  }

  String typeIn(String flow) {
    return type == null ? flow + "." + id : type;
  }

  /** The activity as the definition's text says it, in the order of the format. */
  Map<String, @Nullable Object> document(String flow) {
    Map<String, @Nullable Object> unordered = new LinkedHashMap<>(fields);
    unordered.put("type", typeIn(flow));
    if (!inside.isEmpty()) {
      unordered.put("activities", documents(inside, flow));
    }
    return Format.ACTIVITY.ordered(unordered);
  }

  static Map<String, @Nullable Object> documents(List<Vertex<?>> activities, String flow) {
    Map<String, @Nullable Object> documents = new LinkedHashMap<>();
    for (Vertex<?> activity : activities) {
      if (documents.put(activity.id(), activity.sketch.document(flow)) != null) {
        throw new IllegalArgumentException(
            "Expected every activity once, but got '%s' twice".formatted(activity.id()));
      }
    }
    return documents;
  }

  /** This activity and all inside it. */
  Stream<Sketch> all() {
    return Stream.concat(Stream.of(this), inside.stream().flatMap(each -> each.sketch.all()));
  }
}
