package dev.waymark.postgres.internal.sql;

import dev.waymark.engine.store.sql.StoreCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.postgresql.jdbc.PgConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * The sources of connections, one pool for each use.
 *
 * @param loads for reading instances, whose statement is always the same and planned once
 * @param pins whether plans are pinned on the connections or with each statement
 * @param plans the hot statements that run on them
 * @param onClose closes what ends with the store; pools of the application stay open
 */
public record Pools(
    Pool committers,
    Pool loads,
    Pool workers,
    Pool bodies,
    PlanSettings pins,
    PlanCheck plans,
    Runnable onClose) {

  /** Takes everything from pools of the application, whose settings are not ours. */
  public static Pools of(DataSource committers, DataSource workers, DataSource bodies) {
    StoreCall calls = new StoreCall();
    Pool both = new Pool(workers, calls);
    return new Pools(
        new Pool(committers, calls),
        both,
        both,
        new Pool(bodies, calls),
        PlanSettings.ON_STATEMENT,
        new PlanCheck(),
        calls::close);
  }

  /**
   * The simple protocol puts values into the text of a statement: injections have come from it
   * (CVE-2024-1597), and our statements would be planned anew each time.
   */
  public void refuseSimpleProtocol() {
    for (Pool pool : List.of(committers, loads, workers, bodies)) {
      var unused = pool.autocommitted("Looking at a connection", Pools::refuseSimpleProtocol);
    }
  }

  private static boolean refuseSimpleProtocol(Connection connection) throws SQLException {
    if (!connection.isWrapperFor(PgConnection.class)) {
      throw new IllegalArgumentException(
          "Expected connections of the PostgreSQL driver (org.postgresql), but got "
              + connection.getMetaData().getDriverName());
    }
    PreferQueryMode mode = connection.unwrap(PgConnection.class).getPreferQueryMode();
    if (mode == PreferQueryMode.SIMPLE) {
      throw new IllegalArgumentException(
          "Expected preferQueryMode=extended (the driver's default), but got"
              + " preferQueryMode=simple: it writes values into the text of statements; remove it"
              + " from the JDBC URL");
    }
    return true;
  }
}
