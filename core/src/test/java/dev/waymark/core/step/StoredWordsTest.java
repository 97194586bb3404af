package dev.waymark.core.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.approval.Outcome;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Message;
import dev.waymark.core.instance.Status;
import dev.waymark.core.time.Missed;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The words and numbers that databases hold. One that changes here makes stored data unreadable, or
 * lets a repeated command be carried out twice: add words, and leave those that are there.
 */
class StoredWordsTest {

  private static final BookmarkId BOOKMARK = new BookmarkId(Play.ID, 1);
  private static final Fault FAULT = Fault.permanent("CODE", "it broke");

  /** A command of each record, with its word. */
  private static Map<Command, String> commands() {
    Play play = Play.of("w", "  w: { type: wait }\n");
    Definition definition = play.definition;
    Command.Meta meta = play.meta();
    Message message =
        new Message(
            new Message.Key("default", "test", "1"), Play.ID, "paid", Map.of(), "test", play.now);
    Command.Fire fire = new Command.Fire(meta, BOOKMARK);
    return Map.ofEntries(
        Map.entry(new Command.Start(meta, Play.ID, Map.of(), null, null, Map.of()), "start"),
        Map.entry(new Command.Resume(meta, BOOKMARK, null, Map.of()), "resume"),
        Map.entry(new Command.Attend(meta, BOOKMARK, new TaskAction.Return()), "attend"),
        Map.entry(fire, "fire"),
        Map.entry(new Command.Deliver(meta, message), "deliver"),
        Map.entry(new Command.Park(meta, fire, FAULT), "park"),
        Map.entry(new Command.Cancel(meta, "enough", false), "cancel"),
        Map.entry(new Command.Suspend(meta, "wait"), "suspend"),
        Map.entry(new Command.Continue(meta, "go on"), "continue"),
        Map.entry(
            new Command.Intervene(
                meta, BOOKMARK, InterventionAction.RETRY_ACTIVITY, Map.of(), "again"),
            "intervene"),
        Map.entry(
            new Command.Edit(meta, new Correction.RestartFrom("w"), "from the start"), "edit"),
        Map.entry(
            new Command.Migrate(meta, definition, definition, MigrationPlan.PLAIN), "migrate"),
        Map.entry(new Attempt.Take(meta, 1), "take"),
        Map.entry(
            new Attempt.Complete(meta, 1, 1, Map.of(), Effects.NONE, Duration.ZERO), "complete"),
        Map.entry(
            new Attempt.Await(
                meta,
                1,
                1,
                List.of(new Wait(BookmarkKind.EXTERNAL_MESSAGE, "paid", Map.of(), null)),
                Map.of(),
                Effects.NONE,
                Duration.ZERO),
            "await"),
        Map.entry(new Attempt.Fail(meta, 1, 1, FAULT, Duration.ZERO), "fail"),
        Map.entry(new Attempt.Release(meta, 1, 1, null), "release"),
        Map.entry(new Attempt.Recover(meta, 1, 1, true), "recover"));
  }

  /** An act of each record, with its word. */
  private static final Map<TaskAction, String> ACTS =
      Map.of(
          new TaskAction.Assign("anna", false), "assign",
          new TaskAction.Return(), "return",
          new TaskAction.Delegate("bert", null, null), "delegate",
          new TaskAction.Resolve("done"), "resolve",
          new TaskAction.Reschedule(Instant.EPOCH, "later"), "reschedule",
          new TaskAction.HandOver("anna", "bert", "on holiday"), "handover",
          new TaskAction.Comment("well"), "comment",
          new TaskAction.Attach("offer", "file:offer.pdf", 1), "attach");

  /** A correction of each record, with its word. */
  private static final Map<Correction, String> CORRECTIONS =
      Map.of(
          new Correction.SetVariables(Map.of(), List.of()), "set-variables",
          new Correction.MoveToken(1, "w"), "move-token",
          new Correction.FireTimer(BOOKMARK), "fire-timer",
          new Correction.RescheduleTimer(BOOKMARK, Instant.EPOCH), "reschedule-timer",
          new Correction.RestartFrom("w"), "restart-from");

  @Test
  void every_command_has_the_word_under_which_its_id_is_remembered() {
    commands().forEach((command, word) -> assertThat(command.word()).isEqualTo(word));
    assertThat(commands().keySet().stream().map(Object::getClass))
        .as("a new command needs an entry here")
        .hasSameElementsAs(records(Command.class).toList());
  }

  @Test
  void every_act_has_the_word_that_history_keeps() {
    ACTS.forEach((act, word) -> assertThat(act.word()).isEqualTo(word));
    assertThat(ACTS.keySet().stream().map(Object::getClass))
        .as("a new act needs an entry here")
        .hasSameElementsAs(records(TaskAction.class).toList());
  }

  @Test
  void every_correction_has_the_word_that_history_keeps() {
    CORRECTIONS.forEach((correction, word) -> assertThat(correction.word()).isEqualTo(word));
    assertThat(CORRECTIONS.keySet().stream().map(Object::getClass))
        .as("a new correction needs an entry here")
        .hasSameElementsAs(records(Correction.class).toList());
  }

  /** The records of a sealed type, also those of the sealed types inside it. */
  private static Stream<Class<?>> records(Class<?> type) {
    return type.isSealed()
        ? Arrays.stream(type.getPermittedSubclasses()).flatMap(StoredWordsTest::records)
        : Stream.of(type);
  }

  // Rows hold the positions of these, histories and snapshots their names.
  @Test
  void enums_of_hot_rows_keep_their_order_and_their_names() {
    assertThat(names(Status.class))
        .containsExactly("RUNNING", "SUSPENDED", "COMPLETED", "FAILED", "CANCELLED");
    assertThat(names(ActivityInstance.State.class))
        .containsExactly("READY", "RUNNING", "WAITING", "PARKED", "KEPT");
    assertThat(names(BookmarkKind.class))
        .containsExactly(
            "USER_ACTION", "TIMER", "EXTERNAL_MESSAGE", "MANUAL_INTERVENTION", "APPROVAL");
    assertThat(names(Bookmark.End.class)).containsExactly("CONSUMED", "WITHDRAWN", "EXPIRED");
    assertThat(names(HistoryEntry.Type.class))
        .containsExactly(
            "INSTANCE_STARTED",
            "INSTANCE_COMPLETED",
            "INSTANCE_FAILED",
            "INSTANCE_CANCELLED",
            "INSTANCE_SUSPENDED",
            "INSTANCE_CONTINUED",
            "ACTIVITY_STARTED",
            "ACTIVITY_COMPLETED",
            "ACTIVITY_WAITING",
            "ACTIVITY_FAULTED",
            "ACTIVITY_RETRY_SCHEDULED",
            "ACTIVITY_PARKED",
            "ACTIVITY_CANCELLED",
            "ACTIVITY_RELEASED",
            "ACTIVITY_RECOVERED",
            "BOOKMARK_CONSUMED",
            "MESSAGE_RECEIVED",
            "INTERVENTION_RESOLVED",
            "EVENT_EMITTED",
            "ACTIVITY_REACTED",
            "COMPENSATION_STARTED",
            "COMPENSATION_COMPLETED",
            "CHILD_STARTED",
            "MESSAGE_SENT",
            "SIGNAL_SENT",
            "INSTANCE_MIGRATED",
            "INSTANCE_EDITED",
            "VOTE_CAST",
            "TASK_CHANGED",
            "WAIT_ESCALATED",
            "WAIT_REMINDED",
            "WAIT_EXPIRED",
            "WAIT_REPORTED",
            "ACTIVITY_HELD",
            "WAIT_HELD");
  }

  @Test
  void enums_of_documents_keep_their_names() {
    assertThat(names(Fault.Type.class)).contains("STARTUP", "ACTIVITY", "EXTERNAL_CALL", "RESUME");
    assertThat(names(InterventionAction.class))
        .contains("RETRY_ACTIVITY", "SKIP_ACTIVITY", "MODIFY_VARIABLES", "CANCEL_WORKFLOW");
    assertThat(names(TimerPurpose.class))
        .contains("ESCALATE", "REMIND", "COMPLETE", "SUBSTITUTE", "ASSIGN");
    assertThat(names(Reaction.On.class)).contains("ERROR", "TIMEOUT", "MESSAGE", "SIGNAL");
    assertThat(names(Outcome.class)).contains("APPROVED", "REJECTED", "CHANGES_REQUESTED");
    assertThat(names(Missed.class)).contains("SKIP", "ONCE", "ALL");
  }

  private static Stream<String> names(Class<? extends Enum<?>> type) {
    return Arrays.stream(type.getEnumConstants()).map(Enum::name);
  }
}
