package dev.waymark.core.definition.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.FormatValidator;
import com.networknt.schema.path.NodePath;
import tools.jackson.databind.JsonNode;

/**
 * A format of the library for which no text is too long.
 *
 * <p>Some formats are judged by expressions that need more of the stack the longer a text is, and
 * others throw beyond a length. A text that a format cannot judge does not have it: the caller is
 * told where the text stands, as of any other that does not fit.
 */
record GuardedFormat(Format format) implements Format {

  @Override
  public String getName() {
    return format.getName();
  }

  @Override
  public String getMessageKey() {
    return format.getMessageKey();
  }

  @Override
  public boolean matches(
      ExecutionContext execution,
      SchemaContext schema,
      JsonNode value,
      JsonNode root,
      NodePath path,
      boolean asserted,
      FormatValidator validator) {
    try {
      return format.matches(execution, schema, value, root, path, asserted, validator);
    } catch (StackOverflowError | RuntimeException e) {
      return false;
    }
  }
}
