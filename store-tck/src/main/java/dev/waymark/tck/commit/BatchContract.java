package dev.waymark.tck.commit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Step.Spend.Guard;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * Fifty units that each write to every table, one of which cannot commit: it alone fails and leaves
 * no row, and the other forty-nine are there.
 */
public abstract class BatchContract extends StoreContract {

  private static final int UNITS = 50;
  private static final int CULPRIT = 17;

  public BatchContract(StoreFactory stores) {
    super(stores);
  }

  @TestFactory
  Stream<DynamicTest> one_step_that_cannot_commit_does_not_hold_up_the_others() {
    return Stream.of(
        step(Outcome.FAILED, "an instance in no known status", u -> u.status(99)),
        step(Outcome.FAILED, "a visit that is begun twice", u -> u.beginWaiting(2)),
        step(Outcome.FAILED, "a visit to end that is not there", u -> u.end(9)),
        step(
            Outcome.FAILED,
            "a visit to change that is not there",
            u -> u.changeToRunning(9, 1, node)),
        step(Outcome.FAILED, "a bookmark that is created twice", u -> u.task(2)),
        step(Outcome.FAILED, "a history entry that is there twice", u -> u.entry(2, 0)),
        step(Outcome.FAILED, "an event without a type", u -> u.event("sink", 1, nothing())),
        step(Outcome.FAILED, "a message without a name", u -> u.send(message("x", nothing()))),
        step(
            Outcome.FAILED,
            "a command without a fingerprint",
            u -> u.remember("s", "c", nothing())),
        step(Outcome.FAILED, "a key of no known kind", u -> u.takeKey(9, "key")),
        step(Outcome.FAILED, "a key to free that it does not hold", u -> u.freeKey(0, "not-mine")),
        step(Outcome.FAILED, "a label that is there twice", u -> u.label("team", "blue")),
        step(Outcome.EXISTS, "a key that is taken", u -> u.takeKey(0, "taken")),
        step(Outcome.STALE, "a command that is known", u -> u.remember("s", "known", "abc")),
        step(Outcome.NOT_SPENDABLE, "a bookmark that is gone", u -> u.spend(9, Guard.ANY, 0)),
        step(Outcome.NOT_SPENDABLE, "a fence that is stale", u -> u.spend(3, Guard.FENCE, 1)),
        step(Outcome.NOT_SPENDABLE, "a message that is gone", u -> u.receive(gone())),
        step(
            Outcome.COMMITTED,
            "a message that was sent before",
            u -> u.send(message("old", "paid"))));
  }

  @TestFactory
  Stream<DynamicTest> one_start_that_cannot_commit_does_not_hold_up_the_others() {
    return Stream.of(
        start(Outcome.FAILED, "an instance in no known status", u -> u.status(99)),
        start(Outcome.FAILED, "an instance without variables", u -> u.variables(nothing())),
        start(Outcome.FAILED, "a visit that is begun twice", u -> u.beginWaiting(2)),
        start(Outcome.FAILED, "a bookmark that is created twice", u -> u.task(2)),
        start(Outcome.FAILED, "a history entry that is there twice", u -> u.entry(1, 0)),
        start(Outcome.FAILED, "an event without a type", u -> u.event("sink", 1, nothing())),
        start(Outcome.FAILED, "a message without a name", u -> u.send(message("x", nothing()))),
        start(
            Outcome.FAILED,
            "a command without a fingerprint",
            u -> u.remember("s", "c", nothing())),
        start(Outcome.FAILED, "a key of no known kind", u -> u.takeKey(9, "key")),
        start(Outcome.FAILED, "a label that is there twice", u -> u.label("team", "blue")),
        start(Outcome.EXISTS, "a key that is taken", u -> u.takeKey(0, "taken")),
        start(Outcome.EXISTS, "a command that is known", u -> u.remember("s", "known", "abc")));
  }

  private DynamicTest step(Outcome expected, String what, UnaryOperator<Rows> spoil) {
    return dynamicTest(what, () -> oneOfFifty(expected, true, spoil));
  }

  private DynamicTest start(Outcome expected, String what, UnaryOperator<Rows> spoil) {
    return dynamicTest(what, () -> oneOfFifty(expected, false, spoil));
  }

  private void oneOfFifty(Outcome expected, boolean steps, UnaryOperator<Rows> spoil) {
    givenWhatIsInTheWay();
    List<InstanceId> ids = Stream.generate(Rows::newId).limit(UNITS).toList();
    if (steps) {
      givenStartedWithThingsToSpend(ids);
    }
    InstanceId culprit = ids.get(CULPRIT);
    Map<String, List<String>> before = tables.rowsOf(culprit);

    List<UnitRows> units = new ArrayList<>();
    for (InstanceId id : ids) {
      Rows rows = steps ? fullStep(id) : fullStart(id);
      units.add((id.equals(culprit) ? spoil.apply(rows) : rows).build());
    }
    List<CommitResult> results = store.commit(node, units);

    assertThat(results).hasSize(UNITS);
    assertThat(results.get(CULPRIT).outcome()).isEqualTo(expected);
    long version = steps ? 2 : 1;
    for (int i = 0; i < UNITS; i++) {
      if (i != CULPRIT) {
        assertThat(results.get(i).outcome()).isEqualTo(Outcome.COMMITTED);
        assertThat(versionOf(ids.get(i))).isEqualTo(version);
      }
    }
    if (expected != Outcome.COMMITTED) {
      assertThat(tables.rowsOf(culprit)).isEqualTo(before);
    }
    if (expected == Outcome.FAILED) {
      assertThat(results.get(CULPRIT).cause())
          .extracting(StoreException::kind)
          .isEqualTo(StoreException.Kind.PERMANENT);
    }
  }

  private void givenWhatIsInTheWay() {
    // Repeated for every case of a factory, and already there from the second one on.
    var unused = outcome(start(Rows.newId()).takeKey(0, "taken").remember("s", "known", "abc"));
    store.inbox().receive(message("old", "paid"));
  }

  private void givenStartedWithThingsToSpend(List<InstanceId> ids) {
    given(
        ids.stream()
            .map(
                id ->
                    start(id).beginWaiting(1).task(1).bookmark(3, BookmarkKind.APPROVAL, "k", null))
            .toArray(Rows[]::new));
    // Claimed twice: fence 1, which one case spends, is stale then, and fence 2 is current.
    for (int i = 0; i < 2; i++) {
      assertThat(store.leases().claim(Rows.TENANT, BookmarkKind.APPROVAL, "anna", MINUTE, 1_000))
          .hasSizeGreaterThanOrEqualTo(UNITS);
      clock.advance(MINUTE);
    }
    for (InstanceId id : ids) {
      assertThat(store.inbox().receive(Rows.message(id, "to-" + id, "paid", now()))).isTrue();
    }
  }

  private Rows fullStart(InstanceId id) {
    return start(id)
        .beginWaiting(2)
        .task(2)
        .entry(1, 0)
        .event("sink", 0)
        .labels(Map.of("team", "red"))
        .send(Rows.message(Rows.newId(), "from-" + id, "hello", now()))
        .remember("start", "start-" + id, "abc")
        .takeKey(Rows.BUSINESS_KEY, "key-" + id);
  }

  private Rows fullStep(InstanceId id) {
    return step(id, 1)
        .variables("{\"n\":2}")
        .beginWaiting(2)
        .end(1)
        .task(2)
        .entry(2, 0)
        .event("sink", 0)
        .labels(Map.of("team", "red"))
        .send(Rows.message(Rows.newId(), "from-" + id, "hello", now()))
        .remember("step", "step-" + id, "abc")
        .takeKey(Rows.BUSINESS_KEY, "key-" + id)
        .spend(1, Guard.ANY, 0)
        .receive(new Message.Key(Rows.TENANT, "partner", "to-" + id));
  }

  private MessageRow message(String id, String name) {
    return Rows.message(Rows.newId(), id, name, now());
  }

  private static Message.Key gone() {
    return new Message.Key(Rows.TENANT, "partner", "gone");
  }

  /** A null, which no row may hold there. */
  @SuppressWarnings("NullAway")
  private static String nothing() {
    return null;
  }
}
