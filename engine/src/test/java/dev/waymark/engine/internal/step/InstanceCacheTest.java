package dev.waymark.engine.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** That what is remembered has bounds; that it is only a guess is shown on real stores. */
class InstanceCacheTest {

  private static final int KILOBYTE = 1 << 10;

  private final InstanceCache memory = new InstanceCache(64 * KILOBYTE);

  @Test
  void what_waits_is_known_once_more_and_then_no_longer() {
    Instance instance = instance(1, Map.of("amount", 7));
    memory.idle(instance);

    assertThat(memory.busy(instance.id())).isEqualTo(instance);
    assertThat(memory.busy(instance.id())).isNull();
  }

  @Test
  void the_oldest_are_forgotten_when_there_is_no_more_room() {
    List<Instance> all =
        IntStream.range(0, 100)
            .mapToObj(i -> instance(i, Map.of("note", "x".repeat(KILOBYTE))))
            .toList();
    all.forEach(memory::idle);

    List<Boolean> known = all.stream().map(instance -> memory.busy(instance.id()) != null).toList();
    assertThat(known.subList(0, 60)).containsOnly(false);
    assertThat(known.subList(70, 100)).containsOnly(true);
  }

  @Test
  void the_same_instance_takes_its_room_once() {
    Instance first = instance(1, Map.of());
    memory.idle(first);
    for (int i = 0; i < 1_000; i++) {
      memory.idle(instance(2, Map.of("note", "x".repeat(KILOBYTE))));
    }

    assertThat(memory.busy(first.id())).isNotNull();
  }

  @Test
  void what_is_heavy_is_not_remembered_and_not_weighed_to_its_end() {
    Map<String, @Nullable Object> heavy =
        Map.of("lines", Collections.nCopies(Integer.MAX_VALUE, "one of too many"));
    Instance instance = instance(1, heavy);
    memory.idle(instance);

    assertThat(memory.busy(instance.id())).isNull();
  }

  private static Instance instance(int number, Map<String, @Nullable Object> variables) {
    return new Instance(
        new InstanceId(new UUID(0, number)),
        new Instance.Origin("acme", 1, null, null, null, Instant.EPOCH, null),
        1,
        Status.RUNNING,
        variables,
        Map.of(),
        new TreeMap<>(),
        new TreeMap<>(),
        1,
        Map.of(),
        null,
        null,
        null);
  }
}
