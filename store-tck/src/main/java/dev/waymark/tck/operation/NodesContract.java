package dev.waymark.tck.operation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Nodes;
import dev.waymark.engine.store.Nodes.NodeRow;
import dev.waymark.engine.store.Nodes.Renewal;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Nodes: registered, renewed, declared dead. */
public abstract class NodesContract extends StoreContract {

  private static final Duration LEASE = Duration.ofSeconds(15);

  private final NodeId other = Rows.newNode();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Nodes nodes;

  public NodesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askNodes() {
    nodes = store.nodes();
  }

  @Test
  void a_registered_node_is_alive_and_is_told_the_databases_time() {
    assertThat(nodes.register(other, "other", LEASE))
        .extracting(Renewal::alive, Renewal::databaseTime)
        .containsExactly(true, now());

    assertThat(nodes.list()).contains(new NodeRow(other, "other", true, now().plus(LEASE), now()));
  }

  @Test
  void a_renewal_counts_from_now() {
    clock.advance(HOUR);

    assertThat(nodes.renew(node, LEASE))
        .extracting(Renewal::alive, Renewal::databaseTime)
        .containsExactly(true, now());

    assertThat(nodes.list()).extracting(NodeRow::validUntil).containsExactly(now().plus(LEASE));
  }

  @Test
  void a_node_that_has_merely_lapsed_renews_and_goes_on() {
    clock.advance(Duration.ofDays(2));

    assertThat(nodes.renew(node, LEASE).alive()).isTrue();
  }

  @Test
  void a_dead_node_stays_dead() {
    nodes.leave(node);
    nodes.leave(node);

    assertThat(nodes.renew(node, LEASE).alive()).isFalse();
    assertThat(nodes.list()).extracting(NodeRow::alive).containsExactly(false);
  }

  @Test
  void a_node_that_is_not_known_is_not_alive() {
    assertThat(nodes.renew(other, LEASE))
        .extracting(Renewal::alive, Renewal::databaseTime)
        .containsExactly(false, now());
    assertThat(nodes.list()).hasSize(1);
  }

  @Test
  void a_node_that_comes_where_only_one_may_be_declares_all_others() {
    assumeThat(stores.takesManyNodes()).isFalse();

    var unused = nodes.register(other, "other", LEASE);

    assertThat(nodes.renew(node, LEASE).alive()).isFalse();
    assertThat(nodes.renew(other, LEASE).alive()).isTrue();
  }

  @Test
  void a_node_that_comes_where_many_may_be_leaves_the_others_alone() {
    assumeThat(stores.takesManyNodes()).isTrue();

    var unused = nodes.register(other, "other", LEASE);

    assertThat(nodes.renew(node, LEASE).alive()).isTrue();
  }

  @Test
  void a_renewal_tells_when_the_first_other_living_node_lapses() {
    assertThat(nodes.renew(node, LEASE).nextLapse()).isNull();
    assumeThat(stores.takesManyNodes()).isTrue();
    NodeId third = Rows.newNode();
    var unused = nodes.register(other, "other", LEASE.plus(MINUTE));
    var firstSeen = nodes.register(third, "third", LEASE.plus(MICRO));

    assertThat(firstSeen.nextLapse()).isNotNull();
    assertThat(nodes.renew(node, LEASE).nextLapse()).isEqualTo(now().plus(LEASE).plus(MICRO));

    nodes.leave(third);
    var lapse = now().plus(LEASE).plus(MINUTE);
    assertThat(nodes.renew(node, LEASE).nextLapse()).isEqualTo(lapse);
    clock.advance(HOUR);
    assertThat(nodes.renew(node, LEASE).nextLapse()).isEqualTo(lapse);
    assertThat(nodes.declareLapsedDead(node)).containsExactly(other);
    assertThat(nodes.renew(node, LEASE).nextLapse()).isNull();
  }

  @Test
  void nobody_is_declared_before_its_lease_is_over() {
    var unused = nodes.register(other, "other", LEASE);
    clock.advance(LEASE.minus(MICRO));
    var renewed = nodes.renew(stores.takesManyNodes() ? node : other, LEASE);

    assertThat(renewed.alive()).isTrue();
    assertThat(nodes.declareLapsedDead(stores.takesManyNodes() ? node : other)).isEmpty();
  }

  @Test
  void a_lapsed_node_is_declared_once() {
    assumeThat(stores.takesManyNodes()).isTrue();
    var unused = nodes.register(other, "other", LEASE);
    clock.advance(LEASE);

    assertThat(nodes.declareLapsedDead(node)).containsExactly(other);

    assertThat(nodes.declareLapsedDead(node)).isEmpty();
    assertThat(nodes.renew(other, LEASE).alive()).isFalse();
  }

  @Test
  void of_eight_that_declare_a_lapsed_node_one_has_done_it() throws Exception {
    assumeThat(stores.takesManyNodes()).isTrue();
    var unused = nodes.register(other, "other", LEASE);
    clock.advance(LEASE);

    List<List<NodeId>> declared = Race.run(i -> () -> nodes.declareLapsedDead(node));

    assertThat(declared.stream().flatMap(List::stream)).containsExactly(other);
  }
}
