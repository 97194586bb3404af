package dev.waymark.core.definition.read;

import dev.waymark.core.Json;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.WithSchema;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.TextNode;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The types that a definition may name. A schema is compiled when the first text needs it: all of
 * them, with the classes of the library, took 0.4 s of processor time in a cold process.
 */
final class KnownTypes {

  private final Map<String, ActivityType> types;
  private final Map<String, Optional<WithSchema>> schemas;
  private final boolean trusting;

  KnownTypes(Collection<? extends ActivityType> given) {
    this(new TreeMap<>(), new ConcurrentHashMap<>(), false);
    for (ActivityType type : given) {
      if (types.put(type.name(), type) != null) {
        throw new IllegalArgumentException(
            "Expected every activity type once, but got '%s' twice".formatted(type.name()));
      }
    }
  }

  private KnownTypes(
      Map<String, ActivityType> types,
      Map<String, Optional<WithSchema>> schemas,
      boolean trusting) {
    this.types = types;
    this.schemas = schemas;
    this.trusting = trusting;
  }

  /**
   * The same types for definitions that were deployed once: every name is a type, and none checks
   * the text again. The values of expressions are still checked, when a run reaches the activity.
   */
  KnownTypes trusted() {
    return new KnownTypes(types, schemas, true);
  }

  Set<String> names() {
    return types.keySet();
  }

  @Nullable ActivityType find(String name) {
    ActivityType known = types.get(name);
    return known == null && trusting ? new Gone(name) : known;
  }

  /** Absent if the type takes anything. */
  @Nullable WithSchema schemaOf(ActivityType type) {
    return schemas
        .computeIfAbsent(type.name(), name -> Optional.ofNullable(WithSchema.of(type)))
        .orElse(null);
  }

  /** Reports the faults of a {@code with}; faults that its schema has reported are not repeated. */
  void check(ActivityType type, TextNode.Struct with, Faults faults) {
    if (trusting) {
      return;
    }
    Map<String, @Nullable Object> values = Json.objectOf(with.value());
    Set<String> told = new HashSet<>();
    WithSchema schema = schemaOf(type);
    if (schema != null) {
      schema.check(
          values,
          (path, expected, got) -> {
            told.add(path);
            faults.add(path, expected, got);
          });
    }
    type.check(
        values,
        (path, expected, got) -> {
          if (told.stream().noneMatch(other -> overlap(path, other))) {
            faults.add(path, expected, got);
          }
        });
  }

  /** True if one place is the other, or lies inside it. */
  private static boolean overlap(String path, String other) {
    return path.isEmpty()
        || other.isEmpty()
        || (path + "/").startsWith(other + "/")
        || (other + "/").startsWith(path + "/");
  }

  /**
   * A type that is no longer registered. It may be one that waits, so a cycle through it is not
   * refused.
   */
  private record Gone(String name) implements ActivityType {

    @Override
    public boolean waits() {
      return true;
    }
  }
}
