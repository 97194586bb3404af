package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.MessageStart;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads which messages begin a run: {@code startOn}, a name or an object, or a list of them. */
final class MessageStartReader {

  private static final String EXPECTED = "the name of a message, or an object with 'name'";

  private final ExpressionReader expressions;
  private final FaultList faults;

  MessageStartReader(ExpressionReader expressions, FaultList faults) {
    this.expressions = expressions;
    this.faults = faults;
  }

  List<MessageStart> read(@Nullable TextNode node) {
    List<MessageStart> starts = new ArrayList<>();
    switch (node) {
      case null -> {}
      case TextNode.Sequence items -> {
        if (items.items().isEmpty() || items.items().size() > Limits.MESSAGE_STARTS) {
          faults.add(
              node.place(), "1 to %d messages".formatted(Limits.MESSAGE_STARTS), node.shown());
        } else {
          items.items().forEach(item -> read(item, starts));
        }
      }
      default -> read(node, starts);
    }
    return starts;
  }

  private void read(TextNode node, List<MessageStart> starts) {
    if (node instanceof TextNode.Struct struct) {
      Fields fields = new Fields(struct, Format.MESSAGE_START.fields(), faults);
      TextNode name = fields.require("name", "the name of a message");
      TextNode condition = fields.get("match");
      Condition match =
          condition == null || fields.text("match") == null
              ? null
              : expressions.condition(condition, Set.of(Root.OUTPUT));
      TextNode key = fields.get("businessKey");
      Template businessKey =
          key == null || fields.text("businessKey") == null
              ? null
              : expressions.template(key, Set.of(Root.OUTPUT, Root.CONTEXT));
      if (name != null) {
        add(name, match, businessKey, starts);
      }
    } else {
      add(node, null, null, starts);
    }
  }

  // An expression would have nothing to look at: there is no run yet.
  private void add(
      TextNode name,
      @Nullable Condition match,
      @Nullable Template businessKey,
      List<MessageStart> starts) {
    if (!(name.value() instanceof String text) || text.isBlank()) {
      faults.add(name.place(), EXPECTED, name.shown());
    } else if (text.startsWith("$") || ReactionReader.isExpression(text)) {
      faults.add(name.place(), "a name without '${' that does not begin with '$'", name.shown());
    } else if (starts.stream()
        .anyMatch(start -> start.name().equals(text) && start.match() == null)) {
      faults.add(
          name.place(),
          "a message that does not begin a run already, as it does above",
          name.shown());
    } else {
      try {
        starts.add(new MessageStart(text, match, businessKey));
      } catch (IllegalArgumentException e) {
        faults.add(
            name.place(), "a name of at most %d bytes".formatted(Limits.NAME_BYTES), name.shown());
      }
    }
  }
}
