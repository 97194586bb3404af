package dev.waymark.postgres.internal.commit;

import static java.util.stream.Collectors.joining;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.tck.Rows;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * A database in which every unit of {@link Subject} would commit.
 *
 * @param node a node that lives, as another does
 * @param moved instances that a step can move
 * @param started ids of instances that are to be started, and have messages already
 */
record TrialDatabase(String url, NodeId node, List<InstanceId> moved, List<InstanceId> started) {

  /** A wait that every guard allows to be spent: its holder's lease has lapsed, and it is due. */
  private static final String EVERY_GUARD_HOLDS =
      """
      update wm_bookmark set holder = 'anna', lease_until = 'epoch', fence = %d, due = 'epoch'
      """
          .formatted(Subject.FENCE);

  private static final String STORED_PAYLOAD =
      """
      insert into wm_payload (tenant, hash, size, media_type, parts, upload, kept_until)
      values ('%s', '%s', 0, 'text/plain', 0, gen_random_uuid(), 'infinity')
      """
          .formatted(Rows.TENANT, Subject.PAYLOAD);

  /** Lets the write that a trial names miss its row of the instance that the trial names. */
  private static final String MISSED =
      """
      create function missed() returns trigger language plpgsql as $$
      declare
        touched jsonb := to_jsonb(case when tg_op = 'INSERT' then new else old end);
      begin
        if current_setting('proof.missed', true) = tg_op || ' ' || tg_table_name
          and current_setting('proof.instance', true)
              = coalesce(touched ->> 'instance_id', touched ->> 'id')
        then
          return null;
        end if;
        return case when tg_op = 'DELETE' then old else new end;
      end $$
      """;

  /** The tables with writes that are counted. */
  private static final List<String> COUNTED =
      List.of(
          "wm_instance",
          "wm_activity_instance",
          "wm_bookmark",
          "wm_candidate",
          "wm_inbox",
          "wm_key");

  private static final List<String> TABLES =
      List.of(
          "wm_label",
          "wm_key",
          "wm_activity_instance",
          "wm_bookmark",
          "wm_candidate",
          "wm_history",
          "wm_outbox",
          "wm_inbox",
          "wm_command",
          "wm_payload_use");

  private static final String ROWS = rows();

  static TrialDatabase prepared() throws SQLException {
    PostgresServer server = PostgresServer.shared();
    TrialDatabase database =
        new TrialDatabase(
            server.url(server.newDatabase()),
            Rows.newNode(),
            List.of(Rows.newId(), Rows.newId()),
            List.of(Rows.newId(), Rows.newId()));
    database.prepare();
    try (Connection connection = database.connect()) {
      execute(connection, EVERY_GUARD_HOLDS);
      execute(connection, STORED_PAYLOAD);
      execute(connection, MISSED);
      for (String table : COUNTED) {
        execute(
            connection,
            """
            create trigger missed
            before insert or update or delete on %s
            for each row execute function missed()
            """
                .formatted(table));
      }
    }
    return database;
  }

  private void prepare() {
    try (PostgresStore store =
        PostgresStore.open(
            url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS)) {
      store.migrate();
      for (NodeId each : List.of(node, Rows.newNode())) {
        var unused = store.nodes().register(each, "test", Duration.ofHours(1));
      }
      List<CommitResult> results = store.commit(node, moved.stream().map(Subject::before).toList());
      if (!results.stream().allMatch(CommitResult.COMMITTED::equals)) {
        throw new IllegalStateException("Expected instances to try steps on, but got " + results);
      }
      for (InstanceId id : Stream.concat(moved.stream(), started.stream()).toList()) {
        for (boolean fromStep : List.of(false, true)) {
          store
              .inbox()
              .receive(
                  new MessageRow(
                      Subject.message(id, fromStep), id, "go", null, "bob", Subject.NOW));
        }
      }
    }
  }

  Connection connect() throws SQLException {
    return DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
  }

  /** All rows of an instance as one text. */
  static String rowsOf(Connection connection, InstanceId id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(ROWS)) {
      statement.setObject(1, id.value());
      try (ResultSet rows = statement.executeQuery()) {
        rows.next();
        return String.valueOf(rows.getString(1));
      }
    }
  }

  /** Asks for all rows of an instance as one text. */
  private static String rows() {
    String others =
        TABLES.stream()
            .map(
                table ->
                    """
                    union all
                    select '%1$s' || t::text
                      from %1$s t
                      join own on t.instance_id = own.id
                    """
                        .formatted(table))
            .collect(joining());
    return """
    with
    own as (
      select cast(? as uuid) as id
    ),
    rows as (
      select 'wm_instance' || t::text as row
        from wm_instance t
        join own using (id)
      {others}
    )
    select string_agg(row, ' ' order by row)
      from rows
    """
        .replace("{others}", others);
  }

  static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
