package dev.waymark.engine.internal.row;

import dev.waymark.engine.EngineException;
import org.jspecify.annotations.Nullable;

/** One row cannot be read: says which, so that it can be told apart from those read with it. */
public final class UnreadableException extends EngineException {

  private static final long serialVersionUID = 1L;

  private final String table;
  private final String key;
  private final @Nullable String tenant;

  UnreadableException(String table, String key, @Nullable String tenant, Throwable cause) {
    super(
        "Expected a row of %s with key %s that can be read, but %s".formatted(table, key, cause),
        cause);
    this.table = table;
    this.key = key;
    this.tenant = tenant;
  }

  public String table() {
    return table;
  }

  public String key() {
    return key;
  }

  public @Nullable String tenant() {
    return tenant;
  }
}
