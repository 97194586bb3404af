package dev.waymark.core.instance;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class InstanceIdTest {

  private static final Random RANDOM = new Random(20261118);

  private static final InstanceId PARENT = InstanceId.parse("0190a5e0-7c1b-7d3a-9f00-0123456789ab");
  private static final Instant MOMENT = Instant.parse("2026-01-12T09:00:00Z");
  private static final Message.Key MESSAGE = new Message.Key("acme", "shop", "m-1");

  /** These ids are in databases. Whoever changes one has lost the runs that are stored under it. */
  @Test
  void ids_and_buckets_are_what_they_were() {
    assertThat(PARENT.bucket()).isEqualTo(0x1ab);
    assertThat(InstanceId.bucketOf("acme", "order-7")).isEqualTo(136);
    assertThat(InstanceId.bucketOf("acme", "order-8")).isEqualTo(762);
    assertThat(PARENT.routedBy("acme", "order-7"))
        .hasToString("0190a5e0-7c1b-7d3a-9f00-012345678888");
    assertThat(InstanceId.derived("acme", "c-1"))
        .hasToString("3ed42dd6-7245-8507-9005-f65b930db195");
    assertThat(InstanceId.derived("acme", "c-1").routedBy("acme", "order-7"))
        .hasToString("3ed42dd6-7245-8507-9005-f65b930db088");
    assertThat(InstanceId.child(PARENT, 3)).hasToString("0190a5e0-7c1b-8685-9a9b-f03caa32bdab");
    assertThat(InstanceId.child(PARENT, 3, 2)).hasToString("0190a5e0-7c1b-8392-8164-5c7249d9a9ab");
    assertThat(InstanceId.child(PARENT, 3).routedBy("acme", "order-7"))
        .hasToString("0190a5e0-7c1b-8685-9a9b-f03caa32bc88");
    assertThat(InstanceId.begunBy(MESSAGE, MOMENT).routedBy("acme", "order-7"))
        .hasToString("019bb16e-fe80-87ce-9823-85c795be1c88");
  }

  @Test
  void a_child_has_the_bucket_of_its_parent() {
    for (int i = 0; i < 1_000; i++) {
      InstanceId parent = drawn();

      assertThat(InstanceId.child(parent, i + 1).bucket()).isEqualTo(parent.bucket());
      assertThat(InstanceId.child(parent, i + 1, 2).bucket()).isEqualTo(parent.bucket());
    }
  }

  @Test
  void whatever_begins_a_run_its_key_says_its_bucket() {
    for (int i = 0; i < 1_000; i++) {
      String key = "key-" + RANDOM.nextInt();
      int bucket = InstanceId.bucketOf("acme", key);

      assertThat(drawn().routedBy("acme", key).bucket()).isEqualTo(bucket);
      assertThat(InstanceId.derived("acme", "c-" + i).routedBy("acme", key).bucket())
          .isEqualTo(bucket);
      assertThat(InstanceId.child(drawn(), i + 1).routedBy("acme", key).bucket()).isEqualTo(bucket);
      assertThat(InstanceId.begunBy(MESSAGE, MOMENT).routedBy("acme", key).bucket())
          .isEqualTo(bucket);
    }
  }

  @Test
  void the_same_command_gives_the_same_id_and_another_command_another() {
    for (String key : new String[] {"order-7", null}) {
      InstanceId id = InstanceId.derived("acme", "c-1").routedBy("acme", key);

      assertThat(InstanceId.derived("acme", "c-1").routedBy("acme", key)).isEqualTo(id);
      assertThat(InstanceId.derived("acme", "c-2").routedBy("acme", key)).isNotEqualTo(id);
      assertThat(InstanceId.derived("umbrella", "c-1").routedBy("umbrella", key)).isNotEqualTo(id);
    }
  }

  /** Its version, its time and so its place among other ids stay. */
  @Test
  void a_key_changes_the_last_ten_bits_and_nothing_else() {
    InstanceId id = drawn();

    UUID routed = id.routedBy("acme", "order-7").value();

    assertThat(routed.getMostSignificantBits()).isEqualTo(id.value().getMostSignificantBits());
    assertThat(routed.getLeastSignificantBits() >>> 10)
        .isEqualTo(id.value().getLeastSignificantBits() >>> 10);
  }

  @Test
  void keys_spread_over_all_buckets() {
    Set<Integer> seen = new HashSet<>();
    for (int i = 0; i < 20_000; i++) {
      seen.add(InstanceId.bucketOf("acme", "order-" + i));
    }

    assertThat(seen).hasSize(InstanceId.BUCKETS);
  }

  private static InstanceId drawn() {
    return new InstanceId(new UUID(RANDOM.nextLong(), RANDOM.nextLong()));
  }
}
