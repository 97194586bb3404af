package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.bench.chaos.BrokenClaim;
import dev.waymark.bench.chaos.ClaimRun;
import dev.waymark.bench.chaos.FreezeRun;
import dev.waymark.engine.Answer;
import org.junit.jupiter.api.Test;

/** Claims by real processes. The full number: {@code -Dclaims=20000}. */
final class ClaimsTest {

  private static final int BOOKMARKS = Integer.getInteger("claims", 4_000);

  /** Enough for 32 workers to get into each other's way. */
  private static final int FEW = 1_000;

  @Test
  void four_processes_claim_each_bookmark_once_and_no_claim_takes_more_than_its_limit()
      throws Exception {
    ClaimRun.Result result = new ClaimRun(BOOKMARKS).run();

    assertThat(result.faults()).isEmpty();
    assertThat(result.claimed()).isEqualTo(BOOKMARKS);
    assertThat(result.holders()).isGreaterThan(8);
  }

  @Test
  void a_claim_that_locks_nothing_is_noticed() throws Exception {
    ClaimRun.Result result = new ClaimRun(FEW, BrokenClaim.UNLOCKED).run();

    // It claims, and what it breaks is the lock and not the statement.
    assertThat(result.claimed()).isPositive();
    assertThat(result.faults())
        .anyMatch(fault -> fault.startsWith("Expected 0 claims that are not what the table says"));
  }

  @Test
  void a_claim_that_takes_more_than_its_limit_is_noticed() throws Exception {
    assertThat(new ClaimRun(FEW, BrokenClaim.UNLIMITED).run().faults())
        .singleElement()
        .asString()
        .startsWith("Expected 0 claims over their limit, but found");
  }

  @Test
  void a_holder_that_was_frozen_past_its_lease_is_refused_and_the_new_holders_work_stands() {
    FreezeRun.Result result = new FreezeRun().run();

    assertThat(result.late())
        .isEqualTo(
            "STALE_FENCE Expected a claim on bookmark 'ask' that is still yours, but bob claimed it"
                + " since");
    assertThat(result.answer()).isInstanceOf(Answer.Done.class);
    assertThat(result.end().variables()).containsEntry("by", "bob");
  }
}
