package dev.waymark.core.definition.read;

import dev.waymark.core.Json;
import dev.waymark.core.definition.Guard;
import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads who may answer an activity's waits, and with what. */
final class GuardReader {

  private final ExpressionReader expressions;
  private final FaultList faults;

  GuardReader(ExpressionReader expressions, FaultList faults) {
    this.expressions = expressions;
    this.faults = faults;
  }

  @Nullable Guard read(TextNode.@Nullable Struct struct) {
    if (struct == null) {
      return null;
    }
    Fields fields = new Fields(struct, Format.GUARD.fields(), faults);
    TextNode when = fields.get("when");
    Condition condition =
        when == null || fields.text("when") == null
            ? null
            : expressions.condition(when, ActivityReader.AFTER);
    if (struct.fields().isEmpty()) {
      faults.add(struct.place(), "at least one of " + Format.GUARD.fields(), struct.shown());
    }
    TextNode.Struct schema = fields.struct("result");
    InputSchema result =
        schema == null
            ? null
            : JsonInputSchema.compile(Json.objectOf(schema.value()), faults.under(schema));
    return new Guard(
        names(fields, "roles"), names(fields, "groups"), condition, fields.text("message"), result);
  }

  private List<String> names(Fields fields, String field) {
    TextNode node = fields.get(field);
    List<String> names = new ArrayList<>();
    if (node == null) {
      return names;
    }
    if (!(node instanceof TextNode.Sequence items) || items.items().isEmpty()) {
      fields.wrong(node, "a list of names");
      return names;
    }
    for (TextNode item : items.items()) {
      if (item.value() instanceof String name && !name.isBlank()) {
        names.add(name);
      } else {
        fields.wrong(item, "a name");
      }
    }
    return names;
  }
}
