package dev.waymark.engine.internal.time;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.time.Missed;
import dev.waymark.engine.schedule.Overlap;
import dev.waymark.engine.schedule.Schedule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of a schedule, and the decision on its next start: pure, so that every node decides
 * alike.
 *
 * <p>That an occurrence starts is written down before it does, and crossed out after. A start has a
 * name that derives from the occurrence, so a node that finds it not crossed out starts it again,
 * and that is the same start.
 *
 * @param next the next occurrence; absent while paused, or if there is none any more
 * @param buffered the start that waits for the runs before it to end
 * @param pending the occurrences that were decided to start and are not known to have started, in
 *     order
 */
public record ScheduleState(
    boolean paused,
    @Nullable Instant next,
    @Nullable Instant last,
    List<InstanceId> running,
    @Nullable PendingStart buffered,
    List<PendingStart> pending,
    long started,
    long skipped,
    @Nullable String error) {

  /**
   * One start, under the name that makes its repeat the same.
   *
   * @param spares whether it leaves other runs alone, whatever the overlap policy says
   */
  public record PendingStart(Instant occurrence, String command, boolean spares) {

    public PendingStart(Instant occurrence, String command) {
      this(occurrence, command, false);
    }
  }

  /**
   * A name of the engine's own, which no caller can give to a command. However long the parts are
   * it is short enough for a name.
   */
  static String ownName(String what, String... parts) {
    return "$" + what + ":" + Ids.fingerprint(parts);
  }

  public ScheduleState {
    running = List.copyOf(running);
    pending = List.copyOf(pending);
  }

  static ScheduleState fresh(Schedule schedule, Instant now) {
    return new ScheduleState(
        false, schedule.recurrence().next(now), null, List.of(), null, List.of(), 0, 0, null);
  }

  public static PendingStart pending(Schedule schedule, Instant occurrence) {
    return pending(schedule.name(), occurrence);
  }

  private static PendingStart pending(String schedule, Instant occurrence) {
    return new PendingStart(occurrence, ownName("schedule", schedule, occurrence.toString()));
  }

  // ---- what time does

  /**
   * The state after the occurrences that are due by now have become pending, as the policies say.
   */
  public ScheduleState advanced(Schedule schedule, Instant now, Set<InstanceId> live) {
    NextState draft = new NextState(this, schedule);
    draft.running.retainAll(live);
    if (draft.buffered != null && draft.isIdle()) {
      draft.start(draft.buffered);
      draft.buffered = null;
    }
    if (next != null && !next.isAfter(now)) {
      if (schedule.missed() == Missed.ALL) {
        for (int i = 0; i < Limits.OCCURRENCES_PER_LOOK && draft.isDueBy(now); i++) {
          Instant occurrence = Objects.requireNonNull(draft.next);
          draft.offer(pending(schedule, occurrence));
          draft.next = schedule.recurrence().next(occurrence);
        }
      } else {
        Instant occurrence = schedule.missed().noticed(schedule.recurrence(), next, now);
        if (occurrence != null) {
          draft.offer(pending(schedule, occurrence));
        }
        draft.next = schedule.recurrence().next(now);
      }
    }
    return draft.done();
  }

  // ---- what people do

  /** True if the start of this name waits for the runs before it to end. */
  boolean buffers(String command) {
    return buffered != null && buffered.command().equals(command);
  }

  /**
   * One more start, judged like an occurrence. Only for a start whose run is not there yet: its own
   * run would stand in its way.
   */
  ScheduleState triggered(Schedule schedule, PendingStart start, Set<InstanceId> live) {
    NextState draft = new NextState(this, schedule);
    draft.running.retainAll(live);
    draft.offer(start);
    return draft.done();
  }

  /**
   * Occurrences of a past period, for a backfill. All of them start: the caller has asked for each.
   */
  ScheduleState backfilled(Schedule schedule, List<Instant> occurrences) {
    NextState draft = new NextState(this, schedule);
    for (Instant occurrence : occurrences) {
      draft.pending.add(
          new PendingStart(occurrence, pending(schedule, occurrence).command(), true));
    }
    return draft.done();
  }

  /** An occurrence that waited for a run to end is not started either: it counts as skipped. */
  ScheduleState pausedNow() {
    return new ScheduleState(
        true,
        null,
        last,
        running,
        null,
        pending,
        started,
        buffered == null ? skipped : skipped + 1,
        error);
  }

  /**
   * The state after a pause. The occurrences that passed meanwhile were not missed: the pause was
   * wanted.
   */
  ScheduleState resumedAt(Schedule schedule, Instant now) {
    return new ScheduleState(
        false,
        schedule.recurrence().next(now),
        last,
        running,
        buffered,
        pending,
        started,
        skipped,
        error);
  }

  // ---- what starts do

  /**
   * Some of the pending are settled.
   *
   * @param begun the runs that came of them
   * @param anew how many of these were not there before
   * @param why why one did not succeed; absent if all did
   */
  ScheduleState settled(
      Schedule schedule,
      Collection<PendingStart> settled,
      List<InstanceId> begun,
      int anew,
      @Nullable String why) {
    List<PendingStart> left = new ArrayList<>(pending);
    left.removeAll(settled);
    List<InstanceId> alive = new ArrayList<>(running);
    begun.stream().filter(run -> !alive.contains(run)).forEach(alive::add);
    int most = schedule.overlap() == Overlap.ALLOW ? 1 : Limits.SCHEDULED_RUNS;
    return new ScheduleState(
        paused,
        next,
        last,
        alive.subList(Math.max(0, alive.size() - most), alive.size()),
        buffered,
        left,
        started + anew,
        skipped,
        settled.isEmpty() ? error : why);
  }

  /** The moment at which a worker must look at it again. */
  @Nullable Instant due(Instant now) {
    Instant look =
        !pending.isEmpty()
            ? now.plus(Limits.START_AGAIN)
            : buffered != null ? now.plus(Limits.LOOK_AGAIN) : null;
    if (look == null || next == null) {
      return look == null ? next : look;
    }
    return next.isBefore(look) ? next : look;
  }

  // ---- as a document

  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put("last", last == null ? null : last.toString());
    document.put("running", running.stream().map(InstanceId::toString).toList());
    // Two entries, so that a node of the release that knew only the time still reads it.
    document.put("buffered", buffered == null ? null : buffered.occurrence().toString());
    document.put("bufferedCommand", buffered == null ? null : buffered.command());
    document.put("pending", pending.stream().map(ScheduleState::toDocument).toList());
    document.put("started", started);
    document.put("skipped", skipped);
    document.put("error", error);
    return document;
  }

  private static Map<String, Object> toDocument(PendingStart start) {
    return Map.of(
        "at", start.occurrence().toString(), "command", start.command(), "spares", start.spares());
  }

  /**
   * The state that a document tells.
   *
   * @param schedule its name
   */
  public static ScheduleState of(
      String schedule,
      boolean paused,
      @Nullable Instant next,
      Map<String, @Nullable Object> document) {
    return new ScheduleState(
        paused,
        next,
        instant(document.get("last")),
        list(document.get("running")).stream()
            .map(id -> InstanceId.parse(String.valueOf(id)))
            .toList(),
        buffered(schedule, document),
        list(document.get("pending")).stream().map(ScheduleState::pending).toList(),
        document.get("started") instanceof Number n ? n.longValue() : 0,
        document.get("skipped") instanceof Number n ? n.longValue() : 0,
        document.get("error") instanceof String text ? text : null);
  }

  /** A row of an earlier release has no name for it: there only occurrences kept theirs. */
  private static @Nullable PendingStart buffered(
      String schedule, Map<String, @Nullable Object> document) {
    Instant occurrence = instant(document.get("buffered"));
    if (occurrence == null) {
      return null;
    }
    return document.get("bufferedCommand") instanceof String command
        ? new PendingStart(occurrence, command)
        : pending(schedule, occurrence);
  }

  private static PendingStart pending(@Nullable Object value) {
    Map<?, ?> map = (Map<?, ?>) Objects.requireNonNull(value);
    return new PendingStart(
        Instant.parse(String.valueOf(map.get("at"))),
        String.valueOf(map.get("command")),
        Boolean.TRUE.equals(map.get("spares")));
  }

  private static List<?> list(@Nullable Object value) {
    return value instanceof List<?> list ? list : List.of();
  }

  private static @Nullable Instant instant(@Nullable Object value) {
    return value == null ? null : Instant.parse(String.valueOf(value));
  }

  /** The next state while it is put together. */
  private static final class NextState {
    final ScheduleState before;
    final Overlap overlap;
    final List<InstanceId> running;
    final List<PendingStart> pending;
    @Nullable Instant next;
    @Nullable Instant last;
    @Nullable PendingStart buffered;
    long skipped;

    NextState(ScheduleState before, Schedule schedule) {
      this.before = before;
      this.overlap = schedule.overlap();
      this.running = new ArrayList<>(before.running);
      this.pending = new ArrayList<>(before.pending);
      this.next = before.next;
      this.last = before.last;
      this.buffered = before.buffered;
      this.skipped = before.skipped;
    }

    boolean isIdle() {
      return running.isEmpty() && pending.isEmpty();
    }

    boolean isDueBy(Instant now) {
      return next != null && !next.isAfter(now);
    }

    void offer(PendingStart start) {
      last = start.occurrence();
      boolean goes =
          switch (overlap) {
            case ALLOW, CANCEL_OTHER -> true;
            case SKIP, BUFFER_ONE -> isIdle();
          };
      if (goes) {
        start(start);
      } else if (overlap == Overlap.BUFFER_ONE && buffered == null) {
        buffered = start;
      } else {
        skipped++;
      }
    }

    void start(PendingStart start) {
      if (!pending.contains(start)) {
        pending.add(start);
      }
    }

    ScheduleState done() {
      return new ScheduleState(
          before.paused,
          next,
          last,
          running,
          buffered,
          pending,
          before.started,
          skipped,
          before.error);
    }
  }
}
