package dev.waymark.core.expression.value;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/** A name under which expressions find data. Which ones exist depends on the place. */
public enum Root {
  /** The instance's variables. */
  VARIABLES("Variables"),
  /** The evaluated {@code with} of the activity. */
  INPUT("Input"),
  /** The result of the activity. */
  OUTPUT("Output"),
  /** The fault, in {@code on.error}. */
  ERROR("Error"),
  /** Instance id, actor, time, attempt. */
  CONTEXT("Context"),
  /**
   * Only the names that the configuration lists; never shown in messages, for they hold secrets.
   */
  ENV("Env");

  private final String label;

  Root(String label) {
    this.label = label;
  }

  /** The name as an expression writes it. */
  public String label() {
    return label;
  }

  public static Optional<Root> called(String name) {
    return Arrays.stream(values()).filter(root -> root.label.equals(name)).findFirst();
  }

  public static String list(Collection<Root> roots) {
    return roots.isEmpty()
        ? "none"
        : roots.stream().sorted().map(Root::label).collect(Collectors.joining(", "));
  }
}
