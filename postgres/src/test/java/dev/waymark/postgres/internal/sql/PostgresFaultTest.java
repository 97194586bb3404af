package dev.waymark.postgres.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.engine.store.StoreException.Kind;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class PostgresFaultTest {

  @ParameterizedTest
  @CsvSource({
    "08000, UNKNOWN_OUTCOME",
    "08006, UNKNOWN_OUTCOME",
    "57P01, UNKNOWN_OUTCOME",
    "57P02, UNKNOWN_OUTCOME",
    "57P03, UNKNOWN_OUTCOME",
    "40003, UNKNOWN_OUTCOME",
    "40001, TRANSIENT",
    "40P01, TRANSIENT",
    "55P03, TRANSIENT",
    "53100, TRANSIENT",
    "53300, TRANSIENT",
    "25006, TRANSIENT",
    "57014, TRANSIENT",
    "23505, PERMANENT",
    "22012, PERMANENT",
    "22021, PERMANENT",
    "42P01, PERMANENT"
  })
  void an_sqlstate_says_what_is_known(String state, Kind kind) {
    assertThat(PostgresFault.kind(new SQLException("text is not looked at", state)))
        .isEqualTo(kind);
  }

  @Test
  void a_broken_socket_without_a_state_leaves_the_outcome_open() {
    SQLException fault = new SQLException("read timed out", new SocketTimeoutException());

    assertThat(PostgresFault.kind(fault)).isEqualTo(Kind.UNKNOWN_OUTCOME);
  }

  @Test
  void a_connection_to_a_demoted_primary_is_not_used_again() {
    assertThat(PostgresFault.spoils(new SQLException("read-only transaction", "25006"))).isTrue();
    assertThat(PostgresFault.spoils(new SQLException("deadlock", "40P01"))).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "23505, wm_key_pkey, true",
    "23505, wm_key_pkey_102008, true",
    "23505, wm_instance_pkey, false",
    "23514, wm_key_pkey, false"
  })
  void a_duplicate_is_known_by_how_its_constraint_begins(
      String state, String constraint, boolean isDuplicateKey) {
    // As the server sends it: a letter for each field, and a NUL after each.
    ServerErrorMessage message =
        new ServerErrorMessage("SERROR\0C" + state + "\0Mrefused\0n" + constraint + "\0");

    assertThat(PostgresFault.isDuplicate("wm_key_pkey", new PSQLException(message)))
        .isEqualTo(isDuplicateKey);
  }

  @Test
  void a_fault_that_names_no_constraint_is_no_known_duplicate() {
    assertThat(PostgresFault.isDuplicate("wm_key_pkey", new SQLException("duplicate", "23505")))
        .isFalse();
  }
}
