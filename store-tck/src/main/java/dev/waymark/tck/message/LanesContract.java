package dev.waymark.tck.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.store.Outbox;
import dev.waymark.engine.store.Outbox.Lane;
import dev.waymark.tck.Race;
import dev.waymark.tck.Rows;
import dev.waymark.tck.StoreContract;
import dev.waymark.tck.StoreFactory;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Leases of the lanes in which events travel. */
public abstract class LanesContract extends StoreContract {

  private final NodeId other = Rows.newNode();

  @SuppressWarnings("NullAway.Init") // Set before each test.
  private Outbox outbox;

  public LanesContract(StoreFactory stores) {
    super(stores);
  }

  @BeforeEach
  void askOutbox() {
    outbox = store.outbox();
  }

  @Test
  void a_node_leases_lanes_up_to_its_share() {
    assertThat(lease(node, 10)).hasSize(10).doesNotHaveDuplicates();
    assertThat(lease(other, 100)).hasSize(Outbox.LANES - 10);
  }

  @Test
  void lanes_that_are_held_are_kept_with_their_fence() {
    List<Lane> held = lease(node, 10);
    clock.advance(MINUTE.dividedBy(2));

    assertThat(lease(node, 12)).hasSize(12).containsAll(held);

    clock.advance(MINUTE.minus(MICRO));
    assertThat(lease(other, 100)).hasSize(Outbox.LANES - 12);
  }

  @Test
  void a_node_that_asks_for_fewer_lanes_gives_the_others_back() {
    var unused = lease(node, Outbox.LANES);

    assertThat(lease(node, 32)).hasSize(32);

    assertThat(lease(other, 32)).hasSize(32);
  }

  @Test
  void lanes_that_have_lapsed_go_to_another_node_with_a_new_fence() {
    List<Lane> held = lease(node, Outbox.LANES);
    clock.advance(MINUTE);

    List<Lane> taken = lease(other, Outbox.LANES);

    assertThat(taken).hasSize(Outbox.LANES).doesNotContainAnyElementsOf(held);
    assertThat(lease(node, Outbox.LANES)).isEmpty();
  }

  @Test
  void lanes_that_are_given_back_are_free_at_once() {
    var unused = lease(node, Outbox.LANES);

    outbox.release(node);

    assertThat(lease(other, Outbox.LANES)).hasSize(Outbox.LANES);
  }

  @Test
  void no_lane_has_two_holders() throws Exception {
    List<NodeId> nodes = Stream.generate(Rows::newNode).limit(8).toList();

    List<List<Lane>> held = Race.run(i -> () -> lease(nodes.get(i), 20));

    assertThat(held).allSatisfy(own -> assertThat(own).hasSizeLessThanOrEqualTo(20));
    assertThat(held.stream().flatMap(List::stream).map(Lane::lane)).doesNotHaveDuplicates();
  }

  private List<Lane> lease(NodeId holder, int most) {
    return outbox.lease(holder, most, MINUTE);
  }
}
