package dev.waymark.core.definition;

import com.networknt.schema.Error;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.schema.Misfit;
import dev.waymark.core.definition.text.Faults;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The schema of the {@code with} of one type, compiled once. It judges a {@code with} twice: on
 * deploy as far as the values stand in the text, and when the activity is entered, with every
 * expression evaluated.
 */
public final class WithSchema {

  private final String type;
  private final Map<String, @Nullable Object> document;
  private final JsonInputSchema schema;

  private WithSchema(String type, Map<String, @Nullable Object> document, JsonInputSchema schema) {
    this.type = type;
    this.document = document;
    this.schema = schema;
  }

  /**
   * Compiles the schema that a type declares.
   *
   * @return absent if the type takes anything
   * @throws IllegalArgumentException if it is no schema
   */
  public static @Nullable WithSchema of(ActivityType type) {
    Map<String, @Nullable Object> document = type.schema();
    if (document.isEmpty()) {
      return null;
    }
    List<String> wrong = new ArrayList<>();
    JsonInputSchema schema =
        JsonInputSchema.compile(
            document,
            (path, expected, got) ->
                wrong.add("/%s: expected %s, but got %s".formatted(path, expected, got)));
    if (schema == null) {
      throw new IllegalArgumentException(
          "Expected a JSON Schema for what '%s' is given, but %s"
              .formatted(type.name(), String.join("; ", wrong)));
    }
    return new WithSchema(type.name(), document, schema);
  }

  /** Reports the faults of a {@code with} whose expressions are not evaluated yet. */
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    for (Misfit misfit : misfits(with, true)) {
      faults.add(
          misfit.pointer().isEmpty() ? "" : misfit.pointer().substring(1),
          misfit.expected(),
          misfit.got());
    }
  }

  /**
   * The first fault of an activity's evaluated input; absent if there is none. Costs nothing where
   * the text alone could be judged.
   */
  public static @Nullable String violation(Activity activity, Map<String, @Nullable Object> input) {
    WithSchema schema = activity.schema();
    Collection<Misfit> misfits = schema == null ? List.of() : schema.misfits(input, false);
    return schema == null || misfits.isEmpty()
        ? null
        : misfits.stream()
            .map(misfit -> schema.told(misfit, activity.id()))
            .collect(Collectors.joining("; "));
  }

  private String told(Misfit misfit, String activity) {
    return "Expected %s%s in the input of '%s' (%s), but got %s"
        .formatted(
            misfit.expected(),
            misfit.pointer().isEmpty() ? "" : " at " + misfit.pointer(),
            activity,
            type,
            misfit.got());
  }

  /** One fault for each place: after it is corrected, the next check shows the rest. */
  private Collection<Misfit> misfits(Map<String, @Nullable Object> with, boolean beforeEvaluation) {
    Map<String, Misfit> misfits = new LinkedHashMap<>();
    for (Error error : schema.errors(with)) {
      Misfit misfit = Misfit.of(error, document, with, beforeEvaluation);
      if (misfit != null && misfits.size() < Limits.VIOLATIONS) {
        misfits.putIfAbsent(misfit.pointer(), misfit);
      }
    }
    return misfits.values();
  }
}
