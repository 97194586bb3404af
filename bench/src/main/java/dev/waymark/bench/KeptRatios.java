package dev.waymark.bench;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The ratios that were kept in a file of the repository, by the names of their figures. */
record KeptRatios(Map<String, Double> ratios) {

  private static final String HEAD =
      """
      # Ratios that 'bench/run check' compares with: how much of the bare limit, measured in the same
      # run, the engine reaches. Written by 'bench/run check --write'; do so with a commit that is
      # meant to change them, on a machine that does nothing else.
      """;

  KeptRatios {
    ratios = Map.copyOf(ratios);
  }

  /** Those of a file, which may know no other figures than these; none if there is no file. */
  static KeptRatios read(Path file, List<JudgedFigure.Ratio> known) {
    if (!Files.exists(file)) {
      return new KeptRatios(Map.of());
    }
    Properties lines = new Properties();
    try (Reader reader = Files.newBufferedReader(file)) {
      lines.load(reader);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read " + file, e);
    }
    Set<String> names =
        known.stream().map(JudgedFigure.Ratio::name).collect(Collectors.toUnmodifiableSet());
    Map<String, Double> ratios = new LinkedHashMap<>();
    for (String name : lines.stringPropertyNames()) {
      if (!names.contains(name)) {
        throw new IllegalArgumentException(
            "Expected in %s only ratios that are checked, but got '%s'".formatted(file, name));
      }
      ratios.put(name, ratio(name, lines.getProperty(name)));
    }
    return new KeptRatios(ratios);
  }

  private static double ratio(String name, String text) {
    try {
      double ratio = Double.parseDouble(text);
      if (ratio > 0 && Double.isFinite(ratio)) {
        return ratio;
      }
    } catch (NumberFormatException e) {
      // Refused below, like a number that is no ratio.
    }
    throw new IllegalArgumentException(
        "Expected a ratio above 0 for %s, but got '%s'".formatted(name, text));
  }

  @Nullable Double of(String name) {
    return ratios.get(name);
  }

  /** Writes them, each under a comment that says what it is. */
  void write(Path file, List<JudgedFigure.Ratio> known) {
    StringBuilder text = new StringBuilder(HEAD);
    for (JudgedFigure.Ratio figure : known) {
      Double ratio = of(figure.name());
      if (ratio == null) {
        throw new IllegalArgumentException(
            "Expected a ratio for '%s', but it was not measured".formatted(figure.name()));
      }
      text.append("%n# %s%n%s = %.3f%n".formatted(figure.meaning(), figure.name(), ratio));
    }
    try {
      Files.writeString(file, text.toString().replace(System.lineSeparator(), "\n"));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write " + file, e);
    }
  }
}
