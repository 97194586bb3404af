package dev.waymark.bench;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * Bytes of write-ahead log that some runs have cost.
 *
 * @param bytes absent where the database does not count them
 * @param stepsOfRun durable steps of each run
 */
record LogBytes(@Nullable Long bytes, long runs, int stepsOfRun) {

  static LogBytes between(Usage before, Usage after, long runs, int stepsOfRun) {
    return new LogBytes(after.since(before).log(), runs, stepsOfRun);
  }

  @Nullable Double perRun() {
    return bytes == null ? null : Double.valueOf(bytes / (double) runs);
  }

  @Nullable Double perStep() {
    Double perRun = perRun();
    return perRun == null ? null : Double.valueOf(perRun / stepsOfRun);
  }

  void print(PrintStream out) {
    Double perRun = perRun();
    if (perRun != null) {
      out.printf("  %-36s%,10.0f bytes%n", "WAL per run", perRun);
      out.printf("  %-36s%,10.0f bytes%n", "WAL per step", perStep());
    }
  }

  Figures addTo(Figures figures) {
    return figures.put("wal_bytes_per_run", perRun()).put("wal_bytes_per_step", perStep());
  }
}
