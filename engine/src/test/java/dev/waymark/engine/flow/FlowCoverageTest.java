package dev.waymark.engine.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.definition.read.Format;
import dev.waymark.core.definition.read.FormatSchema;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.step.kind.Kinds;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The flow of every feature really has every feature: so that a field which is added to the format
 * and forgotten in Java is missed here.
 */
final class FlowCoverageTest {

  private static final Map<String, Object> DOCUMENT = EveryFeature.flow().document();
  private static final List<Map<?, ?>> ACTIVITIES = activities(DOCUMENT).toList();

  @Test
  void every_type_is_used() {
    assertThat(ACTIVITIES.stream().map(activity -> String.valueOf(activity.get("type"))))
        .containsAll(Kinds.builtIn().stream().map(ActivityType::name).toList());
  }

  @Test
  void every_field_of_every_part_is_used() throws IllegalAccessException {
    for (Field constant : Format.class.getFields()) {
      Format part = (Format) constant.get(null);
      assertThat(keys(objects(constant.getName())))
          .as(constant.getName())
          .isEqualTo(new TreeSet<>(part.fields()));
    }
  }

  @Test
  void every_input_of_every_type_is_used() {
    for (ActivityType type : Kinds.builtIn()) {
      assertThat(keys(withs(type.name())))
          .as(type.name())
          .containsAll(fields(type.schema().get("properties")));
    }
  }

  @Test
  void every_part_of_a_race_is_used() {
    Object waits =
        Kinds.builtIn().stream()
            .filter(type -> type.name().equals("race"))
            .map(type -> ((Map<?, ?>) type.schema().get("properties")).get("waits"))
            .findFirst()
            .orElseThrow();
    Map<?, ?> one = (Map<?, ?>) ((Map<?, ?>) waits).get("additionalProperties");

    assertThat(keys(withs("race").flatMap(with -> values(with.get("waits")))))
        .isEqualTo(fields(one.get("properties")));
  }

  @Test
  void it_fits_the_published_schema() {
    JsonInputSchema schema =
        JsonInputSchema.compile(FormatSchema.of(Kinds.builtIn()), (path, expected, got) -> {});

    assertThat(Objects.requireNonNull(schema).check(DOCUMENT)).isEmpty();
  }

  @Test
  void it_is_a_definition_that_can_be_deployed() {
    List<ActivityType> types = new ArrayList<>(Kinds.builtIn());
    Set<String> own = new TreeSet<>();
    ACTIVITIES.forEach(activity -> own.add(String.valueOf(activity.get("type"))));
    types.forEach(type -> own.remove(type.name()));
    own.forEach(name -> types.add(() -> name));

    Definition definition =
        new DefinitionParser(types, new Expressions()).parse(EveryFeature.flow().toYaml());

    assertThat(definition.activities()).hasSameSizeAs(ACTIVITIES);
  }

  /** All objects of the document that are such a part of the format. */
  private static Stream<Map<?, ?>> objects(String part) {
    return switch (part) {
      case "DEFINITION" -> Stream.of(DOCUMENT);
      case "ACTIVITY" -> ACTIVITIES.stream();
      case "MESSAGE_START" -> objects(DOCUMENT.get("startOn"));
      case "CALENDAR" -> values(DOCUMENT.get("calendars"));
      case "HOURS" -> objects("CALENDAR").flatMap(calendar -> objects(calendar.get("hours")));
      case "TRANSITION" -> of("next");
      case "RETRY" -> of("retry");
      case "GUARD" -> of("guard");
      case "ON" -> Stream.concat(objects(DOCUMENT.get("on")), of("on"));
      case "ON_TIMEOUT" ->
          Stream.concat(
              objects(DOCUMENT.get("timeout")),
              objects("ON").flatMap(on -> objects(on.get("timeout"))));
      case "ON_ERROR" -> objects("ON").flatMap(on -> objects(on.get("error")));
      case "ON_MESSAGE" -> objects("ON").flatMap(on -> objects(on.get("message")));
      case "ON_SIGNAL" -> objects("ON").flatMap(on -> objects(on.get("signal")));
      default -> throw new AssertionError("A part of the format that nothing here covers: " + part);
    };
  }

  private static Stream<Map<?, ?>> of(String field) {
    return ACTIVITIES.stream().flatMap(activity -> objects(activity.get(field)));
  }

  /** The object that this is, or the objects in it. */
  private static Stream<Map<?, ?>> objects(Object value) {
    return switch (value) {
      case Map<?, ?> map -> Stream.of(map);
      case List<?> list -> list.stream().flatMap(FlowCoverageTest::objects);
      case null, default -> Stream.empty();
    };
  }

  private static Stream<Map<?, ?>> withs(String type) {
    return ACTIVITIES.stream()
        .filter(activity -> activity.get("type").equals(type))
        .flatMap(activity -> objects(activity.get("with")));
  }

  private static Stream<Map<?, ?>> values(Object map) {
    return objects(map).flatMap(each -> each.values().stream()).flatMap(FlowCoverageTest::objects);
  }

  private static Stream<Map<?, ?>> activities(Map<?, ?> block) {
    return values(block.get("activities"))
        .flatMap(activity -> Stream.concat(Stream.of(activity), activities(activity)));
  }

  private static Set<String> keys(Stream<Map<?, ?>> objects) {
    Set<String> keys = new TreeSet<>();
    objects.forEach(object -> keys.addAll(fields(object)));
    return keys;
  }

  private static Set<String> fields(Object object) {
    Set<String> fields = new TreeSet<>();
    if (object instanceof Map<?, ?> map) {
      map.keySet().forEach(key -> fields.add(String.valueOf(key)));
    }
    return fields;
  }
}
