package dev.waymark.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.waymark.postgres.internal.sql.HotQuery;
import dev.waymark.postgres.internal.sql.HotStatement;
import dev.waymark.postgres.internal.sql.Pools;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** Which plans are looked at. That they are good is tested with a database. */
class PlanCheckTest {

  private static final Path GOLDEN =
      Path.of("src/test/resources/dev/waymark/postgres/hot-statements.txt");

  /** Pools that never connect. */
  private static Pools pools() {
    PGSimpleDataSource nowhere = new PGSimpleDataSource();
    return Pools.of(nowhere, nowhere, nowhere);
  }

  @Test
  void the_statements_whose_plans_are_looked_at_are_those_that_were_reviewed() throws IOException {
    Pools pools = pools();
    try (PostgresStore store = new PostgresStore(pools, PostgresOptions.DEFAULTS)) {
      String names =
          pools.plans().statements().stream()
              .map(statement -> statement.name() + "\n")
              .collect(joining());
      if ("write".equals(System.getProperty("golden"))) {
        Files.writeString(GOLDEN, names);
      }

      assertThat(names).isEqualTo(reviewed());
      assertThat(names.lines()).doesNotHaveDuplicates();
      assertThat(store.capacity().committers()).isPositive();
    }
  }

  @Test
  void a_hot_query_that_would_not_be_looked_at_cannot_be_made() {
    Pools pools = pools();
    HotStatement statement = HotStatement.of("ones", "", "select 1 as one");
    var early = new HotQuery<>(pools, "Counting to one", statement, row -> row.getInt("one"));
    pools.plans().complete();

    assertThat(pools.plans().statements()).containsExactly(statement);
    assertThat(early).isNotNull();
    assertThatIllegalStateException()
        .isThrownBy(() -> new HotQuery<>(pools, "Counting", statement, row -> row.getInt("one")))
        .withMessageContaining("'ones' was made later");
  }

  @Test
  void a_hot_statement_has_the_types_of_its_parameters_and_no_others() {
    String text = "select :first + :second + :first";

    assertThat(HotStatement.of("sum", "first int4, second int8[]", text).types())
        .containsEntry("first", "int4")
        .containsEntry("second", "int8[]");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HotStatement.of("sum", "first int4", text))
        .withMessageContaining("the type of :second in 'sum'");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> HotStatement.of("sum", "first int4, second int4, third int4", text))
        .withMessageContaining("third");
  }

  private static String reviewed() throws IOException {
    try (InputStream golden = PlanCheckTest.class.getResourceAsStream("hot-statements.txt")) {
      assertThat(golden).as("the file hot-statements.txt").isNotNull();
      return new String(golden.readAllBytes(), UTF_8);
    }
  }
}
