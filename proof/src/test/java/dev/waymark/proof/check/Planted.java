package dev.waymark.proof.check;

import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Invariant;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Damage done on purpose: statements that both databases understand, and which invariants they
 * break.
 *
 * @param breaks most damage breaks one; what SQL alone cannot see also differs from history
 * @param sql {@code @name} is the id of the instance with that business key; a semicolon parts two
 *     statements
 */
record Planted(Set<Invariant> breaks, Mode mode, String what, String sql) {

  private static final Pattern INSTANCE = Pattern.compile("@([a-z-]+)");

  /** With which options it is to be found. */
  enum Mode {
    AT_REST,
    LIVE,
    REPLAY
  }

  static Planted atRest(Invariant breaks, String what, String sql) {
    return new Planted(Set.of(breaks), Mode.AT_REST, what, sql);
  }

  static Planted live(Invariant breaks, String what, String sql) {
    return new Planted(Set.of(breaks), Mode.LIVE, what, sql);
  }

  /** Found by comparing with history only; the others must be found without. */
  static Planted replay(Invariant breaks, String what, String sql) {
    return new Planted(Set.of(breaks), Mode.REPLAY, what, sql);
  }

  static Planted replay(Set<Invariant> breaks, String what, String sql) {
    return new Planted(breaks, Mode.REPLAY, what, sql);
  }

  Options options() {
    Options options =
        switch (mode) {
          case AT_REST -> Options.atRest();
          case LIVE -> Options.live();
          case REPLAY -> Options.atRest().replayingAll();
        };
    return options.withAcknowledged(Scenes.acknowledged());
  }

  /** Does the damage, and fails if there is nothing to be damaged. */
  void on(Connection connection) throws SQLException {
    String text =
        INSTANCE.matcher(sql).replaceAll("(select id from wm_instance where business_key = '$1')");
    try (Statement statement = connection.createStatement()) {
      for (String one : text.split(";", -1)) {
        if (statement.executeUpdate(one) == 0) {
          throw new AssertionError("Expected rows to damage, but found none: " + one);
        }
      }
    }
  }

  @Override
  public String toString() {
    return breaks + " " + mode + ": " + what;
  }
}
