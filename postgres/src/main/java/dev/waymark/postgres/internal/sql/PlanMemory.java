package dev.waymark.postgres.internal.sql;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The note in the database that a node has looked at its plans and found nothing to tell.
 *
 * <p>To plan a hundred statements takes longer than everything else that a node does at its start.
 * A plan depends on the statement's text, on the indexes, on the server's version and on the size
 * of the tables. While none of them is another, a further node has nothing new to see.
 */
record PlanMemory(String fingerprint) {

  private static final String INDEXES =
      """
      select current_setting('server_version_num'),
             string_agg(
               pg_get_indexdef(i.indexrelid) || i.indisvalid, ', '
               order by pg_get_indexdef(i.indexrelid))
        from pg_index i
        join pg_class c on c.oid = i.indrelid
        join pg_namespace n on n.oid = c.relnamespace
       where c.relname like 'wm\\_%'
         and n.nspname = current_schema()
      """;

  private static final String KNOWN = "select 1 from wm_plan_check where fingerprint = ?";

  private static final String FORGET_OTHERS = "delete from wm_plan_check where fingerprint <> ?";

  private static final String KEEP =
      """
      insert into wm_plan_check (fingerprint, checked)
      values (?, statement_timestamp())
      on conflict do nothing
      """;

  static PlanMemory of(Connection connection, List<HotStatement> statements, Set<String> bigTables)
      throws SQLException {
    MessageDigest digest = sha256();
    for (HotStatement statement : statements) {
      add(digest, statement.name());
      add(digest, statement.text());
      add(digest, new TreeMap<>(statement.types()).toString());
      add(digest, new TreeSet<>(statement.wholeIndexes()).toString());
    }
    try (PreparedStatement question = connection.prepareStatement(INDEXES);
        ResultSet row = question.executeQuery()) {
      row.next();
      add(digest, row.getString(1));
      add(digest, String.valueOf(row.getString(2)));
    }
    add(digest, bigTables.toString());
    return new PlanMemory(HexFormat.of().formatHex(digest.digest()));
  }

  boolean knows(Connection connection) throws SQLException {
    try (PreparedStatement question = connection.prepareStatement(KNOWN)) {
      question.setString(1, fingerprint);
      try (ResultSet row = question.executeQuery()) {
        return row.next();
      }
    }
  }

  void keep(Connection connection) throws SQLException {
    for (String text : List.of(FORGET_OTHERS, KEEP)) {
      try (PreparedStatement statement = connection.prepareStatement(text)) {
        statement.setString(1, fingerprint);
        statement.executeUpdate();
      }
    }
  }

  private static void add(MessageDigest digest, String part) {
    digest.update(part.getBytes(StandardCharsets.UTF_8));
    digest.update((byte) 0);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256", e);
    }
  }
}
