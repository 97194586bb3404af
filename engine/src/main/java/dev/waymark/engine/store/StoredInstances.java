package dev.waymark.engine.store;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.query.Period;
import dev.waymark.engine.query.StateCount;
import dev.waymark.engine.query.Suspended;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Questions of people: lists and histories. Lists never load variables. */
public interface StoredInstances {

  /**
   * The conditions of a list of instances.
   *
   * @param after the last id of the page before; pages go from the newest to the oldest
   * @param labels every one must match
   * @param suspended absent for suspended and other instances alike
   * @param begun when they began; absent for any time
   */
  record Filter(
      String tenant,
      @Nullable Integer status,
      @Nullable String definitionKey,
      @Nullable String businessKey,
      @Nullable String correlationId,
      Map<String, String> labels,
      @Nullable Suspended suspended,
      @Nullable Period begun,
      @Nullable InstanceId after,
      int limit) {}

  List<InstanceRow> list(Filter filter);

  /** One child of a parent, as a place in the order of its visits. */
  record ChildRef(long visit, InstanceId child) {}

  /**
   * The children of an instance in the order of the visits that asked for them.
   *
   * @param after the last one of the page before
   */
  List<InstanceRow> children(String tenant, InstanceId parent, @Nullable ChildRef after, int limit);

  /** Running and suspended instances of one version of a definition, by id. */
  List<InstanceId> live(String tenant, long definition, @Nullable InstanceId after, int limit);

  /** Running and suspended instances that began before a moment, the oldest first. */
  List<InstanceRow> begunBefore(
      String tenant, Instant moment, @Nullable InstanceId after, int limit);

  /** Those of these instances that have ended, or do not exist. */
  List<InstanceId> ended(List<InstanceId> instances);

  /** The running and suspended instances of a tenant, counted for each version that has any. */
  List<StateCount> count(String tenant);

  /** The number of instances of all tenants that are running or suspended, by version. */
  List<LiveCount> liveByDefinition();

  record LiveCount(long definition, long instances) {}

  /** A place in the history of an instance: at one entry of one step. */
  record EntryPlace(long version, int ordinal) {

    /** Before the first entry of a step. */
    public static EntryPlace before(long version) {
      return new EntryPlace(Math.max(1, version) - 1, Integer.MAX_VALUE);
    }

    public static EntryPlace of(HistoryRow entry) {
      return new EntryPlace(entry.version(), entry.ordinal());
    }
  }

  /** A page of entries behind a place, in order. It may end in the middle of a step. */
  Page<HistoryRow> history(InstanceId instance, EntryPlace after, int limit);

  /** The first page of the entries from a version on. */
  default List<HistoryRow> history(InstanceId instance, long fromVersion, int limit) {
    return history(instance, EntryPlace.before(fromVersion), limit).rows();
  }

  /** The newest version at or before the given one that carries a full copy, or 0. */
  long snapshotBefore(InstanceId instance, long version);
}
