package dev.waymark.core.diagram;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.text.DefinitionText;
import dev.waymark.core.diagram.Chart.Arrow;
import dev.waymark.core.diagram.Chart.Box;
import dev.waymark.core.diagram.Chart.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what there is to draw. It reads the definition's text once more: a compiled definition
 * no longer knows how its author put things.
 */
final class ChartReader {

  /** In the id of every mark; no activity's id can have it. */
  private static final String MARK = "$";

  /** Characters of a label that are shown. */
  private static final int LABEL = 30;

  private final List<Box> boxes = new ArrayList<>();
  private final List<Arrow> arrows = new ArrayList<>();

  private ChartReader() {}

  static Chart read(Definition definition) {
    Map<?, ?> document = DefinitionText.read(definition.source());
    ChartReader reader = new ChartReader();
    reader.start("", document);
    reader.events("timeout", document.get("timeout"));
    if (document.get("on") instanceof Map<?, ?> on) {
      on.forEach((event, reactions) -> reader.events(text(event), reactions));
    }
    return reader.chart(document);
  }

  private static Chart inside(String id, Map<?, ?> activity) {
    ChartReader reader = new ChartReader();
    reader.start(id, activity);
    return reader.chart(activity);
  }

  private Chart chart(Map<?, ?> block) {
    if (block.get("activities") instanceof Map<?, ?> activities) {
      activities.forEach(
          (id, activity) -> {
            if (activity instanceof Map<?, ?> fields) {
              activity(text(id), fields);
            }
          });
    }
    return new Chart(boxes, arrows);
  }

  private void start(String scope, Map<?, ?> block) {
    String mark = scope + MARK + "start";
    boxes.add(new Box(mark, Chart.BoxStyle.START, List.of(), null, null));
    arrows.add(new Arrow(mark, text(block.get("start")), null, Line.FLOW));
  }

  /** Draws reactions of the whole run: their arrows come from a mark of its own. */
  private void events(String event, @Nullable Object reactions) {
    for (Object each : listed(reactions)) {
      // A duration alone means that the run fails then.
      Map<?, ?> reaction =
          each instanceof Map<?, ?> map ? map : Map.of("after", text(each), "fail", true);
      String mark = MARK + boxes.size();
      boxes.add(
          new Box(
              mark,
              Chart.BoxStyle.EVENT,
              List.of(cut(Labels.of(event, reaction) + ending(reaction))),
              null,
              null));
      if (reaction.get("to") != null) {
        arrows.add(new Arrow(mark, text(reaction.get("to")), null, Line.REACTION));
      }
    }
  }

  private static String ending(Map<?, ?> reaction) {
    return Boolean.TRUE.equals(reaction.get("fail")) ? ": fails" : "";
  }

  private void activity(String id, Map<?, ?> activity) {
    String type = text(activity.get("type"));
    List<String> lines = new ArrayList<>();
    lines.add(cut(id));
    lines.add(cut(Labels.describe(type, activity)));
    next(id, activity.get("next"));
    if (activity.get("with") instanceof Map<?, ?> with) {
      with(id, type, with);
    }
    if (activity.get("on") instanceof Map<?, ?> on) {
      on.forEach((event, reactions) -> reactions(id, text(event), reactions, lines));
    }
    if (activity.get("compensate") != null) {
      arrows.add(new Arrow(id, text(activity.get("compensate")), "undone by", Line.COMPENSATION));
    }
    Object description = activity.get("description");
    boxes.add(
        new Box(
            id,
            Labels.look(type),
            lines,
            description == null ? null : text(description),
            activity.get("activities") instanceof Map<?, ?> ? inside(id, activity) : null));
  }

  private void next(String id, @Nullable Object next) {
    for (Object way : listed(next)) {
      if (way instanceof Map<?, ?> transition) {
        Object when = transition.get("when");
        arrows.add(
            new Arrow(
                id, text(transition.get("to")), when == null ? null : cut(text(when)), Line.FLOW));
      } else {
        arrows.add(new Arrow(id, text(way), null, Line.FLOW));
      }
    }
  }

  private void with(String id, String type, Map<?, ?> with) {
    if (type.equals("fork")) {
      listed(with.get("branches"))
          .forEach(branch -> arrows.add(new Arrow(id, text(branch), null, Line.FLOW)));
    }
    if (type.equals("race") && with.get("waits") instanceof Map<?, ?> waits) {
      waits.forEach(
          (name, wait) -> {
            if (wait instanceof Map<?, ?> fields && fields.get("to") != null) {
              arrows.add(new Arrow(id, text(fields.get("to")), cut(text(name)), Line.FLOW));
            }
          });
    }
  }

  private void reactions(String id, String event, @Nullable Object reactions, List<String> lines) {
    for (Object each : listed(reactions)) {
      if (each instanceof Map<?, ?> reaction) {
        String label = cut(Labels.of(event, reaction));
        if (reaction.get("to") != null) {
          arrows.add(new Arrow(id, text(reaction.get("to")), label, Line.REACTION));
        } else {
          lines.add(cut(label + ending(reaction)));
        }
      }
    }
  }

  private static List<?> listed(@Nullable Object value) {
    if (value == null) {
      return List.of();
    }
    return value instanceof List<?> list ? list : List.of(value);
  }

  private static String text(@Nullable Object value) {
    return String.valueOf(value);
  }

  private static String cut(String text) {
    String line = text.replaceAll("\\s+", " ");
    int end = Math.min(line.length(), LABEL);
    // Half a surrogate pair is no character.
    boolean halved = end < line.length() && Character.isHighSurrogate(line.charAt(end - 1));
    return end == line.length() ? line : line.substring(0, halved ? end - 1 : end) + "…";
  }
}
