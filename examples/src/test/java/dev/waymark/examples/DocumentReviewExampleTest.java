package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Status;
import dev.waymark.engine.Caller;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class DocumentReviewExampleTest {

  @Test
  void changes_are_made_and_then_two_good_words_are_enough() {
    List<String> world = new ArrayList<>();

    var ended = DocumentReviewExample.run(SqliteStore.inMemory(InstantSource.system()), world::add);

    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(ended.variables()).containsEntry("outcome", "approved").containsEntry("version", 2L);
    assertThat(world)
        .anySatisfy(
            said ->
                assertThat(said)
                    .startsWith(
                        "Expected bookmark 'review' to be open, but it was"
                            + " consumed by bob at "))
        .contains("eva sees 'Change handbook'", "lou sees 'Review of handbook, version 2'");
  }

  @Test
  void the_lawyer_stops_it_alone() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      kit.deploy(DocumentReviewExample.REVIEW);
      Run run = kit.start("document-review", Map.of("document", "contract", "author", "eva"));
      kit.engine()
          .approvals()
          .reject(run.bookmark("review").id(), "Clause 7", Caller.of("lou"))
          .orThrow();

      assertThat(run.variables()).containsEntry("outcome", "rejected");
    }
  }
}
