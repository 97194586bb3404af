package dev.waymark.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waymark.core.instance.Actor;
import org.junit.jupiter.api.Test;

class CallerTest {

  @Test
  void a_caller_has_a_tenant_and_so_is_never_the_engine_itself() {
    assertThatThrownBy(() -> Caller.of(Actor.ENGINE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("Expected a caller's tenant, but got an empty text");
  }
}
