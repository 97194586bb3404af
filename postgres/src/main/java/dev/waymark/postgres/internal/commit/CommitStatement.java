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
import static dev.waymark.postgres.internal.commit.CommitPart.FREES;
import static dev.waymark.postgres.internal.commit.CommitPart.LABELS;
import static dev.waymark.postgres.internal.commit.CommitPart.LISTS;
import static dev.waymark.postgres.internal.commit.CommitPart.MESSAGES;
import static dev.waymark.postgres.internal.commit.CommitPart.MOVES;
import static dev.waymark.postgres.internal.commit.CommitPart.NAMED;
import static dev.waymark.postgres.internal.commit.CommitPart.PAYLOADS;
import static dev.waymark.postgres.internal.commit.CommitPart.RECEIPTS;
import static dev.waymark.postgres.internal.commit.CommitPart.SPENDS;
import static dev.waymark.postgres.internal.commit.CommitPart.STARTS;
import static dev.waymark.postgres.internal.commit.CommitPart.TAKES;
import static java.util.stream.Collectors.joining;

import dev.waymark.engine.store.UnitRows;
import dev.waymark.postgres.internal.sql.ArrayInput;
import dev.waymark.postgres.internal.sql.HotStatement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
 *   <li>{@code on conflict} is never a gate: two of them leave half a unit. Keys that are unique
 *       across instances are filtered against committed rows, and in the rare true race the index
 *       raises an error.
 *   <li>A fence or a state is never read unlocked, except to find the reason why a unit was
 *       stopped.
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

  /** For how many units a text is. */
  enum Width {
    /** For a batch: every kind of rows comes as lists. */
    MANY,
    /** For a unit that comes alone, and has few rows of each kind. */
    ONE;

    /** The highest number of history entries of a unit that comes alone. */
    private static final int MOST_ENTRIES = 8;

    static Width of(CommitShape shape, List<UnitRows> units) {
      if (units.size() > 1) {
        return MANY;
      }
      UnitRows unit = units.get(0);
      return shape.inputs().stream().allMatch(input -> fits(input, unit)) ? ONE : MANY;
    }

    private static boolean fits(ArrayInput<UnitRows, ?> input, UnitRows unit) {
      return input.count(unit) <= (input == CommitInputs.ENTRY ? MOST_ENTRIES : 1);
    }

    String as(ArrayInput<UnitRows, ?> input, String name) {
      if (this == MANY) {
        return input.as(name);
      }
      return input == CommitInputs.ENTRY ? input.few(name) : input.alone(name);
    }
  }

  private final Form form;
  private final Width width;
  private final Set<CommitPart> parts;
  private final List<String> with = new ArrayList<>();

  private CommitStatement(Form form, CommitShape shape, Width width) {
    this.form = form;
    this.width = width;
    this.parts = shape.parts();
  }

  /** The statements of a busy committer: a batch in each shape. */
  static List<HotStatement> hot() {
    return Stream.of(CommitShape.values())
        .flatMap(shape -> Stream.of(Width.values()).map(width -> hot(shape, width)))
        .toList();
  }

  private static HotStatement hot(CommitShape shape, Width width) {
    String text = text(Form.SKIPPING, shape, width);
    Map<String, String> types = CommitInputs.types(shape.inputs());
    return switch (width) {
      case MANY -> new HotStatement("commit " + shape, text, types);
      case ONE -> HotStatement.ofOneUnit("commit " + shape + " alone", text, types);
    };
  }

  static String text(Form form, CommitShape shape, Width width) {
    return new CommitStatement(form, shape, width).text();
  }

  private String text() {
    if (!parts.contains(LISTS)) {
      with.addAll(AnswerStatement.parts(width, asksNode(), parts.contains(FREES)));
    } else {
      inputs();
      gates();
      writes();
    }
    String text = "with\n" + String.join(",\n", with) + "\n" + answer();
    return form == Form.SKIPPING ? text : waiting(text);
  }

  /** The same text, waiting for rows and keys that another transaction has. */
  private static String waiting(String text) {
    return text.replace(" skip locked", "")
        .replace("pg_try_advisory_xact_lock", "pg_advisory_xact_lock");
  }

  private boolean asksNode() {
    return form != Form.WAITING_WITHOUT_NODE;
  }

  private void inputs() {
    with.add(width.as(CommitInputs.UNIT, "unit as"));
    when(STARTS, width.as(CommitInputs.START, "start as"));
    when(CHILDREN, width.as(CommitInputs.CHILD, "child as"));
    when(SPENDS, width.as(CommitInputs.SPEND, "spend as"));
    when(RECEIPTS, width.as(CommitInputs.RECEIPT, "receipt as"));
    when(ENDED, width.as(CommitInputs.ENDED, "ended as"));
    when(CHANGED, width.as(CommitInputs.CHANGED, "changed as"));
    when(BEGUN, width.as(CommitInputs.BEGUN, "begun as"));
    when(BOOKMARKS, width.as(CommitInputs.BOOKMARK, "bookmark as"));
    when(AMENDS, width.as(CommitInputs.AMEND, "amend as"));
    when(NAMED, width.as(CommitInputs.NAMED, "named as"));
    when(DISMISSED, width.as(CommitInputs.DISMISSED, "dismissed as"));
    when(LABELS, width.as(CommitInputs.LABELLED, "labelled as"));
    when(LABELS, width.as(CommitInputs.LABEL, "label as materialized"));
    with.add(width.as(CommitInputs.ENTRY, "entry as"));
    when(EVENTS, width.as(CommitInputs.EVENT, "event as"));
    when(MESSAGES, width.as(CommitInputs.MESSAGE, "message as"));
    when(COMMANDS, width.as(CommitInputs.COMMAND, "command as materialized"));
    when(TAKES, width.as(CommitInputs.TAKEN, "taken as materialized"));
    when(FREES, width.as(CommitInputs.FREED, "freed as"));
    when(PAYLOADS, width.as(CommitInputs.PAYLOAD, "payload as"));
  }

  private void gates() {
    when(MOVES, CommitGates.CURRENT);
    when(STARTS, CommitGates.ABSENT);
    when(COMMANDS, CommitGates.KNOWN);
    when(TAKES, CommitGates.OCCUPIED);
    when(TAKES, CommitGates.CONTESTED);
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
    when(FREES, CommitWrites.KEYS_FREED);
    when(TAKES, CommitWrites.KEYS_TAKEN);
    when(PAYLOADS, CommitWrites.PAYLOADS_USED);
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
            parts.contains(TAKES) ? "n not in (select n from occupied)" : "",
            parts.contains(TAKES) ? "n not in (select n from contested)" : "");
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
    if (parts.contains(FREES)) counted.add("freed_key");
    return counted.stream()
        .map("(select count(*) from %s)"::formatted)
        .collect(joining("\n         + "));
  }
}
