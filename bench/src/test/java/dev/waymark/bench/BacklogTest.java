package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class BacklogTest {

  @Test
  void one_that_breathes_is_flat() {
    assertThat(new Backlog(List.of(900L, 1_400L, 300L, 1_900L, 800L, 1_500L)).isFlat()).isTrue();
  }

  @Test
  void one_that_grows_to_the_end_is_not() {
    assertThat(new Backlog(List.of(5_000L, 10_000L, 15_000L, 20_000L, 25_000L, 30_000L)).isFlat())
        .isFalse();
  }
}
