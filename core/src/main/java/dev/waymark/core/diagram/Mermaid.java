package dev.waymark.core.diagram;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.diagram.Chart.Arrow;
import dev.waymark.core.diagram.Chart.Box;
import dev.waymark.core.instance.Instance;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A definition as a flowchart of Mermaid, for pages that draw those. */
public final class Mermaid {

  private final StringBuilder out = new StringBuilder();
  private final Marks marks;
  private final Map<String, String> names = new LinkedHashMap<>();
  private final Map<Marks.State, List<String>> marked = new LinkedHashMap<>();

  private Mermaid(Marks marks) {
    this.marks = marks;
  }

  public static String of(Definition definition) {
    return new Mermaid(Marks.NONE).draw(definition);
  }

  /** The definition, and where the run stands in it. */
  public static String of(Definition definition, Instance instance) {
    return of(definition, instance, Set.of());
  }

  /**
   * The definition, with the activities at which the run stands and those that it has completed.
   *
   * @param completed the ids of activities that are completed
   */
  public static String of(Definition definition, Instance instance, Set<String> completed) {
    return new Mermaid(Marks.of(instance, completed)).draw(definition);
  }

  private String draw(Definition definition) {
    Chart chart = ChartReader.read(definition);
    out.append("flowchart TD\n");
    boxes(chart, "  ");
    arrows(chart);
    marked.forEach(
        (state, ids) -> {
          Colours colours = Colours.of(state);
          String name = state.name().toLowerCase(Locale.ROOT);
          line(
              "  classDef %s fill:%s,stroke:%s,stroke-width:2px"
                  .formatted(name, colours.fill(), colours.stroke()));
          line("  class " + String.join(",", ids) + " " + name);
        });
    return out.toString();
  }

  private void boxes(Chart chart, String indent) {
    for (Box box : chart.boxes()) {
      // Ids of our own: 'end' and other words are keywords of Mermaid.
      String name = "n" + names.size();
      names.put(box.id(), name);
      Marks.Mark mark = marks.of(box.id());
      if (mark != null) {
        marked.computeIfAbsent(mark.state(), state -> new ArrayList<>()).add(name);
      }
      if (box.inside() != null) {
        line(indent + "subgraph " + name + "[\"" + text(box, mark) + "\"]");
        boxes(box.inside(), indent + "  ");
        line(indent + "end");
      } else {
        line(indent + name + shape(box, text(box, mark)));
      }
    }
  }

  private static String text(Box box, Marks.@Nullable Mark mark) {
    List<String> lines = new ArrayList<>(box.lines());
    if (mark != null) {
      lines.add("(" + mark.text() + ")");
    }
    return lines.stream().map(Markup::mermaid).collect(Collectors.joining("<br/>"));
  }

  private static String shape(Box box, String text) {
    return switch (box.look()) {
      case START -> "((\" \"))";
      case EVENT, END -> "([\"" + text + "\"])";
      case BODY, PURE, SCOPE -> "[\"" + text + "\"]";
      case WAIT -> "(\"" + text + "\")";
      case BRANCH -> "{{\"" + text + "\"}}";
    };
  }

  private void arrows(Chart chart) {
    for (Arrow arrow : chart.arrows()) {
      String from = names.get(arrow.from());
      String to = names.get(arrow.to());
      if (from != null && to != null) {
        String label = arrow.label();
        String line = arrow.line() == Chart.Line.FLOW ? " -->" : " -.->";
        line(
            "  "
                + from
                + line
                + (label == null ? " " : "|\"" + Markup.mermaid(label) + "\"| ")
                + to);
      }
    }
    chart.boxes().stream()
        .filter(box -> box.inside() != null)
        .forEach(box -> arrows(Objects.requireNonNull(box.inside())));
  }

  private void line(String text) {
    out.append(text).append('\n');
  }
}
