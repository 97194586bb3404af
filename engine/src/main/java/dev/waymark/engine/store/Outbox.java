package dev.waymark.engine.store;

import dev.waymark.core.Json;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Events on their way to sinks. A lane is leased, not a row: its holder reads in order, delivers,
 * and deletes the delivered events.
 */
public interface Outbox {

  int LANES = 64;

  /** The lane of an instance's events. All of a bucket are in one lane. */
  static int laneOf(InstanceId instance) {
    return instance.bucket() % LANES;
  }

  /**
   * Extends the lanes that the node holds and takes free or lapsed ones, up to this number in all.
   *
   * @return the lanes it holds now, each with its fence
   */
  List<Lane> lease(NodeId node, int most, Duration lease);

  record Lane(int lane, long fence) {}

  /** Says under which names a node listens; it counts among the listeners from now on. */
  void listens(NodeId node, List<String> sinks);

  /** The nodes that listen, and those that did and are gone, until nothing is known of them. */
  List<Listening> listeners();

  /**
   * A node that listens to events.
   *
   * @param validUntil until when it is, or was, alive
   */
  record Listening(NodeId node, boolean alive, Instant validUntil, List<String> sinks) {

    public Listening {
      sinks = List.copyOf(sinks);
    }

    /**
     * A node as it is stored.
     *
     * @param stored its sinks as a JSON list; a text that is none says that it listens to nothing
     */
    public static Listening of(NodeId node, boolean alive, Instant validUntil, String stored) {
      List<String> names = new ArrayList<>();
      try {
        if (Json.read(stored) instanceof List<?> list) {
          list.forEach(name -> names.add(String.valueOf(name)));
        }
      } catch (IllegalArgumentException e) {
        names.clear();
      }
      return new Listening(node, alive, validUntil, names);
    }
  }

  /** Gives lanes back, so that another node can have them at once. */
  void release(NodeId node);

  /** The events of one lane for one sink; they are delivered one after another. */
  record Stream(int lane, String sink) {}

  /** The next pending events of a selection, in order within each stream, parked ones left out. */
  List<Pending> next(Selection of, int limit);

  /** Parked events of a selection whose time has come again, in order within an instance. */
  List<Pending> due(Selection of, int limit);

  /**
   * The events that a reader asks for.
   *
   * @param lanes the lanes that it holds
   * @param sinks the sinks that its process listens to; events of other sinks stay where they are,
   *     for a node that listens to them
   * @param without streams of these lanes that are left out, because a listener is still busy with
   *     one of their events
   */
  record Selection(List<Lane> lanes, List<String> sinks, Set<Stream> without) {

    public Selection {
      lanes = List.copyOf(lanes);
      sinks = List.copyOf(sinks);
      without = Set.copyOf(without);
    }

    public static Selection of(List<Lane> lanes, List<String> sinks) {
      return new Selection(lanes, sinks, Set.of());
    }

    /** The sinks that are asked for in one lane. */
    public List<String> sinksOf(Lane lane) {
      return without.isEmpty()
          ? sinks
          : sinks.stream()
              .filter(sink -> !without.contains(new Stream(lane.lane(), sink)))
              .toList();
    }
  }

  /** The time at which the next parked event of any lane is due. */
  @Nullable Instant nextDue();

  record Pending(
      int lane,
      long id,
      String sink,
      String eventId,
      InstanceId instance,
      long version,
      int ordinal,
      String type,
      String data,
      int attempts) {

    public Stream stream() {
      return new Stream(lane, sink);
    }
  }

  /**
   * Deletes delivered events, if the node still holds the lane.
   *
   * @return how many; fewer than were given if another node has a lane by now
   */
  int delivered(NodeId node, List<Pending> events);

  /**
   * Puts an event and everything behind it of the same instance and sink aside until {@code due};
   * the lane goes on. Counts an attempt on the event itself. Without a due time the event is dead.
   *
   * @param error what went wrong, as documents are stored
   */
  void park(NodeId node, Pending event, @Nullable Instant due, String error);

  /** The numbers of events that are pending, parked and dead. */
  Backlog backlog();

  record Backlog(long pending, long parked, long dead) {}
}
