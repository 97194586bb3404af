package dev.waymark.postgres.internal.commit;

import dev.waymark.core.instance.Instance.Origin.Parent;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Load.Answer;
import dev.waymark.engine.store.Load.EarlierCommand;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import dev.waymark.engine.store.UnitRows.TermsRow;
import dev.waymark.postgres.internal.sql.ArrayInput;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.NamedText;
import dev.waymark.postgres.internal.sql.PlanSettings;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Answers many questions with one statement. */
public final class PostgresLoad {

  private final PlanSettings pins;
  private final NamedText whole;
  private final NamedText light;

  /** For loads on connections of ours, whose plans are pinned and looked at. */
  public static PostgresLoad on(Pools pools) {
    LoadStatement.HOT.forEach(pools.plans()::add);
    return new PostgresLoad(pools.pins());
  }

  /** For loads on a caller's connection, whose settings are not ours to change. */
  public static PostgresLoad joined() {
    return new PostgresLoad(PlanSettings.NONE);
  }

  private PostgresLoad(PlanSettings pins) {
    this.pins = pins;
    this.whole = NamedText.of(pins.alone(LoadStatement.TEXT));
    this.light = NamedText.of(pins.alone(LoadStatement.LIGHT));
  }

  public List<Answer> load(Connection connection, List<Load> questions) throws SQLException {
    return load(connection, questions, whole);
  }

  /**
   * The same without instances that have a heavy document: their answers say that they are left.
   */
  public List<Answer> loadLight(Connection connection, List<Load> questions) throws SQLException {
    return load(connection, questions, light);
  }

  private List<Answer> load(Connection connection, List<Load> questions, NamedText text)
      throws SQLException {
    Map<String, Array> arrays = new HashMap<>();
    for (ArrayInput<Load, Load> input : LoadStatement.INPUTS) {
      input.fill(connection, questions, arrays);
    }
    try (PreparedStatement statement = connection.prepareStatement(text.sql())) {
      int position = 0;
      for (String parameter : text.parameters()) {
        statement.setArray(++position, arrays.get(parameter));
      }
      try (ResultSet rows = pins.query(statement)) {
        return answers(questions, rows);
      }
    }
  }

  private static List<Answer> answers(List<Load> questions, ResultSet rows) throws SQLException {
    List<AnswerDraft> drafts = new ArrayList<>(questions.size());
    for (Load question : questions) {
      drafts.add(new AnswerDraft(question.instance()));
    }
    while (rows.next()) {
      drafts.get(rows.getInt("n") - 1).read(rows);
    }
    return drafts.stream().map(AnswerDraft::answer).toList();
  }

  private record Patch(long version, String changes) {}

  /** An answer while its rows come in. */
  private static final class AnswerDraft {

    private final InstanceId id;
    private final List<Patch> patches = new ArrayList<>();
    private final List<ActivityRow> activities = new ArrayList<>();
    private final List<BookmarkRow> bookmarks = new ArrayList<>();
    private @Nullable InstanceRow instance;
    private @Nullable EarlierCommand command;
    private @Nullable BookmarkRow bookmark;
    private @Nullable InstanceId keyHolder;
    private boolean left;

    AnswerDraft(InstanceId id) {
      this.id = id;
    }

    void read(ResultSet row) throws SQLException {
      int kind = row.getInt("kind");
      switch (kind) {
        case LoadStatement.INSTANCE -> {
          instance = instance(row);
          left |= instance.variables() == null;
        }
        case LoadStatement.ACTIVITY -> {
          activities.add(activity(row));
          left |= row.getString("s6") != null;
        }
        case LoadStatement.OPEN_BOOKMARK -> {
          bookmarks.add(bookmark(row));
          left |= row.getString("s6") != null;
        }
        case LoadStatement.ASKED_BOOKMARK -> bookmark = bookmark(row);
        case LoadStatement.EARLIER_COMMAND -> command = command(row);
        case LoadStatement.KEY_HOLDER -> keyHolder = Columns.instanceId(row, "u1");
        case LoadStatement.PATCH -> patches.add(new Patch(row.getLong("l1"), row.getString("s2")));
        default -> throw new IllegalStateException("Expected a known kind, but got " + kind);
      }
    }

    Answer answer() {
      if (left) {
        return Answer.LEFT;
      }
      patches.sort(Comparator.comparingLong(Patch::version));
      activities.sort(Comparator.comparingLong(ActivityRow::visit));
      bookmarks.sort(Comparator.comparingLong(BookmarkRow::tag));
      return new Answer(
          instance,
          patches.stream().map(Patch::changes).toList(),
          List.copyOf(activities),
          List.copyOf(bookmarks),
          command,
          bookmark,
          keyHolder);
    }

    private InstanceRow instance(ResultSet row) throws SQLException {
      return new InstanceRow(
          id,
          row.getString("s1"),
          row.getLong("l1"),
          row.getLong("l2"),
          row.getInt("l3"),
          row.getLong("l4"),
          row.getString("s2"),
          row.getString("s3"),
          row.getString("s4"),
          row.getString("s5"),
          row.getString("s6"),
          Columns.instant(row, "t1"),
          Columns.instant(row, "t2"),
          Columns.instantOrNull(row, "t3"),
          parent(row));
    }

    private static @Nullable Parent parent(ResultSet row) throws SQLException {
      UUID parent = row.getObject("u1", UUID.class);
      return parent == null
          ? null
          : new Parent(new InstanceId(parent), row.getLong("l5"), row.getLong("l6") == 1);
    }

    private static ActivityRow activity(ResultSet row) throws SQLException {
      return new ActivityRow(
          row.getLong("l1"),
          row.getString("s1"),
          row.getLong("l2"),
          row.getInt("l3"),
          row.getInt("l4"),
          row.getInt("l5"),
          row.getInt("l6"),
          Columns.nodeIdOrNull(row, "u1"),
          Columns.instantOrNull(row, "t1"),
          Columns.instant(row, "t2"),
          row.getString("s2"),
          row.getString("s3"));
    }

    private static BookmarkRow bookmark(ResultSet row) throws SQLException {
      return new BookmarkRow(
          row.getLong("l1"),
          row.getLong("l2"),
          row.getInt("l3"),
          row.getString("s1"),
          row.getString("s2"),
          Columns.instantOrNull(row, "t1"),
          row.getInt("l4"),
          Columns.instant(row, "t2"),
          row.getString("s3"),
          Columns.instantOrNull(row, "t3"),
          row.getString("s4"),
          Columns.instantOrNull(row, "t4"),
          row.getLong("l5"),
          TermsRow.of(row.getString("s5")));
    }

    private static EarlierCommand command(ResultSet row) throws SQLException {
      return new EarlierCommand(
          row.getString("s1"),
          row.getString("s2"),
          Columns.instanceId(row, "u1"),
          row.getLong("l1"));
    }
  }
}
