package dev.waymark.core.step;

import dev.waymark.core.definition.Faults;
import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code send}: a message to one run. If nobody waits for it there yet, it is kept. */
final class SendKind implements Kind {

  @Override
  public String name() {
    return "send";
  }

  @Override
  public void check(Map<String, @Nullable Object> with, Faults faults) {
    With.onlyKeys(with, faults, "to", "name", "payload");
    With.requireText(with, faults, "to", "the id of an instance");
    With.requireText(with, faults, "name", "the message's name");
    With.checkObject(with, faults, "payload");
  }

  @Override
  public void enter(Walk walk, ActivityInstance visit) {
    Map<String, @Nullable Object> input = walk.input(visit);
    Command.Send send;
    try {
      send =
          new Command.Send(
              InstanceId.parse(With.text(input, "to", "")),
              Message.given(With.text(input, "name", "")),
              With.object(input, "payload"));
    } catch (IllegalArgumentException e) {
      walk.badInput(visit, e);
      return;
    }
    walk.draft().send(send);
    walk.note(
        HistoryEntry.Type.MESSAGE_SENT,
        visit,
        Map.of("to", String.valueOf(send.to()), "name", send.name()));
    walk.complete(visit, Map.of());
  }
}
