package dev.waymark.proof.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A verb in the caller's transaction reads on the caller's connection. If it took another one from
 * the pool that the caller has its own from, as many callers as the pool has connections would wait
 * for each other.
 */
final class JoinedReadsTest {

  private static final Caller ALICE = Caller.of("alice");
  private static final String ASKING =
      """
      waymark: 1
      key: asking
      start: ask
      activities:
        ask: { type: wait }
      """;

  @ParameterizedTest
  @EnumSource
  void definitions_that_a_node_does_not_know_yet_are_read_on_the_callers_connection(Stores stores) {
    Stores.Place place = stores.create();
    VirtualClock clock = new VirtualClock();
    BookmarkId ask;
    try (WorkflowTestKit before = place.process(clock, builder -> {})) {
      before.deploy(ASKING);
      Run run = before.start("asking", Map.of());
      ask = run.bookmark("ask").id();
    }
    AtomicBoolean armed = new AtomicBoolean();
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(withoutPooledDefinitions(place.open(clock), armed), clock, b -> {})) {
      Engine engine = kit.engine();

      armed.set(true);
      List<Answer> answers =
          engine.inTransaction(
              joined ->
                  List.of(
                      joined.resume(ask, Map.of(), ALICE),
                      joined.start(StartRequest.of("asking"), ALICE),
                      joined.start(StartRequest.of("asking").version(1), ALICE)));
      armed.set(false);

      assertThat(answers).hasOnlyElementsOfType(Answer.Done.class);
    }
  }

  private static Store withoutPooledDefinitions(Store store, AtomicBoolean armed) {
    Runnable refuse = () -> assertThat(armed).as("in the caller's transaction").isFalse();
    return StoreHooks.before(StoreHooks.before(store, "byId", refuse), "find", refuse);
  }
}
