package dev.waymark.core.definition;

import dev.waymark.core.Json;
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

  @Nullable Guard read(Node.@Nullable Struct struct) {
    if (struct == null) {
      return null;
    }
    Fields fields = new Fields(struct, Format.GUARD.fields(), faults);
    Node when = fields.get("when");
    Condition condition =
        when == null || fields.text("when") == null
            ? null
            : expressions.condition(when, ActivityReader.AFTER);
    if (struct.fields().isEmpty()) {
      faults.add(struct.place(), "at least one of " + Format.GUARD.fields(), struct.shown());
    }
    Node.Struct schema = fields.struct("result");
    InputSchema result =
        schema == null
            ? null
            : JsonInputSchema.compile(Json.objectOf(schema.value()), faults.under(schema));
    return new Guard(
        names(fields, "roles"), names(fields, "groups"), condition, fields.text("message"), result);
  }

  private List<String> names(Fields fields, String field) {
    Node node = fields.get(field);
    List<String> names = new ArrayList<>();
    if (node == null) {
      return names;
    }
    if (!(node instanceof Node.Items items) || items.items().isEmpty()) {
      fields.wrong(node, "a list of names");
      return names;
    }
    for (Node item : items.items()) {
      if (item.value() instanceof String name && !name.isBlank()) {
        names.add(name);
      } else {
        fields.wrong(item, "a name");
      }
    }
    return names;
  }
}
