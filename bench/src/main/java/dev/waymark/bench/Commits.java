package dev.waymark.bench;

/**
 * Calls of the store's commit, since the beginning or in between.
 *
 * @param nanos the time spent in them, all together
 */
record Commits(long batches, long units, long nanos) {

  static final Commits NONE = new Commits(0, 0, 0);

  Commits since(Commits before) {
    return new Commits(batches - before.batches, units - before.units, nanos - before.nanos);
  }

  Commits plus(Commits more) {
    return new Commits(batches + more.batches, units + more.units, nanos + more.nanos);
  }

  double meanUnits() {
    return units / (double) batches;
  }

  double meanMillis() {
    return nanos / 1e6 / batches;
  }
}
