package dev.waymark.core.step.people;

import dev.waymark.core.Json;
import dev.waymark.core.definition.schema.InputSchema.Violation;
import dev.waymark.core.definition.schema.JsonInputSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Judges answers by the forms of tasks, and remembers the forms used lately: compiling one costs
 * many times what asking it does. Threads may share it.
 */
final class FormCache {

  private static final int KEPT = 256;

  /** Least recently used first. Guarded by itself; nothing is compiled while it is held. */
  private final LinkedHashMap<Map<?, ?>, JsonInputSchema> known =
      new LinkedHashMap<>(64, 0.75f, true);

  List<Violation> violations(Map<?, ?> form, Map<String, @Nullable Object> answer) {
    JsonInputSchema schema;
    synchronized (known) {
      schema = known.get(form);
    }
    if (schema == null) {
      schema = compile(form);
      keep(form, schema);
    }
    return schema.check(answer);
  }

  private static JsonInputSchema compile(Map<?, ?> form) {
    List<String> wrong = new ArrayList<>();
    JsonInputSchema schema =
        JsonInputSchema.compile(Json.object(form), (path, expected, got) -> wrong.add(got));
    if (schema == null) {
      // The form was checked when the definition was deployed, and no expression can stand in it.
      throw new IllegalStateException("Expected a form that is a schema, but: " + wrong);
    }
    return schema;
  }

  private void keep(Map<?, ?> form, JsonInputSchema schema) {
    synchronized (known) {
      known.put(form, schema);
      if (known.size() > KEPT) {
        var eldest = known.keySet().iterator();
        eldest.next();
        eldest.remove();
      }
    }
  }
}
