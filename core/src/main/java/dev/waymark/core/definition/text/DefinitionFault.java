package dev.waymark.core.definition.text;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * One thing wrong with the text of a definition: where, what should be there, and what came
 * instead.
 *
 * @param path a JSON pointer such as {@code /activities/pay/next/0/to}; empty for the whole text
 * @param line where in the text, from 1; absent if the fault has no place of its own
 */
public record DefinitionFault(
    String path, String expected, String got, @Nullable Integer line, @Nullable Integer column) {

  public DefinitionFault {
    requireNonNull(path, "path");
    requireNonNull(expected, "expected");
    requireNonNull(got, "got");
  }

  @Override
  public String toString() {
    String position = line == null ? "" : " at line %d, column %d".formatted(line, column);
    // The text may continue with an excerpt of an expression; the position belongs before it.
    int firstLine = got.indexOf('\n') < 0 ? got.length() : got.indexOf('\n');
    return "%s: expected %s, but got %s%s%s"
        .formatted(
            path.isEmpty() ? "definition" : path,
            expected,
            got.substring(0, firstLine),
            position,
            got.substring(firstLine));
  }
}
