package dev.waymark.proof.log;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.MDC;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMDCAdapter;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** Makes {@link Logged} of what is logged in the tests of this module. */
public final class LoggedProvider implements SLF4JServiceProvider {

  private final IMarkerFactory markers = new BasicMarkerFactory();
  private final MDCAdapter context = new BasicMDCAdapter();

  @Override
  public ILoggerFactory getLoggerFactory() {
    return Lines::new;
  }

  @Override
  public IMarkerFactory getMarkerFactory() {
    return markers;
  }

  @Override
  public MDCAdapter getMDCAdapter() {
    return context;
  }

  @Override
  public String getRequestedApiVersion() {
    return "2.0.99";
  }

  @Override
  public void initialize() {}

  private static final class Lines extends LegacyAbstractLogger {
    private static final long serialVersionUID = 1;

    Lines(String name) {
      this.name = name;
    }

    @Override
    public boolean isTraceEnabled() {
      return false;
    }

    @Override
    public boolean isDebugEnabled() {
      return false;
    }

    @Override
    public boolean isInfoEnabled() {
      return Logged.isKept();
    }

    @Override
    public boolean isWarnEnabled() {
      return Logged.isKept();
    }

    @Override
    public boolean isErrorEnabled() {
      return Logged.isKept();
    }

    @Override
    protected @Nullable String getFullyQualifiedCallerName() {
      return null;
    }

    @Override
    protected void handleNormalizedLoggingCall(
        Level level,
        @Nullable Marker marker,
        String message,
        Object @Nullable [] arguments,
        @Nullable Throwable thrown) {
      String said = MessageFormatter.basicArrayFormat(message, arguments);
      Map<String, String> keys = MDC.getCopyOfContextMap();
      Logged.add(new Logged(name, level, said, thrown, keys == null ? Map.of() : keys));
    }
  }
}
