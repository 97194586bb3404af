package dev.waymark.engine.store;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
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

  /**
   * A time from one moment to before another.
   *
   * @param from absent for since ever
   * @param to absent for open
   */
  record Period(@Nullable Instant from, @Nullable Instant to) {

    public Period {
      if (from != null && to != null && !from.isBefore(to)) {
        throw new IllegalArgumentException(
            "Expected a period that ends after it begins, but got %s to %s".formatted(from, to));
      }
    }
  }

  /**
   * The conditions on suspended instances.
   *
   * @param parked true for those with an open intervention, which an operator may hold as well;
   *     false for those that are only held
   * @param activity where an intervention is open; absent for anywhere
   * @param error the code of the error that an intervention is about; absent for any
   */
  record Suspended(boolean parked, @Nullable String activity, @Nullable String error) {

    public Suspended {
      if (!parked && (activity != null || error != null)) {
        throw new IllegalArgumentException(
            "Expected an activity or an error of what is parked, but what is held has neither");
      }
      Limits.optionalName("an activity", activity);
      Limits.optionalName("an error code", error);
    }

    /** The mark that interventions about the error have among the candidates of waits. */
    public @Nullable String mark() {
      return error == null ? null : markOf(error);
    }

    public static String markOf(String error) {
      return "error:" + error;
    }
  }

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

  /** The running and suspended instances of a tenant, counted for each version that has any. */
  List<StateCount> count(String tenant);

  /**
   * Live instances of one version.
   *
   * @param parked suspended, with an open intervention; an operator may hold some of them as well
   * @param held suspended by an operator, and nothing in them is parked
   */
  record StateCount(String definition, int version, long running, long parked, long held) {}

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
