package dev.waymark.tck;

import dev.waymark.engine.store.Store;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.UUID;

/** Opens the stores that a contract judges. */
public interface StoreFactory {

  /** An empty store with its schema, which goes by the given clock. The contract closes it. */
  Store open(InstantSource clock) throws Exception;

  /** True if several nodes can be alive at once. */
  boolean takesManyNodes();

  /** An open connection that the store has not handed out, outside of any transaction. */
  Connection strangeConnection() throws SQLException;

  /** An id as this database's driver wants it bound. */
  Object parameter(UUID id);
}
