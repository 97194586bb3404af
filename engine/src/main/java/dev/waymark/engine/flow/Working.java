package dev.waymark.engine.flow;

import dev.waymark.core.time.Due;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Working time of one of the flow's calendars. */
public final class Working {

  final Map<String, @Nullable Object> fields;

  Working(Object time, String calendar) {
    Map<String, @Nullable Object> both = new LinkedHashMap<>();
    both.put(Due.WORKING, PlainData.of(time));
    both.put(Due.CALENDAR, calendar);
    this.fields = both;
  }
}
