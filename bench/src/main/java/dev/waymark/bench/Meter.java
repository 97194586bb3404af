package dev.waymark.bench;

import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts durable steps, and what they cost, while a window is open. What happens outside of
 * windows, while clients warm up or come to their end, is not counted.
 */
final class Meter {

  private final Database database;
  private final Probe probe;
  private final LongAdder instances = new LongAdder();
  private final LongAdder steps = new LongAdder();
  private final Histogram waits = new Histogram();
  private final Histogram runs = new Histogram();
  private volatile boolean open;
  private Usage before = Usage.NONE;
  private Usage used = Usage.NONE;
  private Commits commitsBefore = Commits.NONE;
  private Commits commits = Commits.NONE;
  private long opened;
  private long nanos;

  Meter(Database database) {
    this.database = database;
    this.probe = new Probe(database.store());
  }

  /** Between what is measured and the database's store. */
  Probe probe() {
    return probe;
  }

  void open() {
    before = database.usage();
    commitsBefore = probe.commits();
    opened = System.nanoTime();
    open = true;
  }

  void close() {
    open = false;
    nanos += System.nanoTime() - opened;
    commits = commits.plus(probe.commits().since(commitsBefore));
    used = used.plus(database.usage().since(before));
  }

  /** A step became durable; it took so long since whatever asked for it. */
  void step(long took) {
    if (open) {
      steps.increment();
      waits.add(took);
    }
  }

  /** So many steps became durable together, and took so long from the first to the last. */
  void steps(long count, long took) {
    if (open) {
      steps.add(count);
      waits.add(took);
    }
  }

  /** A whole run ended; it took so long since its client asked for its start. */
  void instance(long took) {
    if (open) {
      instances.increment();
      runs.add(took);
    }
  }

  Commits commits() {
    return commits;
  }

  long steps() {
    return steps.sum();
  }

  double stepsPerSecond() {
    return steps.sum() / (nanos / 1e9);
  }

  double instancesPerSecond() {
    return instances.sum() / (nanos / 1e9);
  }

  double diskPerStep() {
    return used.disk() / (double) steps.sum();
  }

  @Nullable Double logPerStep() {
    return used.log() == null ? null : Double.valueOf(used.log() / (double) steps.sum());
  }

  @Nullable Double logPerRun() {
    return used.log() == null ? null : Double.valueOf(used.log() / (double) instances.sum());
  }

  /** Microseconds of processor time, of this process alone. */
  double cpuPerStep() {
    return used.cpu() / 1e3 / steps.sum();
  }

  /** The same, of the database's processes. */
  @Nullable Double serverCpuPerStep() {
    return used.serverCpu() == null ? null : Double.valueOf(used.serverCpu() / 1e3 / steps.sum());
  }

  long instances() {
    return instances.sum();
  }

  double millisAt(double part) {
    return waits.millisAt(part);
  }

  /** The time that this part of all runs did not exceed, from start to end. */
  double runMillisAt(double part) {
    return runs.millisAt(part);
  }
}
