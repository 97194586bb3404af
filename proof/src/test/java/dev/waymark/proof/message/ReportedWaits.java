package dev.waymark.proof.message;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.StatusUpdate;
import dev.waymark.engine.Caller;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.callback.Token;
import dev.waymark.engine.store.Store;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.util.List;
import java.util.Map;

/** A run that waits for the call of a partner, and the reports that the partner sends before it. */
abstract class ReportedWaits {

  static final Caller ALICE = Caller.of("alice");
  private static final byte[] KEY = "a key of ours of thirty-two byte".getBytes(UTF_8);
  static final byte[] PARTNER = "the partner's key, also 32 bytes".getBytes(UTF_8);

  private static final String CHECK =
      """
      waymark: 1
      key: check
      start: answer
      activities:
        answer:
          type: wait
          with: { for: webhook, key: identity, payload: { who: Ann } }
          guard: { when: "Output.ok" }
          next: rest
        rest: { type: wait, with: { key: rest } }
      """;

  final VirtualClock clock = new VirtualClock();

  WorkflowTestKit kit(Store store) {
    WorkflowTestKit kit =
        WorkflowTestKit.on(
            store,
            clock,
            builder ->
                builder
                    .callbackSecrets(Secret.of("ours", KEY))
                    .senderSecret(Secret.of("partner", PARTNER)));
    kit.deploy(CHECK);
    return kit;
  }

  static InstanceId start(WorkflowTestKit kit) {
    InstanceId id = kit.engine().instances().start(StartRequest.of("check"), ALICE).orThrow();
    kit.runUntilIdle();
    return id;
  }

  static String token(WorkflowTestKit kit, InstanceId id) {
    return kit.engine().callbacks().seal(new Token("default", id, "identity", true, null));
  }

  static byte[] saying(String status, int progress) {
    return "{\"status\":\"%s\",\"progress\":%d}".formatted(status, progress).getBytes(UTF_8);
  }

  static Instance found(WorkflowTestKit kit, InstanceId id) {
    kit.runUntilIdle();
    return kit.engine().instances().find(id, ALICE).orElseThrow();
  }

  static Bookmark only(Instance instance) {
    assertThat(instance.bookmarks()).hasSize(1);
    return instance.bookmarks().get(instance.bookmarks().firstKey());
  }

  static Map<?, ?> shown(Bookmark bookmark) {
    return bookmark.payload().get(StatusUpdate.FIELD) instanceof Map<?, ?> map ? map : Map.of();
  }

  static List<HistoryEntry> reports(WorkflowTestKit kit, InstanceId id) {
    return kit.engine().instances().history(id, 1, 1_000, ALICE).stream()
        .filter(entry -> entry.type() == HistoryEntry.Type.WAIT_REPORTED)
        .toList();
  }
}
