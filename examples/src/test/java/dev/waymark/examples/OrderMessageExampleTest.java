package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Status;
import dev.waymark.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OrderMessageExampleTest {

  @Test
  void an_order_goes_on_once_it_is_paid_in_full_and_shipped() {
    List<String> told = new ArrayList<>();

    Instance ended =
        OrderMessageExample.order(SqliteStore.inMemory(InstantSource.system()), "4711", told::add);

    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(ended.variables()).containsEntry("paid", 30L).containsEntry("track", "XY-1");
    assertThat(told)
        .startsWith("kept: payment for order 4711", "too little was paid, so the order waits")
        .contains("the bank calls twice, and the second call is known");
  }
}
