package dev.waymark.postgres.internal.sql;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A statement that runs often, with the types of its parameters: so {@link PlanCheck} can have it
 * planned without values.
 *
 * @param name the name that an operator sees
 * @param types of all its parameters, by their names, as PostgreSQL calls them
 * @param wholeIndexes the indexes that it may read without a condition
 * @param ofOneUnit true if it gets one unit at a time, whose rows it may compare each with each
 */
public record HotStatement(
    String name,
    String text,
    Map<String, String> types,
    Set<String> wholeIndexes,
    boolean ofOneUnit) {

  public HotStatement {
    types = Map.copyOf(types);
    wholeIndexes = Set.copyOf(wholeIndexes);
    for (String parameter : NamedText.of(text).parameters()) {
      if (!types.containsKey(parameter)) {
        throw new IllegalArgumentException(
            "Expected the type of :%s in '%s', but got only those of %s"
                .formatted(parameter, name, types.keySet()));
      }
    }
  }

  public HotStatement(String name, String text, Map<String, String> types) {
    this(name, text, types, Set.of(), false);
  }

  /** A statement that is given one unit at a time. */
  public static HotStatement ofOneUnit(String name, String text, Map<String, String> types) {
    return new HotStatement(name, text, types, Set.of(), true);
  }

  /**
   * Declares a statement.
   *
   * @param types those of its parameters and no others: {@code "now timestamptz, limit int4"}
   */
  public static HotStatement of(String name, String types, String text) {
    Map<String, String> declared = new HashMap<>();
    if (!types.isEmpty()) {
      for (String parameter : types.split(", ", -1)) {
        int space = parameter.indexOf(' ');
        declared.put(parameter.substring(0, space), parameter.substring(space + 1));
      }
    }
    HotStatement statement = new HotStatement(name, text, declared);
    if (!declared.keySet().equals(Set.copyOf(statement.parameters()))) {
      throw new IllegalArgumentException(
          "Expected the types of %s in '%s', but got those of %s"
              .formatted(statement.parameters(), name, declared.keySet()));
    }
    return statement;
  }

  /**
   * The same, if it may read these indexes without a condition: because the first entry is all it
   * wants, or because it counts them.
   */
  public HotStatement readingWhole(String... indexes) {
    return new HotStatement(name, text, types, Set.of(indexes), ofOneUnit);
  }

  /** The names of its parameters, each once. */
  List<String> parameters() {
    return NamedText.of(text).parameters().stream().distinct().toList();
  }
}
