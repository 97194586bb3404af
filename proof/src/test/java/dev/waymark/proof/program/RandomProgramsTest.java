package dev.waymark.proof.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.program.run.Campaign;
import dev.waymark.proof.program.run.Campaign.Report;
import dev.waymark.proof.program.run.ProgramRunner;
import dev.waymark.testkit.VirtualClock;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random programs do on both databases what a second, simple interpreter says they must.
 *
 * <p>How many is said by {@code -Dprograms=20000} and {@code -Dprograms.postgres=500}, the first of
 * their seeds by {@code -Dprograms.from=1}, and {@code -Dprogram.seed=4711} runs that one alone, on
 * both.
 */
@Timeout(value = 2, unit = TimeUnit.HOURS) // twenty thousand take their time
final class RandomProgramsTest {

  private static final int ENOUGH = 5;

  private static final Generator GENERATOR = new Generator(EnumSet.allOf(Feature.class));

  @Test
  void programs_do_on_sqlite_what_they_must() {
    judge("SQLite", Integer.getInteger("programs", 3_000), ProgramRunner::inMemory);
  }

  @Test
  void programs_do_on_postgresql_what_they_must() {
    judge("PostgreSQL", Integer.getInteger("programs.postgres", 60), RandomProgramsTest::postgres);
  }

  private static ProgramRunner postgres() {
    VirtualClock clock = new VirtualClock();
    PostgresServer server = PostgresServer.shared();
    PostgresStore store =
        PostgresStore.open(
            server.url(server.newDatabase()),
            PostgresServer.USER,
            PostgresServer.PASSWORD,
            PostgresOptions.DEFAULTS.withVirtualTime(clock).withConnections(2, 2, 2));
    return new ProgramRunner(store, clock);
  }

  private static void judge(String store, int programs, Supplier<ProgramRunner> engines) {
    Long only = Long.getLong("program.seed");
    long from = only == null ? Long.getLong("programs.from", 1) : only;
    int count = only == null ? programs : 1;
    int lanes = Math.min(count, Runtime.getRuntime().availableProcessors());
    long began = System.nanoTime();

    Report report =
        IntStream.range(0, lanes)
            .parallel()
            .mapToObj(lane -> share(from, count, lane, lanes, engines))
            .reduce(Report.NOTHING, Report::plus);

    System.out.printf(
        "%s: %,d programs from seed %d, %,d visits, %d undetermined, %d wrong, %.1f s%n",
        store,
        report.programs(),
        from,
        report.visits(),
        report.undetermined(),
        report.differences().size(),
        (System.nanoTime() - began) / 1e9);
    assertThat(report.differences()).as("programs that went wrong on " + store).isEmpty();
    assertThat(report.undetermined()).as("programs that say little").isLessThan(2 + count / 100);
  }

  private static Report share(
      long from, int count, int lane, int lanes, Supplier<ProgramRunner> engines) {
    long first = from + (long) count * lane / lanes;
    long next = from + (long) count * (lane + 1) / lanes;
    return new Campaign(GENERATOR, engines).run(first, (int) (next - first), ENOUGH);
  }
}
