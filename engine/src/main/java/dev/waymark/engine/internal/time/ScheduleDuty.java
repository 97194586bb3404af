package dev.waymark.engine.internal.time;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.step.CommandPage;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.internal.time.ScheduleRows.KnownSchedule;
import dev.waymark.engine.spi.CrashPoints.Point;
import dev.waymark.engine.store.StoredSchedules;
import dev.waymark.engine.store.StoredSchedules.ScheduleRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handles due schedules: decides which occurrences start, writes that down, starts them, and
 * crosses them out. Pages go through the store as lists.
 */
public final class ScheduleDuty implements DueWorker.Duty {

  private static final Logger log = LoggerFactory.getLogger(ScheduleDuty.class);
  private static final int PAGE = 200;

  private final ThisNode node;
  private final StoreCalls calls;
  private final UnreadableRows unreadable;
  private final ScheduleRows rows;
  private final ScheduleStarts starts;

  public ScheduleDuty(
      ThisNode node,
      StoreCalls calls,
      UnreadableRows unreadable,
      ScheduleRows rows,
      ScheduleStarts starts) {
    this.node = node;
    this.calls = calls;
    this.unreadable = unreadable;
    this.rows = rows;
    this.starts = starts;
  }

  @Override
  public boolean sweep(CommandPage page) {
    StoredSchedules store = node.store().schedules();
    List<ScheduleRow> found =
        store.due(PAGE + unreadable.aside(RowKind.SCHEDULE)).stream()
            .filter(row -> unreadable.admits(RowKind.SCHEDULE, row))
            .toList();
    if (found.isEmpty()) {
      return false;
    }
    List<KnownSchedule> due = unreadable.read(RowKind.SCHEDULE, found, rows::read);
    Set<InstanceId> live = live(store, due);
    Instant now = node.now();
    List<ScheduleRow> decided = new ArrayList<>();
    for (KnownSchedule known : due) {
      ScheduleRow moved =
          unreadable.readOne(
              RowKind.SCHEDULE,
              known.row(),
              row -> rows.moved(known, known.state().advanced(known.schedule(), now, live), now));
      if (moved != null) {
        decided.add(moved);
      }
    }
    List<Boolean> accepted = store.replace(decided);
    node.crash().at(Point.H1_OCCURRENCES_DECIDED);
    List<KnownSchedule> mine = new ArrayList<>();
    for (int i = 0; i < decided.size(); i++) {
      KnownSchedule known = accepted.get(i) ? rows.accepted(decided.get(i)) : null;
      if (known != null && !known.state().pending().isEmpty()) {
        mine.add(known);
      }
    }
    start(mine, page);
    return true;
  }

  static Set<InstanceId> live(StoredSchedules store, List<KnownSchedule> due) {
    List<InstanceId> asked =
        due.stream().flatMap(known -> known.state().running().stream()).distinct().toList();
    return asked.isEmpty() ? Set.of() : new HashSet<>(store.live(asked));
  }

  private void start(List<KnownSchedule> mine, CommandPage page) {
    if (mine.isEmpty()) {
      page.end();
      return;
    }
    List<ScheduleStarts.StartsResult> results = new ArrayList<>();
    AtomicInteger open = new AtomicInteger(mine.size());
    Runnable ended =
        () -> {
          if (open.decrementAndGet() == 0) {
            crossOut(results, page);
          }
        };
    for (KnownSchedule known : mine) {
      try {
        starts.run(
            known,
            result -> {
              synchronized (results) {
                results.add(result);
              }
              ended.run();
            });
      } catch (RuntimeException | Error e) {
        unreadable.put(RowKind.SCHEDULE, known.row(), e);
        ended.run();
      }
    }
  }

  /**
   * Crosses out the starts that are settled. A change of a schedule meanwhile has settled its
   * starts itself.
   */
  private void crossOut(List<ScheduleStarts.StartsResult> results, CommandPage page) {
    node.crash().at(Point.H2_OCCURRENCES_STARTED);
    Instant now = node.now();
    List<ScheduleRow> settled = new ArrayList<>();
    for (ScheduleStarts.StartsResult result : results) {
      ScheduleRow moved =
          unreadable.readOne(
              RowKind.SCHEDULE,
              result.known.row(),
              row -> rows.moved(result.known, result.state(), now));
      if (moved != null) {
        settled.add(moved);
      }
    }
    // Tried again until another node starts them once more: that one could not tell that they were
    // not there before, and would not count them.
    var unused =
        calls
            .submit(
                now.plus(Limits.START_AGAIN), again -> node.store().schedules().replace(settled))
            .whenComplete(
                (crossed, fault) -> {
                  if (fault != null) {
                    log.warn("Could not cross out what schedules have started", fault);
                  }
                  page.end();
                });
  }

  @Override
  public @Nullable Instant next() {
    return node.store().schedules().nextDue();
  }
}
