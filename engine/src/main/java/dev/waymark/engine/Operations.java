package dev.waymark.engine;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.bookmark.TimerHealth;
import dev.waymark.engine.query.OpenTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The verbs of operators: runs are held, cancelled, corrected, migrated and let go again. */
public interface Operations {

  /** The effect that a migration would have on every live run of a version; nothing is changed. */
  MigrationReport checkMigration(MigrationRequest request, Caller caller);

  /**
   * Moves the live runs of a version to another one; asked for again, it moves the rest. A time
   * limit of the caller counts for all of them together.
   */
  MigrationReport migrate(MigrationRequest request, Caller caller);

  /** The same, telling after every page how far it is. */
  MigrationReport migrate(
      MigrationRequest request, Caller caller, Consumer<MigrationReport> progress);

  /**
   * Stored rows of any tenant that this process could not read or act on, the one seen longest ago
   * first. They are left as they are, nothing else waits for them, and a row that can be read again
   * is no longer among them. Empty if all is well.
   */
  List<UnreadableRow> unreadable();

  Answer cancel(InstanceId instance, String reason, Caller caller);

  /** Undoes the completed activities of the instance, as its definition says, and then ends it. */
  Answer cancelAndCompensate(InstanceId instance, String reason, Caller caller);

  /** Puts a run right by hand: its variables, or where it stands. */
  Answer edit(InstanceId instance, Correction correction, String reason, Caller caller);

  /** Lets an open timer fire now, as its due time would. */
  Answer fireTimer(BookmarkId timer, String reason, Caller caller);

  /** Gives an open timer another due time. Its purpose stays the same. */
  Answer rescheduleTimer(BookmarkId timer, Instant due, String reason, Caller caller);

  /**
   * Open timers that are due within this time, the earliest due time first. Overdue timers are
   * among them: they cause a warning only, and fire as soon as a node gets to them.
   */
  List<OpenTimer> timersDueWithin(Duration time, int limit, Caller caller);

  /**
   * The health of timers, of all tenants, which is good if they fire when they are due; the same
   * that is warned of in the log.
   */
  TimerHealth timerHealth();

  /** Holds an instance: what runs is let finish, nothing new starts. */
  Answer suspend(InstanceId instance, String reason, Caller caller);

  /** Lets a held instance go on. */
  Answer continueInstance(InstanceId instance, String reason, Caller caller);

  /** Resolves an intervention: the operator's decision on a parked visit. */
  Answer intervene(BookmarkId bookmark, InterventionAction action, String reason, Caller caller);

  /** The same with values: the result of a skipped activity, or variables to set before a retry. */
  Answer intervene(
      BookmarkId bookmark,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller);

  /** The same for the holder of a claim, with its fence. */
  Answer intervene(
      BookmarkId bookmark,
      long fence,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller);
}
