package dev.waymark.core.expression.plan;

import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An expression ready to run, wherever in a definition it stands.
 *
 * @param locals how many loop variables it needs room for
 * @param readings the paths into the data that it names
 * @param dividesIntegers whether it divides one integer that is written out by another
 */
public record Plan(
    String source, PlanNode node, int locals, List<DataPath> readings, boolean dividesIntegers) {

  /** Values shown with an error; an expression that reads more gets the first ones. */
  private static final int SHOWN_READINGS = 10;

  public Plan {
    readings = List.copyOf(readings);
  }

  /**
   * True if the expression reads the environment. Then no message may show a value: any value may
   * have been made from a secret.
   */
  public boolean readsEnvironment() {
    return readings.stream().anyMatch(reading -> reading.root() == Root.ENV);
  }

  public Map<String, String> seenIn(EvaluationScope scope) {
    Map<String, String> seen = new LinkedHashMap<>();
    for (DataPath reading : readings) {
      // Variables.order is part of Variables.order.total, which says more.
      if (readings.stream().noneMatch(reading::leadsTo) && seen.size() < SHOWN_READINGS) {
        seen.put(reading.label(), reading.shownIn(scope));
      }
    }
    return seen;
  }
}
