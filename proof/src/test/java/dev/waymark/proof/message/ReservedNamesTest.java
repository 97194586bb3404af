package dev.waymark.proof.message;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Names of messages and sources that the engine keeps for itself. */
final class ReservedNamesTest {

  private static final Caller ALICE = Caller.of("alice");

  @Test
  void the_engines_own_names_are_refused_to_users() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      InstanceId anybody = new InstanceId(new UUID(1, 1));
      for (String name : List.of(Message.START, Message.CANCEL, Message.ended(anybody), "$x")) {
        assertThatIllegalArgumentException()
            .isThrownBy(
                () -> kit.engine().messages().send(anybody, name, Map.of(), "s", "1", ALICE))
            .withMessageContaining("does not begin with '$'");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ActivityResult.completed().sending(anybody, name, Map.of()))
            .withMessageContaining("does not begin with '$'");
        assertThatIllegalArgumentException()
            .isThrownBy(() -> ActivityResult.suspended(ActivityResult.message(name)))
            .withMessageContaining("does not begin with '$'");
      }
      for (String source : List.of(Message.FROM_A_STEP, Message.FROM_A_BROADCAST)) {
        assertThatIllegalArgumentException()
            .isThrownBy(
                () -> kit.engine().messages().send(anybody, "paid", Map.of(), source, "1", ALICE))
            .withMessageContaining("source");
      }
    }
  }
}
