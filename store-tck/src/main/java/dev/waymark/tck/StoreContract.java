package dev.waymark.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.CommitResult.Outcome;
import dev.waymark.engine.store.Inbox;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.UnitRows.MessageRow;
import dev.waymark.testkit.VirtualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** The base of all contracts: an empty store, a clock to turn, and one node that is alive. */
public abstract class StoreContract {

  public static final Duration HOUR = Duration.ofHours(1);
  public static final Duration MINUTE = Duration.ofMinutes(1);

  /** The smallest step that both databases can tell. */
  public static final Duration MICRO = Duration.ofNanos(1_000);

  public final VirtualClock clock = new VirtualClock();
  public final NodeId node = Rows.newNode();
  public final StoreFactory stores;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  public Store store;

  @SuppressWarnings("NullAway.Init") // Set before each test.
  public Tables tables;

  public StoreContract(StoreFactory stores) {
    this.stores = stores;
  }

  @BeforeEach
  final void open() throws Exception {
    store = stores.open(clock);
    tables = new Tables(store, stores);
    var unused = store.nodes().register(node, "contract", Duration.ofDays(1));
  }

  @AfterEach
  final void close() {
    store.close();
  }

  public final Instant now() {
    return clock.instant();
  }

  public final Rows start(InstanceId id) {
    return Rows.start(id, now());
  }

  public final Rows step(InstanceId id, long before) {
    return Rows.step(id, before, now());
  }

  /** Commits one unit alone. */
  protected final CommitResult commit(Rows rows) {
    return store.commit(node, List.of(rows.build())).get(0);
  }

  public final Outcome outcome(Rows rows) {
    return commit(rows).outcome();
  }

  /** Commits units that must all commit: the preparation of a test, not its subject. */
  public final void given(Rows... rows) {
    List<UnitRows> units = Arrays.stream(rows).map(Rows::build).toList();
    assertThat(store.commit(node, units))
        .allSatisfy(result -> assertThat(result.outcome()).isEqualTo(Outcome.COMMITTED));
  }

  public final InstanceId givenStarted() {
    InstanceId id = Rows.newId();
    given(start(id));
    return id;
  }

  public final Load.Answer load(InstanceId id) {
    return store.load(List.of(Load.of(id))).get(0);
  }

  public final long versionOf(InstanceId id) {
    var instance = load(id).instance();
    return instance == null ? 0 : instance.version();
  }

  /** The messages that wait for these instances, one after another. */
  public final List<MessageRow> waiting(InstanceId... instances) {
    return Stream.of(instances)
        .flatMap(
            id -> store.inbox().waitingFor(Rows.TENANT, id, Inbox.Place.START, 100).rows().stream())
        .toList();
  }
}
