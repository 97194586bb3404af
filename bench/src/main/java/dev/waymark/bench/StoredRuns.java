package dev.waymark.bench;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs that only stand in the database: copies of some that the engine wrote, committed without it
 * and many at a time, so that a million takes a minute.
 */
final class StoredRuns {

  private final Store store;
  private final NodeId node;
  private final List<Template> samples;
  private final IdSource ids = IdSource.timeOrdered(InstantSource.system());

  /**
   * @param node what the rows name as their node; it must be alive
   * @param samples copied in turns, all of the same number of steps
   */
  StoredRuns(Store store, NodeId node, List<Template> samples) {
    this.store = store;
    this.node = node;
    this.samples = samples.stream().map(sample -> sample.on(node)).toList();
  }

  /** Stores so many. */
  void fill(int count) {
    int batch = store.capacity().unitsPerBatch();
    for (int done = 0; done < count; done += batch) {
      List<InstanceId> runs = new ArrayList<>();
      for (int i = 0; i < Math.min(batch, count - done); i++) {
        runs.add(new InstanceId(ids.next()));
      }
      for (int step = 0; step < samples.get(0).size(); step++) {
        commit(runs, step);
      }
    }
  }

  private void commit(List<InstanceId> runs, int step) {
    List<UnitRows> units = new ArrayList<>(runs.size());
    for (int i = 0; i < runs.size(); i++) {
      units.add(samples.get(i % samples.size()).unit(step, runs.get(i)));
    }
    var unused = store.commit(node, units);
  }
}
