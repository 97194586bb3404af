package dev.waymark.postgres.internal.message;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Stored;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.postgres.internal.sql.Columns;
import dev.waymark.postgres.internal.sql.Db;
import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Micros;
import dev.waymark.postgres.internal.sql.Pools;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores correlated messages on PostgreSQL, each once, and finds those that were stored before. */
final class PostgresMessageIntake {

  // The target is looked up on the state before the commit, which is good enough if one is found.
  private static final HotStatement RECEIVE =
      HotStatement.of(
          "receiving messages",
          "ids text[], tenants text[], sources text[], addressees uuid[],"
              + " names text[], payloads text[], senders text[], moments int8[],"
              + " correlations text[], expiries int8[]",
          """
          with message as materialized (
            select generate_subscripts(cast(:ids as text[]), 1) as n,
                   unnest(:tenants) as tenant,
                   unnest(:sources) as source,
                   unnest(:ids) as id,
                   unnest(:addressees) as addressee,
                   unnest(:names) as name,
                   unnest(:payloads) as payload,
                   unnest(:senders) as sender,
                   timestamptz 'epoch' + unnest(:moments) * interval '1 microsecond' as received,
                   unnest(:correlations) as correlation,
                   timestamptz 'epoch' + unnest(:expiries) * interval '1 microsecond' as expires
          ),
          stored as (
            insert into wm_inbox (tenant, source, id, instance_id, name, payload, sender, received,
                                  correlation, expires)
            select tenant, source, id, addressee, name, payload, sender, received, correlation, expires
              from message
             order by tenant, source, id
            on conflict (tenant, source, id) do nothing
            returning tenant, source, id
          )
          select message.n, stored.id is not null as fresh,
                 (select b.instance_id
                    from wm_bookmark b
                   where b.tenant = message.tenant
                     and b.correlation = message.correlation
                     and b.key = message.name
                     and b.state = 0
                     and b.kind = 2
                   order by b.created, b.instance_id
                   limit 1) as target
            from message
            left join stored using (tenant, source, id)
           order by message.n
          """);

  private static final HotStatement STORED =
      HotStatement.of(
          "messages stored before",
          "tenants text[], sources text[], ids text[]",
          """
          select m.tenant, m.source, m.id, m.instance_id, m.name, m.payload, m.sender, m.received,
                 m.correlation, m.expires
            from (select unnest(:tenants) as tenant, unnest(:sources) as source, unnest(:ids) as id) k
           cross join lateral (
             select *
               from wm_inbox i
              where i.tenant = k.tenant
                and i.source = k.source
                and i.id = k.id
             offset 0
           ) m
          """);

  private static final String STORED_ONE =
      """
      select tenant, source, id, instance_id, name, payload, sender, received, correlation, expires
        from wm_inbox
       where tenant = :tenant
         and source = :source
         and id = :id
      """;

  private final HotQuery<Stored> receive;
  private final HotQuery<MessageRow> storedBefore;

  PostgresMessageIntake(Pools pools) {
    receive = new HotQuery<>(pools, "Receiving messages", RECEIVE, PostgresMessageIntake::stored);
    storedBefore = new HotQuery<>(pools, "Finding messages", STORED, MessageColumns::message);
  }

  private static Stored stored(ResultSet row) throws SQLException {
    return new Stored(row.getBoolean("fresh"), Columns.instanceIdOrNull(row, "target"));
  }

  List<Stored> receive(List<MessageRow> messages) {
    Map<String, Object> values =
        new HashMap<>(MessageParameters.keys(messages.stream().map(MessageRow::key).toList()));
    values.put(
        "addressees",
        MessageParameters.column(messages, PostgresMessageIntake::addressee, UUID[]::new));
    values.put("names", MessageParameters.column(messages, MessageRow::name, String[]::new));
    values.put("payloads", MessageParameters.column(messages, MessageRow::payload, String[]::new));
    values.put("senders", MessageParameters.column(messages, MessageRow::sender, String[]::new));
    values.put(
        "moments",
        MessageParameters.column(messages, m -> Micros.ofNullable(m.received()), Long[]::new));
    values.put(
        "correlations", MessageParameters.column(messages, MessageRow::correlation, String[]::new));
    values.put(
        "expiries",
        MessageParameters.column(messages, m -> Micros.ofNullable(m.expires()), Long[]::new));
    List<Stored> answers = receive.ask(values);
    // The same message twice in one batch is stored once, and the statement calls both fresh.
    Set<Message.Key> seen = new HashSet<>();
    List<Stored> stored = new ArrayList<>(answers.size());
    for (int i = 0; i < answers.size(); i++) {
      Stored answer = answers.get(i);
      boolean first = seen.add(messages.get(i).key());
      stored.add(first ? answer : new Stored(false, answer.target()));
    }
    return stored;
  }

  List<MessageRow> stored(Collection<Message.Key> messages) {
    return storedBefore.ask(new HashMap<>(MessageParameters.keys(List.copyOf(messages))));
  }

  @Nullable MessageRow storedOn(Connection connection, Message.Key message) {
    return Db.on(
            connection,
            "Finding a message",
            handle ->
                handle
                    .createQuery(STORED_ONE)
                    .bind("tenant", message.tenant())
                    .bind("source", message.source())
                    .bind("id", message.id())
                    .map((row, context) -> MessageColumns.message(row))
                    .findOne())
        .orElse(null);
  }

  private static @Nullable UUID addressee(MessageRow message) {
    return message.addressee() == null ? null : message.addressee().value();
  }
}
