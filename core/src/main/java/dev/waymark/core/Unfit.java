package dev.waymark.core;

import org.jspecify.annotations.Nullable;

/**
 * A value that is no JSON, on its way up to the door that it came in by. Every list and object that
 * it passes adds its own part of the path, so a value that is well pays nothing for being found.
 */
final class Unfit extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private String problem;
  private String path = "";

  Unfit(String problem, @Nullable Throwable cause) {
    super(problem, cause, false, false);
    this.problem = problem;
  }

  Unfit(String problem) {
    this(problem, null);
  }

  Unfit under(String key) {
    path = "/" + key.replace("~", "~0").replace("/", "~1") + path;
    return this;
  }

  Unfit under(int index) {
    path = "/" + index + path;
    return this;
  }

  /** Adds where in the text it stands. */
  Unfit at(String location) {
    problem += location;
    return this;
  }

  /** The same below a place that is known as a JSON pointer. */
  Unfit below(String pointer) {
    path = pointer + path;
    return this;
  }

  /** The exception that callers see. A message is text too, so it is well formed. */
  IllegalArgumentException told() {
    String told = path.isEmpty() ? problem : path + ": " + problem;
    return new IllegalArgumentException(Unicode.repaired(told), getCause());
  }
}
