package dev.waymark.core.definition.schema;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON Schema that start data, answers and {@code with} blocks must fit. Immutable and safe to
 * share between threads.
 */
public interface InputSchema {

  /** One thing wrong with a document: where (a JSON pointer) and what. */
  record Violation(String pointer, String message) {}

  /** Empty if the document fits. */
  List<Violation> check(Map<String, @Nullable Object> document);
}
