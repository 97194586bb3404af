package dev.waymark.engine.flow;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Several people decide, at one level or level by level. */
public final class Approval extends ForPeople<Approval> {

  Approval(Sketch sketch) {
    super(sketch);
  }

  @Override
  Approval changed(Sketch changed) {
    return new Approval(changed);
  }

  /** All voices must approve; without this verb, one approval is enough. */
  public Approval all() {
    return changed(sketch.with("mode", "all"));
  }

  public Approval atLeast(int count) {
    return changed(sketch.with("mode", Map.of("atLeast", count)));
  }

  /** The weights of the approving voices must reach this sum. */
  public Approval weight(int threshold) {
    return changed(sketch.with("mode", Map.of("weight", threshold)));
  }

  /**
   * The number of levels that a value needs: that of the highest number that the value is above. A
   * value that is above none is approved by rule.
   */
  public Approval bands(Expr value, Map<? extends Number, Integer> levelsAbove) {
    List<Map<String, @Nullable Object>> table = new ArrayList<>();
    levelsAbove.forEach(
        (above, levels) -> {
          Map<String, @Nullable Object> band = new LinkedHashMap<>();
          band.put("above", new BigDecimal(above.toString()));
          band.put("levels", levels);
          table.add(band);
        });
    return changed(
        sketch.with("bands", PlainData.plus(PlainData.plus(null, "of", value), "table", table)));
  }

  /** One user speaks for another from one moment until another; said again, it is one more. */
  public Approval substitute(String absent, String by, Instant from, Instant until) {
    List<@Nullable Object> rules = new ArrayList<>();
    if (sketch.fields().get("with") instanceof Map<?, ?> with
        && with.get("substitutes") instanceof List<?> earlier) {
      rules.addAll(earlier);
    }
    Map<String, @Nullable Object> rule =
        PlainData.plus(PlainData.plus(null, "for", absent), "by", by);
    rules.add(PlainData.plus(PlainData.plus(rule, "from", from), "until", until));
    return changed(sketch.with("substitutes", rules));
  }

  /** Its id; the next verb names the people who decide. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    /** Users, and groups as {@code group:name}; expressions are written with braces. */
    public Approval approvers(String... approvers) {
      return new Approval(sketch.with("approvers", Arrays.asList(approvers)));
    }

    public Approval approvers(Expr list) {
      return new Approval(sketch.with("approvers", list));
    }

    /** Decided one after another. */
    public Approval levels(Stage first, Stage... more) {
      List<Map<String, @Nullable Object>> levels = new ArrayList<>();
      levels.add(first.fields);
      Arrays.stream(more).forEach(stage -> levels.add(stage.fields));
      return new Approval(sketch.with("levels", levels));
    }
  }
}
