package dev.waymark.core.definition.read;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Block;
import dev.waymark.core.definition.schema.Shapes;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what stands inside an activity. */
final class BlockReader {

  private static final Set<Root> BEFORE = Set.of(Root.VARIABLES, Root.CONTEXT, Root.ENV);
  private static final Set<Root> AFTER_ITEM =
      Set.of(Root.VARIABLES, Root.OUTPUT, Root.CONTEXT, Root.ENV);
  private static final Pattern VARIABLE = Pattern.compile(Shapes.VARIABLE_PATTERN);

  /**
   * @param start where it begins; absent if the text does not say it
   */
  record ReadBlock(@Nullable Block block, DefinitionDraft.@Nullable Way start) {

    static final ReadBlock NOTHING = new ReadBlock(null, null);
  }

  private final ExpressionReader expressions;
  private final FaultList faults;

  BlockReader(ExpressionReader expressions, FaultList faults) {
    this.expressions = expressions;
    this.faults = faults;
  }

  ReadBlock read(Fields fields, @Nullable ActivityType type, ActivitiesReader members, String id) {
    ActivityType.Inside inside = type == null ? ActivityType.Inside.NOTHING : type.inside();
    if (type == null || inside == ActivityType.Inside.NOTHING) {
      refuse(fields, ActivityType.Inside.BLOCK, type);
      refuse(fields, ActivityType.Inside.ITEMS, type);
      return ReadBlock.NOTHING;
    }
    if (inside == ActivityType.Inside.BLOCK) {
      refuse(fields, ActivityType.Inside.ITEMS, type);
    }
    TextNode.Struct struct = fields.requireStruct("activities", "the activities inside, by id");
    if (struct != null) {
      members.read(struct, id);
    }
    String start = fields.requireText("start", "the id of an activity inside");
    TextNode place = fields.get("start");
    Template variables = variables(fields);
    Block.Items items = inside == ActivityType.Inside.ITEMS ? items(fields) : null;
    if (struct == null || start == null || place == null || variables == null) {
      return ReadBlock.NOTHING;
    }
    return new ReadBlock(
        new Block(start, variables, List.copyOf(struct.fields().keySet()), items),
        new DefinitionDraft.Way(start, place.place()));
  }

  private void refuse(Fields fields, ActivityType.Inside inside, @Nullable ActivityType type) {
    for (String name : Format.ACTIVITY.fields(inside)) {
      TextNode node = fields.get(name);
      if (node != null && type != null) {
        faults.add(
            node.place(),
            "no such field on an activity of type '%s'".formatted(type.name()),
            "'" + name + "'");
      }
    }
  }

  private @Nullable Template variables(Fields fields) {
    TextNode.Struct given = fields.struct("variables");
    TextNode.Struct struct =
        given == null
            ? new TextNode.Struct(fields.node().place().missing("variables"), Map.of())
            : given;
    return expressions.template(struct, BEFORE);
  }

  private Block.Items items(Fields fields) {
    TextNode collected = fields.get("collect");
    TextNode until = fields.get("until");
    Condition condition =
        until == null || fields.text("until") == null
            ? null
            : expressions.condition(until, AFTER_ITEM);
    Block.Items items =
        new Block.Items(
            variable(fields, "item"),
            variable(fields, "index"),
            collected == null ? null : expressions.template(collected, BEFORE),
            condition);
    TextNode index = fields.get("index");
    if (items.item().equals(items.index()) && index != null) {
      fields.wrong(index, "another name than that of the item");
    }
    return items;
  }

  private static String variable(Fields fields, String field) {
    TextNode node = fields.get(field);
    if (node == null) {
      return field;
    }
    if (node.value() instanceof String name && VARIABLE.matcher(name).matches()) {
      return name;
    }
    fields.wrong(node, "the name of a variable: letters, digits and '_'");
    return field;
  }
}
