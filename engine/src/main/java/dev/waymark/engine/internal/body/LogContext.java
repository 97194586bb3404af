package dev.waymark.engine.internal.body;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.InstanceId;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * Names the run and the visit in every line that is logged while user code runs, by keys in the
 * logger's context (MDC). After the code has run, the context is as it was before.
 */
final class LogContext {

  private final @Nullable Map<String, String> before;

  private LogContext(@Nullable Map<String, String> before) {
    this.before = before;
  }

  static LogContext of(InstanceId instance, ActivityInstance visit) {
    LogContext context = new LogContext(MDC.getCopyOfContextMap());
    MDC.put("waymark.instance", instance.toString());
    MDC.put("waymark.activity", visit.activity());
    MDC.put("waymark.visit", Long.toString(visit.visit()));
    MDC.put("waymark.attempt", Integer.toString(visit.attempt()));
    return context;
  }

  void restore() {
    if (before == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(before);
    }
  }
}
