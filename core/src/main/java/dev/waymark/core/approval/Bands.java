package dev.waymark.core.approval;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A table of how many levels an amount needs: above 100,000 three, above 25,000 two, above 5,000
 * one. An amount that is in no band needs no level.
 */
public record Bands(BigDecimal value, List<Band> bands) {

  /** An amount of more than {@code above} needs the first {@code levels} levels. */
  public record Band(BigDecimal above, int levels) {

    public Band {
      if (levels < 0) {
        throw new IllegalArgumentException("Expected 0 levels or more, but got " + levels);
      }
    }
  }

  public Bands {
    bands = List.copyOf(bands);
  }

  static Bands of(Map<String, @Nullable Object> given) {
    return new Bands(
        Given.number("of", given.get("of")),
        Given.objects("above", given.get("table")).stream()
            .map(
                band ->
                    new Band(
                        Given.number("above", band.get("above")),
                        Given.integer("levels", band.get("levels"))))
            .toList());
  }

  /** The highest band that the value is above, in whatever order they are written. */
  public int levels() {
    BigDecimal reached = null;
    int levels = 0;
    for (Band band : bands) {
      boolean above = value.compareTo(band.above()) > 0;
      if (above && (reached == null || band.above().compareTo(reached) > 0)) {
        reached = band.above();
        levels = band.levels();
      }
    }
    return levels;
  }
}
