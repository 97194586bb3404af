package dev.waymark.engine.flow;

import java.time.Duration;
import java.time.Instant;

/** Waits for a moment, and is never early. */
public final class Timer extends Onward<Timer> {

  Timer(Sketch sketch) {
    super(sketch);
  }

  @Override
  Timer changed(Sketch changed) {
    return new Timer(changed);
  }

  /** Its id; the next verb gives the time that it waits. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Timer after(Duration duration) {
      return new Timer(sketch.with("after", duration));
    }

    public Timer after(Expr duration) {
      return new Timer(sketch.with("after", duration));
    }

    /** Working time from now. */
    public Timer after(Working time) {
      return new Timer(sketch.with("after", time.fields));
    }

    /**
     * The next occurrence of a cron expression, each time that the run comes to it: minute, hour,
     * day, month, day of week.
     */
    public CronTimer cron(String expression) {
      return new CronTimer(sketch.with("cron", expression));
    }

    public CronTimer cron(Expr expression) {
      return new CronTimer(sketch.with("cron", expression));
    }

    public Timer until(Instant moment) {
      return new Timer(sketch.with("until", moment));
    }

    public Timer until(Expr moment) {
      return new Timer(sketch.with("until", moment));
    }
  }
}
