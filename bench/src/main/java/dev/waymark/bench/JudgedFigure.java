package dev.waymark.bench;

import org.jspecify.annotations.Nullable;

/** A figure that {@link Check} judges, and what it is held against. */
sealed interface JudgedFigure {

  /** The name of the measurement that it comes from. */
  String measurement();

  /** Its name among the figures of that benchmark. */
  String figure();

  /** What it is called in the table and in the file of kept ratios, as {@code w1_8.ratio}. */
  default String name() {
    return measurement() + "." + figure();
  }

  /** One line for people: what the figure is. */
  String meaning();

  /** For the table: what it is held against. */
  String against(KeptRatios kept);

  /** What it says now; absent if it was not measured. */
  Verdict judge(KeptRatios kept, @Nullable Double now);

  /**
   * How much of the limit the engine reaches, measured beside it in the same run. A ratio holds on
   * another machine, and in another mood of this one, where a rate does not.
   */
  record Ratio(String measurement, String figure, String meaning) implements JudgedFigure {

    /** What two runs of the same code differ by. */
    private static final double NOISE = 0.10;

    @Override
    public String against(KeptRatios kept) {
      Double ratio = kept.of(name());
      return ratio == null ? "-" : "%.3f".formatted(ratio);
    }

    @Override
    public Verdict judge(KeptRatios kept, @Nullable Double now) {
      Double ratio = kept.of(name());
      if (now == null) {
        return Verdict.NOT_MEASURED;
      }
      if (ratio == null) {
        return Verdict.NOT_KEPT;
      }
      if (now < ratio * (1 - NOISE)) {
        return Verdict.FALLEN;
      }
      return now > ratio * (1 + NOISE) ? Verdict.BETTER : Verdict.OK;
    }
  }

  /**
   * A figure without a limit to be measured beside it: it may not be more than this. The caps stand
   * in the code and not in the file, since they are decided and not measured.
   */
  record Cap(String measurement, String figure, String meaning, double most)
      implements JudgedFigure {

    @Override
    public String against(KeptRatios kept) {
      return "at most %.0f".formatted(most);
    }

    @Override
    public Verdict judge(KeptRatios kept, @Nullable Double now) {
      if (now == null) {
        return Verdict.NOT_MEASURED;
      }
      return now > most ? Verdict.OVER : Verdict.OK;
    }
  }

  /** What comes of a comparison. */
  enum Verdict {
    OK("ok", false),

    /** By so much that the kept ratio no longer says what the engine can do. */
    BETTER("better: keep it with --write", false),
    FALLEN("FALLEN", true),
    OVER("OVER", true),
    NOT_KEPT("NOT KEPT: keep it with --write", true),
    NOT_MEASURED("NOT MEASURED", true);

    private final String text;
    private final boolean fault;

    Verdict(String text, boolean fault) {
      this.text = text;
      this.fault = fault;
    }

    boolean isFault() {
      return fault;
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
