package dev.waymark.engine.activity;

import java.sql.Connection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Work that commits together with its step: business rows and workflow state in one transaction, or
 * neither.
 *
 * <p>It gets the transaction's connection, must not commit, roll back or close it, and must be
 * quick: on SQLite the whole engine waits for it. If the step loses a race the transaction is
 * rolled back and the work is done again.
 */
@FunctionalInterface
public interface TransactionalActivity {

  ActivityResult execute(ActivityContext context, Connection connection) throws Exception;

  /** The JSON Schema of its {@code with}, as in {@link Activity#schema()}. */
  default Map<String, @Nullable Object> schema() {
    return Map.of();
  }
}
