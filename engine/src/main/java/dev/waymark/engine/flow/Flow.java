package dev.waymark.engine.flow;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Json;
import dev.waymark.core.definition.read.Format;
import dev.waymark.core.definition.text.DefinitionText;
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
 * A definition written in Java.
 *
 * <pre>{@code
 * Flow order =
 *     Flow.named("order")
 *         .start("check")
 *         .activity(
 *             set("check")
 *                 .put("high", expr("Variables.amount > 100"))
 *                 .next(when("Variables.high").to("approve"), otherwise("pay")))
 *         .activity(waitFor("approve").approval().next("pay"))
 *         .activity(body("pay", context -> ActivityResult.completed()));
 *
 * Engine engine = Engine.builder(store).flow(order).start();
 * engine.definitions().deploy(order, caller);
 * }</pre>
 *
 * <p>Java adds no checks to those of a text: deploying reports every fault.
 */
public final class Flow {

  private final String key;
  private final Map<String, @Nullable Object> head;
  private final List<Vertex<?>> activities;

  Flow(String key, Map<String, @Nullable Object> head, List<Vertex<?>> activities) {
    this.key = key;
    this.head = head;
    this.activities = activities;
  }

  public static FlowHead named(String key) {
    return new FlowHead(requireNonNull(key, "key"), Map.of());
  }

  public String key() {
    return key;
  }

  /** This flow with one more activity. */
  public Flow activity(Vertex<?> activity) {
    return activities(activity);
  }

  /** This flow with more activities. */
  public Flow activities(Vertex<?>... more) {
    List<Vertex<?>> all = new ArrayList<>(activities);
    all.addAll(Arrays.asList(more));
    return new Flow(key, head, List.copyOf(all));
  }

  /** The definition as plain data. */
  public Map<String, @Nullable Object> document() {
    Map<String, @Nullable Object> unordered = new LinkedHashMap<>(head);
    unordered.put("waymark", 1);
    unordered.put("key", key);
    unordered.put("activities", Sketch.documents(activities, key));
    return Json.objectOf(Format.DEFINITION.ordered(unordered));
  }

  public String toYaml() {
    return DefinitionText.yaml(document());
  }

  public String toJson() {
    return DefinitionText.json(document());
  }

  /** The lambdas in this flow, by the type that each stands for. */
  public Map<String, Activity> bodies() {
    Map<String, Activity> bodies = new LinkedHashMap<>();
    sketches()
        .forEach(
            sketch -> {
              if (sketch.body() != null) {
                bodies.put(sketch.typeIn(key), sketch.body());
              }
            });
    return bodies;
  }

  /** The transactional lambdas in this flow, by the type that each stands for. */
  public Map<String, TransactionalActivity> transactionalBodies() {
    Map<String, TransactionalActivity> bodies = new LinkedHashMap<>();
    sketches()
        .forEach(
            sketch -> {
              if (sketch.transactional() != null) {
                bodies.put(sketch.typeIn(key), sketch.transactional());
              }
            });
    return bodies;
  }

  private Stream<Sketch> sketches() {
    return activities.stream().flatMap(activity -> activity.sketch.all());
  }

  @Override
  public String toString() {
    return key;
  }
}
