package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shapes;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.TextNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads all activities of a definition, those inside of others with them. */
final class ActivitiesReader {

  private static final Pattern ID = Pattern.compile(Shapes.ID_PATTERN);

  private final Map<String, DefinitionDraft> drafts = new LinkedHashMap<>();
  private final Map<String, TextNode.Place> ids = new HashMap<>();
  private final Set<String> handlers = new HashSet<>();
  private boolean ambiguous;
  private final FaultList faults;
  private final ActivityReader reader;

  /**
   * @param types the names that may stand as type
   * @param outermost the activities of the definition
   */
  ActivitiesReader(
      KnownTypes types,
      TextNode.Struct outermost,
      ExpressionReader expressions,
      CalendarReader calendars,
      FaultList faults) {
    this.faults = faults;
    outline(outermost);
    checkSize(outermost);
    this.reader =
        new ActivityReader(
            new TypeReader(types, ids.keySet(), calendars, faults),
            new ReactionReader(expressions, calendars, faults),
            expressions,
            handlers,
            faults);
  }

  /**
   * Collects the ids, and the handlers that undo: both must be known before the first activity is
   * read.
   */
  private void outline(TextNode.Struct activities) {
    activities
        .fields()
        .forEach(
            (id, node) -> {
              TextNode.Place other = ids.putIfAbsent(id, node.place());
              if (other != null) {
                ambiguous = true;
                faults.add(
                    node.place(),
                    "an id that is used once in the whole definition",
                    "'%s', which also stands at %s".formatted(id, other.pointer()));
              }
              if (node instanceof TextNode.Struct struct) {
                TextNode handler = struct.fields().get("compensate");
                if (handler != null && handler.value() instanceof String name) {
                  handlers.add(name);
                }
                if (struct.fields().get("activities") instanceof TextNode.Struct inside) {
                  outline(inside);
                }
              }
            });
  }

  private void checkSize(TextNode.Struct outermost) {
    if (ids.isEmpty() || ids.size() > Limits.DEFINITION_ACTIVITIES) {
      throw faults.stop(
          outermost.place(),
          "1 to %,d activities".formatted(Limits.DEFINITION_ACTIVITIES),
          ids.isEmpty() ? "none" : "%,d".formatted(ids.size()));
    }
  }

  /** None if an id stands twice: then it is not clear to which activity a transition leads. */
  Map<String, DefinitionDraft> drafts() {
    return ambiguous ? Map.of() : drafts;
  }

  /**
   * @param scope the activity that they stand inside of; absent for the outermost
   */
  void read(TextNode.Struct activities, @Nullable String scope) {
    activities
        .fields()
        .forEach(
            (id, node) -> {
              if (!ID.matcher(id).matches()) {
                faults.add(
                    node.place(),
                    "an id of letters, digits, '_', '-', starting with a letter, at most 128"
                        + " characters",
                    Faults.shown(id));
              }
              // The outer one comes first, as in the text; its draft replaces this place holder.
              drafts.put(
                  id,
                  new DefinitionDraft(
                      id, scope, node.place(), null, DefinitionDraft.Ways.NONE, true, null));
              drafts.put(id, reader.read(id, scope, node, this));
            });
  }
}
