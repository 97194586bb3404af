package dev.waymark.postgres.internal.commit;

import static dev.waymark.postgres.internal.commit.CommitPart.AMENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.BEGUN;
import static dev.waymark.postgres.internal.commit.CommitPart.BOOKMARKS;
import static dev.waymark.postgres.internal.commit.CommitPart.CHANGED;
import static dev.waymark.postgres.internal.commit.CommitPart.CHILDREN;
import static dev.waymark.postgres.internal.commit.CommitPart.COMMANDS;
import static dev.waymark.postgres.internal.commit.CommitPart.DISMISSED;
import static dev.waymark.postgres.internal.commit.CommitPart.ENDED;
import static dev.waymark.postgres.internal.commit.CommitPart.EVENTS;
import static dev.waymark.postgres.internal.commit.CommitPart.KEYS;
import static dev.waymark.postgres.internal.commit.CommitPart.LABELS;
import static dev.waymark.postgres.internal.commit.CommitPart.MESSAGES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.NAMED;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static java.util.stream.Collectors.joining;

import dev.waymark.postgres.internal.sql.HotStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The text of a commit, put together from named parts by what a batch contains.
 *
 * <p>Its rules, each bought by an experiment:
 *
 * <ol>
 *   <li>Gates come first and write nothing. They lock instances, then bookmarks, then messages,
 *       each sorted by key; {@code ok} holds the units that passed all of theirs; every write joins
 *       it.
 *   <li>{@code on conflict} is never a gate: two of them leave half a unit. What is unique across
 *       instances is filtered against committed rows, and in the rare true race the index raises.
 *   <li>A fence or a state is never read unlocked, except to tell why a unit was stopped.
 *   <li>The statement counts what it changed and divides by zero if a row is missing.
 * </ol>
 */
final class CommitStatement {

  /**
   * Says if a unit waits for a row that another transaction has locked, and if a node commits it.
   */
  enum Form {
    /** For batches: passes over locked rows. */
    SKIPPING,
    /** For one unit in the caller's transaction: waits for its rows. */
    WAITING,
    /** The same, where the caller's process is not a node. */
    WAITING_WITHOUT_NODE
  }

  private final Form form;
  private final CommitShape shape;
  private final Set<CommitPart> parts;
  private final List<String> with = new ArrayList<>();

  private CommitStatement(Form form, CommitShape shape) {
    this.form = form;
    this.shape = shape;
    this.parts = shape.parts();
  }

  /** The statements of a busy committer: a batch in each shape. */
  static List<HotStatement> hot() {
    return Stream.of(CommitShape.values())
        .map(
            shape ->
                new HotStatement(
                    "commit " + shape,
                    text(Form.SKIPPING, shape),
                    CommitInputs.types(shape.inputs())))
        .toList();
  }

  static String text(Form form, CommitShape shape) {
    return new CommitStatement(form, shape).text();
  }

  private String text() {
    if (shape == CommitShape.ANSWER) {
      with.addAll(AnswerStatement.parts(asksNode()));
    } else {
      inputs();
      gates();
      writes();
    }
    String text = "with\n" + String.join(",\n", with) + "\n" + answer();
    return form == Form.SKIPPING ? text : text.replace(" skip locked", "");
  }

  private boolean asksNode() {
    return form != Form.WAITING_WITHOUT_NODE;
  }

  private void inputs() {
    with.add(CommitInputs.UNIT.as("unit as"));
    when(STARTS, CommitInputs.START.as("start as"));
    when(CHILDREN, CommitInputs.CHILD.as("child as"));
    when(SPENDS, CommitInputs.SPEND.as("spend as"));
    when(RECEIPTS, CommitInputs.RECEIPT.as("receipt as"));
    when(ENDED, CommitInputs.ENDED.as("ended as"));
    when(CHANGED, CommitInputs.CHANGED.as("changed as"));
    when(BEGUN, CommitInputs.BEGUN.as("begun as"));
    when(BOOKMARKS, CommitInputs.BOOKMARK.as("bookmark as"));
    when(AMENDS, CommitInputs.AMEND.as("amend as"));
    when(NAMED, CommitInputs.NAMED.as("named as"));
    when(DISMISSED, CommitInputs.DISMISSED.as("dismissed as"));
    when(LABELS, CommitInputs.LABELLED.as("labelled as"));
    when(LABELS, CommitInputs.LABEL.as("label as materialized"));
    with.add(CommitInputs.ENTRY.as("entry as"));
    when(EVENTS, CommitInputs.EVENT.as("event as"));
    when(MESSAGES, CommitInputs.MESSAGE.as("message as"));
    when(COMMANDS, CommitInputs.COMMAND.as("command as materialized"));
    when(KEYS, CommitInputs.TAKEN.as("taken as materialized"));
    when(KEYS, CommitInputs.FREED.as("freed as"));
  }

  private void gates() {
    when(MOVES, CommitGates.CURRENT);
    when(STARTS, CommitGates.ABSENT);
    when(COMMANDS, CommitGates.KNOWN);
    when(KEYS, CommitGates.OCCUPIED);
    with.add(admitted());
    when(SPENDS, CommitGates.LOCKED_BOOKMARK);
    when(RECEIPTS, CommitGates.LOCKED_MESSAGE);
    with.add(ok());
  }

  private void writes() {
    when(
        STARTS,
        parts.contains(CHILDREN)
            ? CommitWrites.INSTANCE_OR_CHILD_STARTED
            : CommitWrites.INSTANCE_STARTED);
    when(MOVES, CommitWrites.INSTANCE_MOVED);
    when(SPENDS, CommitWrites.BOOKMARK_CLOSED);
    when(RECEIPTS, CommitWrites.MESSAGE_SPENT);
    when(ENDED, CommitWrites.ACTIVITY_ENDED);
    when(CHANGED, CommitWrites.ACTIVITY_CHANGED);
    when(BEGUN, CommitWrites.ACTIVITY_BEGUN);
    when(BOOKMARKS, CommitWrites.BOOKMARK_CREATED);
    when(AMENDS, CommitWrites.BOOKMARK_AMENDED);
    when(DISMISSED, CommitWrites.CANDIDATES_DISMISSED);
    when(NAMED, CommitWrites.CANDIDATES_NAMED);
    when(LABELS, CommitWrites.LABELS_REPLACED);
    with.add(CommitWrites.HISTORY);
    when(EVENTS, CommitWrites.EVENTS);
    when(MESSAGES, CommitWrites.MESSAGES_SENT);
    when(COMMANDS, CommitWrites.COMMANDS);
    when(KEYS, CommitWrites.KEYS);
  }

  private void when(CommitPart part, String text) {
    if (parts.contains(part)) {
      with.add(text);
    }
  }

  /** Units that stand where they must, and take nothing that is taken. */
  private String admitted() {
    String standing =
        each(
            "select * from current",
            MOVES,
            "select * from absent",
            STARTS,
            "\n      union all\n      ");
    String conditions =
        all(
            parts.contains(COMMANDS) ? "n not in (select n from known)" : "",
            parts.contains(KEYS) ? "n not in (select n from occupied)" : "");
    return "admitted as (\n  select *\n    from (\n      "
        + standing
        + "\n    ) standing"
        + conditions
        + "\n)";
  }

  /** Units that passed every gate. */
  private String ok() {
    String locked =
        each(
            "select n from locked_bookmark",
            SPENDS,
            "select n from locked_message",
            RECEIPTS,
            " union all ");
    String join = "";
    String spent = "";
    if (!locked.isEmpty()) {
      join =
          "\n    left join (\n      select n, count(*) as locks\n        from ("
              + locked
              + ") locked\n       group by n\n    ) spent using (n)";
      spent = "coalesce(spent.locks, 0) = admitted.spends";
    }
    return "ok as materialized (\n  select admitted.*\n    from admitted"
        + join
        + all(spent, asksNode() ? CommitGates.ALIVE : "")
        + "\n)";
  }

  private static String all(String... conditions) {
    String both = Stream.of(conditions).filter(c -> !c.isEmpty()).collect(joining("\n     and "));
    return both.isEmpty() ? "" : "\n   where " + both;
  }

  private String each(
      String first, CommitPart has, String second, CommitPart hasToo, String separator) {
    return Stream.of(parts.contains(has) ? first : "", parts.contains(hasToo) ? second : "")
        .filter(select -> !select.isEmpty())
        .collect(joining(separator));
  }

  /** One row: that the count is right, and who passed. */
  private String answer() {
    return """
    select 1 / cast(
             COUNTS
             = coalesce(sum(touches), 0) as int) as whole,
           array_agg(n) as passed
      from ok
    """
        .replace("COUNTS", counts());
  }

  private String counts() {
    List<String> counted = new ArrayList<>();
    if (parts.contains(STARTS)) counted.add("started_instance");
    if (parts.contains(MOVES)) counted.add("moved_instance");
    if (parts.contains(SPENDS)) counted.add("closed_bookmark");
    if (parts.contains(RECEIPTS)) {
      counted.add("spent_message");
      counted.add("dropped_message");
    }
    if (parts.contains(ENDED)) counted.add("ended_activity");
    if (parts.contains(CHANGED)) counted.add("changed_activity");
    if (parts.contains(AMENDS)) counted.add("amended_bookmark");
    if (parts.contains(DISMISSED)) counted.add("dismissed_candidate");
    if (parts.contains(KEYS)) counted.add("freed_key");
    return counted.stream()
        .map("(select count(*) from %s)"::formatted)
        .collect(joining("\n         + "));
  }
}
