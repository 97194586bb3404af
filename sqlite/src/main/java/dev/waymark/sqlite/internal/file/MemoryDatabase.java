package dev.waymark.sqlite.internal.file;

import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicReference;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConnection;

/** A database that lives as long as its one connection, for tests. */
final class MemoryDatabase implements SharedSession.Opening {

  private static final String MAIN = "main";

  // Flyway takes about 40 ms, and every test opens a store: so the first one's empty schema is kept
  // and the others begin with a copy of it, which takes less than one.
  private static final AtomicReference<byte[]> SCHEMA = new AtomicReference<>();

  @Override
  public Session open() throws SQLException {
    SQLiteConfig config = new SQLiteConfig();
    config.setGetGeneratedKeys(false);
    return new Session(
        config.createConnection("jdbc:sqlite::memory:").unwrap(SQLiteConnection.class));
  }

  @Override
  public boolean canReopen() {
    return false;
  }

  static boolean migrate(Session session) throws SQLException {
    byte[] schema = SCHEMA.get();
    boolean empty = !session.query("select 1 from sqlite_schema limit 1").exists();
    session.forget();
    if (empty && schema != null) {
      session.connection().deserialize(MAIN, schema);
      return true;
    }
    boolean migrated = SchemaMigration.run(session);
    if (empty) {
      SCHEMA.set(session.connection().serialize(MAIN));
    }
    return migrated;
  }
}
