package dev.waymark.bench;

/**
 * What a database has read of the engine's tables, since the beginning or in between.
 *
 * @param rows of tables
 * @param entries of indexes
 */
record Reads(long rows, long entries) {

  Reads since(Reads before) {
    return new Reads(rows - before.rows, entries - before.entries);
  }
}
