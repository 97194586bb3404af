package dev.waymark.engine.flow;

import dev.waymark.core.time.Missed;
import java.time.ZoneId;

/**
 * Waits for the next occurrence of a cron expression, each time that the run comes to it. Its
 * output is {@code occurrence}, {@code scheduled} and {@code exhausted}.
 */
public final class CronTimer extends Onward<CronTimer> {

  CronTimer(Sketch sketch) {
    super(sketch);
  }

  @Override
  CronTimer changed(Sketch changed) {
    return new CronTimer(changed);
  }

  /** The time zone whose wall clock it follows; without it, UTC. */
  public CronTimer zone(ZoneId zone) {
    return new CronTimer(sketch.with("zone", zone.getId()));
  }

  public CronTimer zone(Expr zone) {
    return new CronTimer(sketch.with("zone", zone));
  }

  /** After this number of occurrences it completes at once, as exhausted. */
  public CronTimer occurrences(int atMost) {
    return new CronTimer(sketch.with("occurrences", atMost));
  }

  /** The policy for occurrences that passed unnoticed; without it, they are skipped. */
  public CronTimer missed(Missed policy) {
    return new CronTimer(sketch.with("missed", policy.word()));
  }
}
