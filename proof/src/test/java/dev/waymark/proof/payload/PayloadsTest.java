package dev.waymark.proof.payload;

import static dev.waymark.proof.payload.Contents.change;
import static dev.waymark.proof.payload.Contents.count;
import static dev.waymark.proof.payload.Contents.hashOf;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.step.Decision.Rejection.Code;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Settings;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.payload.PayloadDamaged;
import dev.waymark.engine.payload.PayloadInfo;
import dev.waymark.engine.payload.PayloadReference;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoreException;
import dev.waymark.proof.payload.Contents.Made;
import dev.waymark.proof.support.StoreHooks;
import dev.waymark.proof.support.Stores;
import dev.waymark.testkit.VirtualClock;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Contents go in and out part by part, and what is not needed leaves nothing behind. */
final class PayloadsTest {

  private static final Caller ANNA = Caller.of("anna");
  private static final Caller STRANGER = Caller.of(Actor.of("anna").in("another"));
  private static final Duration DAY = Settings.DEFAULT.unusedPayloads();
  private static final int MEGABYTE = 1 << 20;

  private final VirtualClock clock = new VirtualClock();

  private static void assertSound(Store store) {
    assertThat(store.checker().check(Options.live().replayingAll())).isEmpty();
  }

  private static void tidy(WorkflowTestKit kit) {
    Housekeeping housekeeping = kit.engine().bookmarks().housekeeping();
    while (housekeeping.tidy().fills(housekeeping.retention().batch())) {
      // One bounded batch each time.
    }
  }

  @ParameterizedTest
  @EnumSource
  void twenty_megabytes_go_in_and_out_a_part_at_a_time(Stores stores) throws Exception {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      Made made = new Made(20 * MEGABYTE, 1);

      PayloadReference reference = payloads.put(made, "text/csv", ANNA);

      assertThat(made.largestRead).isLessThanOrEqualTo(Limits.PAYLOAD_PART);
      assertThat(reference.size()).isEqualTo(20 * MEGABYTE);
      assertThat(reference.sha256()).isEqualTo(hashOf(new Made(20 * MEGABYTE, 1)));
      assertThat(payloads.find(reference, ANNA))
          .contains(new PayloadInfo(20 * MEGABYTE, "text/csv", clock.instant().plus(DAY)));
      try (InputStream content = payloads.open(reference, ANNA)) {
        assertThat(content.available()).isZero();
        assertThat(hashOf(content)).isEqualTo(reference.sha256());
        assertThat(content.read()).isEqualTo(-1);
      }
      assertThat(count(store, "wm_payload_part")).isEqualTo(80);
      assertThat(count(store, "wm_payload_upload")).isZero();
      assertSound(store);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 262_143, 262_144, 262_145, 524_288})
  void a_content_of_any_size_comes_back_as_it_was(int size) throws Exception {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      byte[] bytes = new Made(size, 7).readAllBytes();

      PayloadReference reference = payloads.put(bytes, "application/pdf", ANNA);

      assertThat(payloads.open(reference, ANNA).readAllBytes()).isEqualTo(bytes);
      InputStream slowly = payloads.open(reference, ANNA);
      if (size > 0) {
        assertThat(slowly.read()).isEqualTo(bytes[0] & 0xff);
        assertThat(slowly.available()).isEqualTo(Math.min(size, Limits.PAYLOAD_PART) - 1);
      }
      slowly.close();
      assertThatIOException().isThrownBy(slowly::read).withMessageContaining("closed");
    }
  }

  @ParameterizedTest
  @EnumSource
  void the_same_content_is_stored_once_for_each_tenant(Stores stores) throws Exception {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      PayloadReference first = payloads.put(new Made(MEGABYTE, 1), "text/csv", ANNA);
      clock.advance(Duration.ofHours(1));

      PayloadReference second = payloads.put(new Made(MEGABYTE, 1), "text/plain", ANNA);

      assertThat(second.sha256()).isEqualTo(first.sha256());
      assertThat(second.mediaType()).isEqualTo("text/plain");
      assertThat(count(store, "wm_payload_part")).isEqualTo(4);
      assertThat(payloads.find(second, ANNA))
          .contains(new PayloadInfo(MEGABYTE, "text/csv", clock.instant().plus(DAY)));

      assertThat(payloads.find(first, STRANGER)).isEmpty();
      assertMissing(() -> payloads.open(first, STRANGER), "there is none");
      payloads.put(new Made(MEGABYTE, 1), "text/csv", STRANGER);
      assertThat(hashOf(payloads.open(first, STRANGER))).isEqualTo(first.sha256());
      assertThat(count(store, "wm_payload_part")).isEqualTo(8);
      assertSound(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_stream_that_breaks_leaves_nothing_behind(Stores stores) {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Made cut = new Made(3 * MEGABYTE, 1, 2 * MEGABYTE);

      assertThatIOException()
          .isThrownBy(() -> kit.engine().payloads().put(cut, "text/csv", ANNA))
          .withMessage("The line is cut");

      assertEmpty(store);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_a_cut_off_upload_left_goes_with_the_housekeeping(Stores stores) {
    Stores.Place place = stores.create();
    Store store =
        StoreHooks.before(
            place.open(clock), "giveUp", StoreHooks.fail(StoreException.Kind.PERMANENT));
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Made cut = new Made(40 * MEGABYTE, 1, 20 * MEGABYTE);
      assertThatIOException().isThrownBy(() -> kit.engine().payloads().put(cut, "text/csv", ANNA));
      assertThat(count(store, "wm_payload_part")).isEqualTo(80);
      assertSound(store);

      kit.advance(DAY);
      tidy(kit);
      assertThat(count(store, "wm_payload_part")).isEqualTo(80);

      kit.advance(Duration.ofMillis(1));
      tidy(kit);
      assertEmpty(store);
    }
  }

  private static void assertEmpty(Store store) {
    for (String table : List.of("wm_payload", "wm_payload_upload", "wm_payload_part")) {
      assertThat(count(store, table)).as(table).isZero();
    }
    assertSound(store);
  }

  @ParameterizedTest
  @EnumSource
  void what_is_too_large_is_refused_while_it_comes(Stores stores) {
    Store store = stores.create().open(clock);
    Settings small = Settings.DEFAULT.alone().withPayloads(DAY, MEGABYTE);
    try (WorkflowTestKit kit =
        WorkflowTestKit.on(store, clock, builder -> builder.settings(small))) {
      Payloads payloads = kit.engine().payloads();
      Made endless = new Made(Long.MAX_VALUE, 1);

      assertThatExceptionOfType(CommandRefused.class)
          .isThrownBy(() -> payloads.put(endless, "text/csv", ANNA))
          .withMessageContaining("at most 1,048,576 bytes")
          .withMessageContaining("largestPayload");

      assertEmpty(store);
      assertThat(payloads.put(new byte[MEGABYTE], "text/csv", ANNA).size()).isEqualTo(MEGABYTE);
    }
  }

  @ParameterizedTest
  @EnumSource
  void a_damaged_content_is_told_at_the_latest_at_its_end(Stores stores) throws Exception {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      PayloadReference reference = payloads.put(new Made(MEGABYTE, 1), "text/csv", ANNA);
      assertThat(
              change(
                  store,
                  "update wm_payload_part set content = ? where part = 2",
                  new byte[Limits.PAYLOAD_PART]))
          .isEqualTo(1);

      assertThatExceptionOfType(PayloadDamaged.class)
          .isThrownBy(() -> hashOf(payloads.open(reference, ANNA)))
          .withMessageContaining(reference.sha256())
          .withMessageContaining("the stored content has 1,048,576 bytes and hash");

      change(store, "delete from wm_payload_part where part = 3");
      assertThatExceptionOfType(PayloadDamaged.class)
          .isThrownBy(() -> hashOf(payloads.open(reference, ANNA)))
          .withMessageContaining("part 4 of 4 is not there");
      assertThat(store.checker().check(Options.live())).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void what_nobody_uses_goes_after_its_time(Stores stores) throws Exception {
    Store store = stores.create().open(clock);
    try (WorkflowTestKit kit = WorkflowTestKit.on(store, clock, builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      PayloadReference reference = payloads.put(new Made(20 * MEGABYTE, 1), "text/csv", ANNA);
      InputStream halfRead = payloads.open(reference, ANNA);
      assertThat(halfRead.readNBytes(MEGABYTE)).hasSize(MEGABYTE);

      kit.advance(DAY);
      tidy(kit);
      assertThat(payloads.find(reference, ANNA)).isPresent();
      kit.advance(Duration.ofMillis(1));
      assertThat(kit.engine().bookmarks().housekeeping().tidy().payloads()).isEqualTo(1);
      tidy(kit);

      assertThat(payloads.find(reference, ANNA)).isEmpty();
      assertMissing(() -> payloads.open(reference, ANNA), "there is none: put it first");
      assertThatExceptionOfType(PayloadDamaged.class).isThrownBy(() -> hashOf(halfRead));
      assertEmpty(store);
    }
  }

  private interface Opening {
    InputStream open() throws IOException;
  }

  private static void assertMissing(Opening opening, String text) {
    assertThatExceptionOfType(CommandRefused.class)
        .isThrownBy(opening::open)
        .withMessageContaining(text)
        .satisfies(e -> assertThat(e.rejection().code()).isEqualTo(Code.PAYLOAD_MISSING));
  }

  @Test
  void a_reference_of_another_size_names_nothing() {
    try (WorkflowTestKit kit = WorkflowTestKit.with(builder -> {})) {
      Payloads payloads = kit.engine().payloads();
      PayloadReference real = payloads.put("four".getBytes(UTF_8), "text/plain", ANNA);
      PayloadReference longer = new PayloadReference(real.sha256(), 5, "text/plain");

      assertThat(payloads.find(longer, ANNA)).isEmpty();
      assertMissing(() -> payloads.open(longer, ANNA), "it has 4 bytes");
    }
  }

  @Test
  void a_reference_is_plain_data_and_back() {
    PayloadReference reference = new PayloadReference("a".repeat(64), 9, "application/pdf");

    assertThat(reference.toDocument())
        .isEqualTo(
            Map.of(
                "$payload",
                "sha256:" + "a".repeat(64),
                "size",
                9L,
                "mediaType",
                "application/pdf"));
    assertThat(PayloadReference.of(reference.toDocument())).contains(reference);
    assertThat(PayloadReference.of(reference)).contains(reference);
    assertThat(PayloadReference.of("sha256:" + "a".repeat(64))).isEmpty();
    assertThat(PayloadReference.of(Map.of("$payload", "sha256:a", "size", 9L, "mediaType", "a/b")))
        .isEmpty();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PayloadReference("A".repeat(64), 9, "a/b"))
        .withMessageContaining("lower case");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PayloadReference("a".repeat(64), -1, "a/b"));
    for (String type : List.of("", "pdf", "/pdf", "a/b\n", "a/" + "b".repeat(254))) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new PayloadReference("a".repeat(64), 1, type))
          .withMessageContaining("Expected a media type such as application/pdf");
    }
  }

  @Test
  void settings_have_bounds() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Settings.DEFAULT.withPayloads(Duration.ofSeconds(59), 1))
        .withMessage("Expected at least PT1M for 'unusedPayloads', but got PT59S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Settings.DEFAULT.withPayloads(DAY, Limits.PAYLOAD_BYTES + 1))
        .withMessageContaining("'largestPayload'");
  }
}
