package dev.waymark.engine.flow;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Waits for the first of several, and withdraws the others. */
public final class Race extends Guarded<Race> {

  Race(Sketch sketch) {
    super(sketch);
  }

  @Override
  Race changed(Sketch changed) {
    return new Race(changed);
  }

  /** Its id; the next verb names its waits. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Race between(Rival first, Rival... more) {
      Map<String, @Nullable Object> waits = new LinkedHashMap<>();
      for (Rival rival : Reactions.listed(first, more)) {
        if (waits.put(rival.name, rival.fields) != null) {
          throw new IllegalArgumentException(
              "Expected every wait of a race once, but got '%s' twice".formatted(rival.name));
        }
      }
      return new Race(sketch.with("waits", waits));
    }
  }
}
