package dev.waymark.sqlite.internal.commit;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Load.EarlierCommand;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.sqlite.internal.file.RowMappers;
import dev.waymark.sqlite.internal.file.Session;
import dev.waymark.sqlite.internal.file.UuidBytes;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions about instances by key. No statement of its own for many: without a network in
 * between, a prepared look-up by key is as cheap as a row of a join.
 */
public final class SqliteLoad {

  private static final String INSTANCE =
      """
      select id, tenant, definition_id, version, status, visits, variables, extra,
             business_key, correlation_id, trace_parent, created, updated, ended,
             parent_id, parent_visit, parent_reports
        from wm_instance
       where id = :instance
      """;

  // Changes of more characters than that are none of the variables.
  private static final String PATCHES =
      """
      select h.changes
        from wm_instance i
        join wm_history h on h.instance_id = i.id and h.version > i.variables_at
       where i.id = :instance
         and i.variables_at is not null
         and length(h.changes) <= :most
       order by h.version
      """;

  private static final String ACTIVITIES =
      """
      select visit, activity, parent, state, attempt, failures, crashes, node, due, entered,
             data, fault
        from wm_activity_instance
       where instance_id = :instance
       order by visit
      """;

  private static final String OPEN_BOOKMARKS =
      """
      select tag, visit, kind, key, payload, due, state, created, closed_by, closed_at,
             holder, lease_until, fence, terms
        from wm_bookmark
       where instance_id = :instance
         and state = 0
       order by tag
      """;

  private static final String BOOKMARK =
      """
      select tag, visit, kind, key, payload, due, state, created, closed_by, closed_at,
             holder, lease_until, fence, terms
        from wm_bookmark
       where instance_id = :instance
         and tag = :tag
      """;

  private static final String COMMAND =
      """
      select id, fingerprint, instance_id, version
        from wm_command
       where tenant = :tenant and scope = :scope and id = :id
      """;

  private static final String KEY_HOLDER =
      """
      select instance_id from wm_key where tenant = :tenant and kind = 0 and key = :key
      """;

  private SqliteLoad() {}

  public static Load.Answer answer(Session session, Load question) throws SQLException {
    byte[] id = UuidBytes.of(question.instance().value());
    return new Load.Answer(
        session.query(INSTANCE).set("instance", id).first(RowMappers::instance),
        session
            .query(PATCHES)
            .set("instance", id)
            .set("most", Limits.PATCH_CHARS)
            .list(row -> row.text("changes")),
        session.query(ACTIVITIES).set("instance", id).list(RowMappers::activity),
        session.query(OPEN_BOOKMARKS).set("instance", id).list(RowMappers::bookmark),
        earlierCommand(session, question),
        bookmark(session, id, question.bookmark()),
        keyHolder(session, question));
  }

  private static @Nullable EarlierCommand earlierCommand(Session session, Load question)
      throws SQLException {
    if (question.commandScope() == null || question.commandId() == null) {
      return null;
    }
    return session
        .query(COMMAND)
        .set("tenant", question.tenant())
        .set("scope", question.commandScope())
        .set("id", question.commandId())
        .first(
            row ->
                new EarlierCommand(
                    row.text("id"),
                    row.text("fingerprint"),
                    row.instance("instance_id"),
                    row.number("version")));
  }

  private static @Nullable BookmarkRow bookmark(Session session, byte[] id, @Nullable Long tag)
      throws SQLException {
    return tag == null
        ? null
        : session.query(BOOKMARK).set("instance", id).set("tag", tag).first(RowMappers::bookmark);
  }

  private static @Nullable InstanceId keyHolder(Session session, Load question)
      throws SQLException {
    return question.businessKey() == null
        ? null
        : session
            .query(KEY_HOLDER)
            .set("tenant", question.tenant())
            .set("key", question.businessKey())
            .first(row -> row.instance("instance_id"));
  }
}
