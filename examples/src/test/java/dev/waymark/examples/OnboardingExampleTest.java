package dev.waymark.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.Status;
import dev.waymark.sqlite.SqliteStore;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class OnboardingExampleTest {

  @Test
  void somebody_new_is_welcomed_once_the_partner_has_called_back() {
    List<String> told = new ArrayList<>();

    Instance ended =
        OnboardingExample.onboard(SqliteStore.inMemory(InstantSource.system()), told::add);

    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(told)
        .contains(
            "reminded: people, Ada still waits",
            "outcome: welcome",
            "waits that ended: [TIMER, EXTERNAL_MESSAGE, TIMER]");
  }
}
