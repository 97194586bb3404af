package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads where an activity leads: an activity's id, or a list of conditions and ids. */
final class NextReader {

  /**
   * @param ways the targets, with their places
   * @param vague whether a part could not be understood, so that there may be more targets
   */
  record Next(
      List<Activity.Transition> transitions, List<DefinitionDraft.Way> ways, boolean vague) {

    static final Next NONE = new Next(List.of(), List.of(), false);
    static final Next UNCLEAR = new Next(List.of(), List.of(), true);
  }

  private final ExpressionReader expressions;
  private final FaultList faults;

  NextReader(ExpressionReader expressions, FaultList faults) {
    this.expressions = expressions;
    this.faults = faults;
  }

  Next read(Fields activity, @Nullable ActivityType type) {
    TextNode next = activity.get("next");
    if (next == null) {
      return Next.NONE;
    }
    if (type != null && type.ends()) {
      faults.add(
          next.place(),
          "nothing after an activity of type '%s'".formatted(type.name()),
          next.shown());
    }
    if (next.value() instanceof String to && !to.isBlank()) {
      return new Next(
          List.of(new Activity.Transition(null, to)),
          List.of(new DefinitionDraft.Way(to, next.place())),
          false);
    }
    if (next instanceof TextNode.Sequence items && !items.items().isEmpty()) {
      return transitions(items);
    }
    faults.add(next.place(), "the id of an activity, or a list of {when, to}", next.shown());
    return Next.UNCLEAR;
  }

  private Next transitions(TextNode.Sequence items) {
    if (items.items().size() > Limits.TRANSITIONS) {
      faults.add(
          items.place(),
          "at most %d transitions".formatted(Limits.TRANSITIONS),
          Integer.toString(items.items().size()));
      return Next.UNCLEAR;
    }
    List<Activity.Transition> transitions = new ArrayList<>();
    List<DefinitionDraft.Way> ways = new ArrayList<>();
    boolean vague = false;
    boolean decided = false;
    for (TextNode item : items.items()) {
      if (!(item instanceof TextNode.Struct struct)) {
        faults.add(item.place(), "an object with 'when' and 'to'", item.shown());
        vague = true;
        continue;
      }
      if (decided) {
        faults.add(
            item.place(),
            "a 'when' on every transition but the last",
            "one that can never be reached");
      }
      Fields fields = new Fields(struct, Format.TRANSITION.fields(), faults);
      String to = fields.requireText("to", "the id of an activity");
      TextNode target = fields.get("to");
      Condition when = condition(fields);
      decided |= fields.get("when") == null;
      if (to == null || target == null) {
        vague = true;
      } else {
        transitions.add(new Activity.Transition(when, to));
        ways.add(new DefinitionDraft.Way(to, target.place()));
      }
    }
    return new Next(transitions, ways, vague);
  }

  private @Nullable Condition condition(Fields fields) {
    TextNode when = fields.get("when");
    return when == null || fields.text("when") == null
        ? null
        : expressions.condition(when, ActivityReader.AFTER);
  }
}
