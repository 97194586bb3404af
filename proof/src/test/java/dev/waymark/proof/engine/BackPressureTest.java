package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Overloaded;
import dev.waymark.engine.Settings;
import dev.waymark.engine.StartRequest;
import dev.waymark.proof.support.SmallFlow;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** How much a node takes in while nothing moves: here nothing does before the test lets it. */
final class BackPressureTest {

  private static final int MOST = 1_000;
  private static final Caller ANNA = Caller.of("anna");
  private static final Caller BERT = Caller.of(Actor.of("bert").in("other"));

  private static Settings settings() {
    Settings d = Settings.DEFAULT.alone();
    return new Settings(
        d.nodeLease(),
        d.renewEvery(),
        d.pollEvery(),
        d.watchEvery(),
        d.auditEvery(),
        d.inboxEvery(),
        d.gatherEvents(),
        d.maxBodies(),
        MOST,
        d.callTimeout(),
        d.suspectAfter(),
        d.unusedPayloads(),
        d.largestPayload(),
        d.manual());
  }

  @Test
  void starts_that_wait_to_be_read_for_count_as_those_that_wait_to_be_written() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> builder.settings(settings()))) {
      for (Caller caller : List.of(ANNA, BERT)) {
        kit.engine()
            .definitions()
            .deploy(SmallFlow.definition("end", "  end: { type: end }\n"), caller);
      }
      List<CompletableFuture<Answer>> taken = new ArrayList<>();

      int refused = startMany(kit.engine(), 3 * MOST, ANNA, taken);

      assertThat(taken).hasSizeLessThan(MOST);
      assertThat(refused).isEqualTo(3 * MOST - taken.size());
      assertThat(startMany(kit.engine(), 10, BERT, taken)).isZero();
      kit.runUntilIdle();
      assertThat(taken)
          .allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Answer.Done.class));
      assertThat(startMany(kit.engine(), 10, ANNA, taken)).isZero();
    }
  }

  private static int startMany(
      Engine engine, int many, Caller caller, List<CompletableFuture<Answer>> taken) {
    int refused = 0;
    for (int i = 0; i < many; i++) {
      try {
        taken.add(
            engine
                .instances()
                .startAsync(
                    StartRequest.of("flow")
                        .input(Map.of("n", i))
                        .businessKey("key-" + taken.size() + "-" + i),
                    caller));
      } catch (Overloaded e) {
        refused++;
      }
    }
    return refused;
  }
}
