package dev.waymark.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class RunRequestsTest {

  private static RunRequests of(String... options) {
    return new RunRequests(Options.parse(List.of(options)));
  }

  @Test
  void a_request_has_neither_key_nor_document_unless_they_are_asked_for() {
    var request = of().next("w1", Map.of("client", 3));

    assertThat(request.definition()).isEqualTo("w1");
    assertThat(request.businessKey()).isNull();
    assertThat(request.input()).containsOnlyKeys("client");
  }

  @Test
  void each_request_has_another_key() {
    RunRequests requests = of("--keys", "yes");

    assertThat(requests.next("w1").businessKey()).isEqualTo("order-1");
    assertThat(requests.next("w1").businessKey()).isEqualTo("order-2");
  }

  @Test
  void a_document_stands_beside_the_input() {
    var request = of("--payload", "10").next("w1", Map.of("client", 3));

    assertThat(request.input()).containsOnlyKeys("client", "document");
    assertThat(Json.write(request.input().get("document")))
        .hasSameSizeAs(Json.write(OrderDocument.ofKilobytes(10)));
  }

  @Test
  void fewer_starts_are_under_way_with_large_documents_and_they_have_more_time() {
    assertThat(of().atOnce(5_000)).isEqualTo(5_000);
    assertThat(of("--payload", "100").atOnce(5_000)).isEqualTo(200);
    assertThat(of("--payload", "100").atOnce(50)).isEqualTo(50);
    assertThat(of().timeToStart(10_000)).isEqualTo(Duration.ofSeconds(10));
    assertThat(of("--payload", "100").timeToStart(10_000)).isEqualTo(Duration.ofSeconds(50));
  }
}
