package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Block;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Template;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads the part of a definition about its runs as a whole: the activity around all others. */
final class RootReader {

  private final ExpressionReader expressions;
  private final ReactionReader reader;

  RootReader(ExpressionReader expressions, CalendarReader calendars, FaultList faults) {
    this.expressions = expressions;
    this.reader = new ReactionReader(expressions, calendars, faults);
  }

  ReactionReader.ReadReactions reactions(Fields fields) {
    ReactionReader.ReadReactions on = reader.read(fields.struct("on"), true);
    TextNode timeout = fields.get("timeout");
    if (timeout == null) {
      return on;
    }
    ReactionReader.ReadReactions late = reader.readTimeout(timeout);
    return new ReactionReader.ReadReactions(
        joined(on.list(), late.list()),
        joined(on.errors(), late.errors()),
        joined(on.events(), late.events()),
        on.vague() || late.vague());
  }

  private static <T> List<T> joined(List<T> one, List<T> other) {
    List<T> all = new ArrayList<>(one);
    all.addAll(other);
    return all;
  }

  Activity root(
      String start, ReactionReader.ReadReactions reactions, Collection<DefinitionDraft> drafts) {
    Template nothing =
        Objects.requireNonNull(
            expressions.template(
                new TextNode.Struct(TextNode.Place.ROOT, Map.of()), java.util.Set.of()));
    List<String> outermost =
        drafts.stream().filter(draft -> draft.scope() == null).map(DefinitionDraft::id).toList();
    return new Activity(
        Definition.ROOT,
        Definition.ROOT,
        null,
        nothing,
        null,
        null,
        List.of(),
        RetryPolicy.DEFAULT,
        Limits.ACTIVITY_TIMEOUT,
        true,
        reactions.list(),
        null,
        null,
        new Block(start, nothing, outermost, null));
  }
}
