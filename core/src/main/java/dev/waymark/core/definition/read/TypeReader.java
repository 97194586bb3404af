package dev.waymark.core.definition.read;

import dev.waymark.core.Json;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.Near;
import dev.waymark.core.definition.text.TextNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the type of an activity, and lets the type check the {@code with} block. */
final class TypeReader {

  /**
   * @param type its type, or the type that a misspelt name is taken for; absent if the name is like
   *     none
   * @param with empty if there is none
   * @param schema the schema of {@code with}; absent if the type takes anything
   * @param targets the activities to which the type leads besides the transitions
   * @param vague whether there may be more targets, because {@code with} is faulty and mentions
   *     activities
   */
  record Typed(
      @Nullable ActivityType type,
      TextNode.Struct with,
      @Nullable WithSchema schema,
      List<DefinitionDraft.Way> targets,
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
    TextNode.Struct given = fields.struct("with");
    TextNode.Struct with =
        given == null
            ? new TextNode.Struct(fields.node().place().missing("with"), Map.of())
            : given;
    String name = fields.requireText("type", "the type of the activity");
    TextNode node = fields.get("type");
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

  private boolean accepts(ActivityType type, TextNode.Struct with) {
    int before = faults.size();
    types.check(type, with, faults.under(with));
    type.dues(Json.objectOf(with.value())).forEach(due -> calendars.checkUse(with.below(due)));
    return faults.size() == before;
  }

  private static List<DefinitionDraft.Way> targets(ActivityType type, TextNode.Struct with) {
    List<String> targets = type.targets(Json.objectOf(with.value()));
    if (targets.isEmpty()) {
      return List.of();
    }
    Map<@Nullable Object, TextNode.Place> places = new HashMap<>();
    texts(with).forEach(text -> places.putIfAbsent(text.value(), text.place()));
    return targets.stream()
        .map(target -> new DefinitionDraft.Way(target, places.getOrDefault(target, with.place())))
        .toList();
  }

  private Typed guessed(@Nullable ActivityType type, TextNode.Struct with) {
    List<DefinitionDraft.Way> mentioned =
        texts(with)
            .filter(text -> text.value() instanceof String id && activities.contains(id))
            .map(text -> new DefinitionDraft.Way(String.valueOf(text.value()), text.place()))
            .toList();
    return new Typed(type, with, null, mentioned, !mentioned.isEmpty());
  }

  private static Stream<TextNode.Scalar> texts(TextNode node) {
    return switch (node) {
      case TextNode.Struct struct -> struct.fields().values().stream().flatMap(TypeReader::texts);
      case TextNode.Sequence items -> items.items().stream().flatMap(TypeReader::texts);
      case TextNode.Scalar scalar -> Stream.of(scalar);
    };
  }
}
