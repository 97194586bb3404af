package dev.waymark.core.definition;

import dev.waymark.core.Json;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads what an activity is, and lets its type judge the {@code with} block. */
final class TypeReader {

  /**
   * @param type what it is, or is meant to be; absent if nobody can tell
   * @param with empty if there is none
   * @param schema what it must fit; absent if the type takes anything
   * @param targets where the type leads to besides the transitions
   * @param vague whether there may be more targets, because {@code with} is faulty and mentions
   *     activities
   */
  record Typed(
      @Nullable ActivityType type,
      Node.Struct with,
      @Nullable WithSchema schema,
      List<Draft.Way> targets,
      boolean vague) {}

  private final KnownTypes types;
  private final Set<String> activities;
  private final CalendarReader calendars;
  private final FaultList faults;

  /**
   * @param activities the ids in the definition: where the targets cannot be told, every one that
   *     {@code with} mentions is taken for one, lest it be reported as unreachable
   */
  TypeReader(KnownTypes types, Set<String> activities, CalendarReader calendars, FaultList faults) {
    this.types = types;
    this.activities = activities;
    this.calendars = calendars;
    this.faults = faults;
  }

  Typed read(Fields fields) {
    Node.Struct given = fields.struct("with");
    Node.Struct with =
        given == null ? new Node.Struct(fields.node().place().missing("with"), Map.of()) : given;
    String name = fields.requireText("type", "the type of the activity");
    Node node = fields.get("type");
    ActivityType type = name == null ? null : types.find(name);
    if (name != null && node != null && type == null) {
      faults.addUnknown(node.place(), "one of", types.names(), name);
      String meant = Near.of(name, types.names());
      return guessed(meant == null ? null : types.find(meant), with);
    }
    boolean readable = given != null || fields.get("with") == null;
    return type != null && readable && accepts(type, with)
        ? new Typed(type, with, types.schemaOf(type), targets(type, with), false)
        : guessed(type, with);
  }

  private boolean accepts(ActivityType type, Node.Struct with) {
    int before = faults.size();
    types.check(type, with, faults.under(with));
    type.dues(Json.objectOf(with.value())).forEach(due -> calendars.checkUse(with.below(due)));
    return faults.size() == before;
  }

  private static List<Draft.Way> targets(ActivityType type, Node.Struct with) {
    List<String> targets = type.targets(Json.objectOf(with.value()));
    if (targets.isEmpty()) {
      return List.of();
    }
    Map<@Nullable Object, Node.Place> places = new HashMap<>();
    texts(with).forEach(text -> places.putIfAbsent(text.value(), text.place()));
    return targets.stream()
        .map(target -> new Draft.Way(target, places.getOrDefault(target, with.place())))
        .toList();
  }

  private Typed guessed(@Nullable ActivityType type, Node.Struct with) {
    List<Draft.Way> mentioned =
        texts(with)
            .filter(text -> text.value() instanceof String id && activities.contains(id))
            .map(text -> new Draft.Way(String.valueOf(text.value()), text.place()))
            .toList();
    return new Typed(type, with, null, mentioned, !mentioned.isEmpty());
  }

  private static Stream<Node.Scalar> texts(Node node) {
    return switch (node) {
      case Node.Struct struct -> struct.fields().values().stream().flatMap(TypeReader::texts);
      case Node.Items items -> items.items().stream().flatMap(TypeReader::texts);
      case Node.Scalar scalar -> Stream.of(scalar);
    };
  }
}
