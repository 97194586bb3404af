package dev.waymark.tck.operation;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.Checker.Options;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.StoredPayloads;
import dev.waymark.engine.store.StoredPayloads.Finished;
import dev.waymark.engine.store.StoredPayloads.Look;
import dev.waymark.engine.store.StoredPayloads.Part;
import dev.waymark.engine.store.StoredPayloads.PayloadRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Payloads: stored once, read part by part, kept while a run uses them, and removed bit by bit. */
public abstract class PayloadContract extends StoreContract {

  private static final String HASH = "a".repeat(64);
  private static final String OTHER = "b".repeat(64);
  private static final byte[] ONE = "one".getBytes(UTF_8);
  private static final byte[] TWO = "two".getBytes(UTF_8);

  protected PayloadContract(StoreFactory stores) {
    super(stores);
  }

  @AfterEach
  final void checkBelonging() {
    assertThat(store.checker().check(Options.live()))
        .filteredOn(violation -> violation.key().contains("payload"))
        .isEmpty();
  }

  private StoredPayloads payloads() {
    return store.payloads();
  }

  private Instant later() {
    return now().plus(HOUR);
  }

  private PayloadRow row(String hash, Instant until) {
    return new PayloadRow(Rows.TENANT, hash, 6, "text/plain", 2, until);
  }

  /** An upload of two parts. */
  private UUID given(String hash) {
    UUID upload = uploaded();
    assertThat(payloads().finish(upload, row(hash, later()))).isNotNull();
    return upload;
  }

  private UUID uploaded() {
    UUID upload = Rows.newId().value();
    assertThat(payloads().write(new Part(upload, Rows.TENANT, 0), ONE, later())).isTrue();
    assertThat(payloads().write(new Part(upload, Rows.TENANT, 1), TWO, later())).isTrue();
    return upload;
  }

  private @Nullable PayloadRow find(String hash) {
    return payloads().find(Rows.TENANT, hash);
  }

  private byte @Nullable [] part(String hash, int part) {
    return payloads().part(Rows.TENANT, hash, part);
  }

  private int removeAllParts() {
    int rows = 0;
    int removed = 1;
    while (removed > 0) {
      removed = payloads().removeParts(now(), 1);
      rows += removed;
    }
    return rows;
  }

  @Test
  public final void a_payload_is_read_part_by_part_under_its_hash() {
    UUID upload = uploaded();
    assertThat(find(HASH)).isNull();

    Finished finished = payloads().finish(upload, row(HASH, later()));

    assertThat(finished).isEqualTo(new Finished(row(HASH, later()), true));
    assertThat(find(HASH)).isEqualTo(row(HASH, later()));
    assertThat(part(HASH, 0)).isEqualTo(ONE);
    assertThat(part(HASH, 1)).isEqualTo(TWO);
    assertThat(part(HASH, 2)).isNull();
    assertThat(payloads().find("other", HASH)).isNull();
    assertThat(payloads().part("other", HASH, 0)).isNull();
  }

  @Test
  public final void what_is_done_again_after_a_lost_reply_changes_nothing() {
    UUID upload = uploaded();
    assertThat(payloads().write(new Part(upload, Rows.TENANT, 0), ONE, later())).isTrue();
    payloads().finish(upload, row(HASH, later()));

    assertThat(payloads().finish(upload, row(HASH, later())))
        .isEqualTo(new Finished(row(HASH, later()), true));

    payloads().giveUp(upload);
    assertThat(removeAllParts()).isZero();
    assertThat(part(HASH, 1)).isEqualTo(TWO);
  }

  @Test
  public final void a_first_part_that_arrives_late_does_not_cost_the_payload_its_parts() {
    UUID upload = given(HASH);

    assertThat(payloads().write(new Part(upload, Rows.TENANT, 0), ONE, later())).isTrue();
    clock.advance(HOUR.multipliedBy(2));

    assertThat(removeAllParts()).isEqualTo(1);
    assertThat(part(HASH, 0)).isEqualTo(ONE);
    assertThat(part(HASH, 1)).isEqualTo(TWO);
  }

  @Test
  public final void the_same_content_is_stored_once_and_kept_for_the_longer_time() {
    given(HASH);
    UUID again = uploaded();

    Finished finished = payloads().finish(again, row(HASH, later().plus(HOUR)));

    assertThat(finished).isEqualTo(new Finished(row(HASH, later().plus(HOUR)), false));
    payloads().giveUp(again);
    assertThat(removeAllParts()).isEqualTo(3);
    assertThat(part(HASH, 1)).isEqualTo(TWO);
  }

  @Test
  public final void an_empty_content_has_no_parts() {
    PayloadRow empty = new PayloadRow(Rows.TENANT, HASH, 0, "text/plain", 0, later());

    assertThat(payloads().finish(Rows.newId().value(), empty)).isEqualTo(new Finished(empty, true));
    assertThat(payloads().finish(Rows.newId().value(), empty))
        .isEqualTo(new Finished(empty, false));

    clock.advance(HOUR.plus(MICRO));
    assertThat(payloads().removeUnused(now(), later(), 10)).isEqualTo(new Look(1, 0));
    assertThat(removeAllParts()).isZero();
  }

  @Test
  public final void an_upload_that_was_cut_off_goes_part_by_part_and_cannot_go_on() {
    UUID upload = uploaded();
    assertThat(payloads().removeParts(now(), 10)).isZero();

    clock.advance(HOUR.plus(MICRO));
    assertThat(payloads().removeParts(now(), 1)).isEqualTo(1);

    assertThat(payloads().write(new Part(upload, Rows.TENANT, 2), ONE, later())).isFalse();
    assertThat(payloads().write(new Part(upload, Rows.TENANT, 0), ONE, later())).isFalse();
    assertThat(payloads().finish(upload, row(HASH, later()))).isNull();
    assertThat(find(HASH)).isNull();
    assertThat(removeAllParts()).isEqualTo(2);
    assertThat(payloads().removeParts(later(), 10)).isZero();
  }

  @Test
  public final void an_upload_that_is_given_up_goes_at_once() {
    UUID upload = uploaded();

    payloads().giveUp(upload);

    assertThat(payloads().write(new Part(upload, Rows.TENANT, 2), ONE, later())).isFalse();
    assertThat(payloads().removeParts(StoredPayloads.GIVEN_UP.plusMillis(1), 10)).isEqualTo(3);
  }

  @Test
  public final void keeping_moves_the_moment_forward_only_and_tells_what_exists() {
    given(HASH);
    given(OTHER);
    Instant soon = now().plus(MINUTE);

    assertThat(payloads().keep(Rows.TENANT, List.of(OTHER, HASH, "c".repeat(64)), soon))
        .containsExactlyInAnyOrder(row(HASH, later()), row(OTHER, later()));
    assertThat(payloads().keep(Rows.TENANT, List.of(HASH), later().plus(HOUR)))
        .containsExactly(row(HASH, later().plus(HOUR)));
    assertThat(find(HASH)).isEqualTo(row(HASH, later().plus(HOUR)));
    assertThat(payloads().keep("other", List.of(HASH), later())).isEmpty();
  }

  @Test
  public final void keeping_in_a_transaction_ends_with_it() {
    given(HASH);
    Instant until = later().plus(HOUR);

    List<PayloadRow> kept =
        store.inTransaction(
            connection -> payloads().keepOn(connection, Rows.TENANT, List.of(HASH), until));

    assertThat(kept).containsExactly(row(HASH, until));
    assertThat(find(HASH)).isEqualTo(row(HASH, until));
  }

  @Test
  public final void what_no_run_uses_is_removed_after_its_time_and_the_rest_is_looked_at_later() {
    given(HASH);
    given(OTHER);
    InstanceId user = Rows.newId();
    given(start(user).payload(HASH));
    assertThat(payloads().removeUnused(now(), later(), 10)).isEqualTo(new Look(0, 0));

    clock.advance(HOUR.plus(MICRO));
    assertThat(payloads().removeUnused(now(), later(), 10)).isEqualTo(new Look(1, 1));

    assertThat(find(OTHER)).isNull();
    assertThat(part(OTHER, 0)).isNull();
    assertThat(find(HASH)).isEqualTo(row(HASH, later()));
    assertThat(payloads().removeUnused(now(), later(), 10)).isEqualTo(new Look(0, 0));
    assertThat(removeAllParts()).isEqualTo(3);
    assertThat(part(HASH, 1)).isEqualTo(TWO);
  }

  @Test
  public final void a_look_has_its_bound_and_begins_with_the_oldest() {
    given(HASH);
    clock.advance(MINUTE);
    given(OTHER);
    clock.advance(HOUR.multipliedBy(2));

    assertThat(payloads().removeUnused(now(), later(), 1)).isEqualTo(new Look(1, 0));
    assertThat(find(HASH)).isNull();
    assertThat(find(OTHER)).isNotNull();
  }

  @Test
  public final void a_content_that_was_removed_can_be_put_again() {
    given(HASH);
    clock.advance(HOUR.plus(MICRO));
    payloads().removeUnused(now(), later(), 10);

    given(HASH);

    assertThat(removeAllParts()).isEqualTo(3);
    assertThat(part(HASH, 0)).isEqualTo(ONE);
  }

  @Test
  public final void a_step_says_which_payloads_its_run_uses_and_once_is_enough() {
    given(HASH);
    given(OTHER);
    InstanceId id = Rows.newId();

    given(start(id).payload(HASH));
    given(step(id, 1).payload(HASH).payload(OTHER));
    given(step(id, 2).payload("c".repeat(64)));

    assertThat(tables.rowsOf(id).get("wm_payload_use"))
        .hasSize(2)
        .allSatisfy(row -> assertThat(row).contains(Rows.TENANT));
  }

  @Test
  public final void a_step_that_is_stopped_uses_nothing() {
    given(HASH);
    InstanceId id = givenStarted();

    assertThat(outcome(step(id, 7).payload(HASH))).isEqualTo(Outcome.STALE);

    assertThat(tables.rowsOf(id)).doesNotContainKey("wm_payload_use");
  }
}
