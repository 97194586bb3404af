package dev.waymark.sqlite.internal.file;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * One connection as a data source, for Flyway: it opens and closes as it likes, and always gets the
 * same. A second connection to a database in memory would be a second database.
 */
final class SharedConnection implements DataSource {

  private final Connection unclosed;

  SharedConnection(Connection connection) {
    this.unclosed =
        (Connection)
            Proxy.newProxyInstance(
                SharedConnection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                  if (method.getName().equals("close")) {
                    return null;
                  }
                  try {
                    return method.invoke(connection, arguments);
                  } catch (InvocationTargetException e) {
                    throw e.getTargetException();
                  }
                });
  }

  @Override
  public Connection getConnection() {
    return unclosed;
  }

  @Override
  public Connection getConnection(String user, String password) {
    return unclosed;
  }

  @Override
  public @Nullable PrintWriter getLogWriter() {
    return null;
  }

  @Override
  public void setLogWriter(PrintWriter writer) {}

  @Override
  public void setLoginTimeout(int seconds) {}

  @Override
  public int getLoginTimeout() {
    return 0;
  }

  @Override
  public Logger getParentLogger() throws SQLFeatureNotSupportedException {
    throw new SQLFeatureNotSupportedException("No java.util.logging here");
  }

  @Override
  public <T> T unwrap(Class<T> type) {
    return type.cast(this);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return type.isInstance(this);
  }
}
