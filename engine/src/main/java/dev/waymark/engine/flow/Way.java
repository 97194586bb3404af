package dev.waymark.engine.flow;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One way on from an activity. */
public final class Way {

  private final Map<String, @Nullable Object> fields;

  private Way(Map<String, @Nullable Object> fields) {
    this.fields = fields;
  }

  static Way to(String activity) {
    return new Way(PlainData.plus(null, "to", activity));
  }

  static List<Map<String, @Nullable Object>> documents(Way first, Way... more) {
    return Stream.concat(Stream.of(first), Stream.of(more)).map(way -> way.fields).toList();
  }

  /** A condition; where it leads comes next. */
  public static final class When {

    private final String condition;

    When(String condition) {
      this.condition = condition;
    }

    public Way to(String activity) {
      return new Way(PlainData.plus(PlainData.plus(null, "when", condition), "to", activity));
    }
  }
}
