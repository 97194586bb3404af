package dev.waymark.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.waymark.core.Json;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.sqlite.SqliteStore;
import dev.waymark.testkit.Run;
import dev.waymark.testkit.WorkflowTestKit;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ExpenseApprovalExampleTest {

  @Test
  void an_expense_goes_through_the_levels_that_it_needs() {
    List<String> world = new ArrayList<>();

    var ended =
        ExpenseApprovalExample.run(SqliteStore.inMemory(InstantSource.system()), world::add);

    assertThat(ended.status()).isEqualTo(Status.COMPLETED);
    assertThat(world)
        .containsExactly(
            "lea sees 'Expense of rita', level 1",
            "rita may not: NOT_YOURS",
            "mia sees 'Expense of rita', level 2",
            "rita may not: NOT_YOURS",
            "paid 60000",
            "level 1: approved by lea",
            "level 2: approved by mia");
  }

  @ParameterizedTest
  @CsvSource({
    "5000, ''",
    "5001, lea",
    "25001, lea mia",
    "100001, lea mia dan",
    "500001, lea mia cleo",
  })
  void each_amount_needs_its_people(long amount, String people) {
    try (WorkflowTestKit kit = kit(ExpenseApprovalExample.EXPENSE)) {
      Run run = kit.start("expense-approval", Map.of("amount", amount, "requester", "rita"));
      for (String who : people.isEmpty() ? new String[0] : people.split(" ", -1)) {
        assertThat(run.status()).isEqualTo(Status.RUNNING);
        approve(kit, run, "approve", Caller.of(who)).orThrow();
      }
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(run.completed()).contains("pay");
    }
  }

  @Test
  void whom_nobody_answers_in_time_it_goes_past() {
    try (WorkflowTestKit kit = kit(ExpenseApprovalExample.EXPENSE)) {
      Run run = kit.start("expense-approval", Map.of("amount", 6000, "requester", "rita"));
      assertThat(approve(kit, run, "approve", Caller.of("mia"))).isInstanceOf(Answer.Refused.class);
      kit.advance(Duration.ofDays(1));

      approve(kit, run, "approve", Caller.of("mia")).orThrow();
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
    }
  }

  /** The first example of the design, as it is written there. */
  private static final String DESIGN =
      """
      waymark: 1
      key: expense-approval
      name: Expense approval
      input:
        type: object
        required: [requestId, amount, requester]
      variables: { level: 1 }
      timeout: P30D
      start: validate
      activities:
        validate:
          type: set
          with: { high: "${ Variables.amount > 10000 }" }
          next: manager
        manager:
          type: approval
          with:
            approvers: ["${ Variables.manager }"]
            mode: any
            exclude: ["${ Variables.requester }"]
            due: P3D
            escalate: [{ after: P3D, to: group:finance }]
          next:
            - when: "Output.outcome == 'approved'"
              to: pay
            - to: rejected
        pay:
          type: http
          with: { service: payments, method: POST, url: "${ Variables.payUrl }", body: "${ Variables }" }
          retry: { attempts: 5, backoff: PT1S, maxBackoff: PT30S, jitter: 0.2 }
          timeout: PT1M
          compensate: refund
          on:
            error: { match: "Error.code == 'INSUFFICIENT_FUNDS'", to: rejected }
            timeout: { after: P1D, to: escalate, interrupt: false }
          next: done
        refund: { type: http }
        escalate: { type: end }
        rejected: { type: end }
        done: { type: end }
      """;

  /** A bank that answers over HTTP, and remembers what it was asked for. */
  private static final class Bank implements AutoCloseable {
    private final HttpServer server;
    private final List<String> asked = new ArrayList<>();
    private int status = 200;

    Bank() throws IOException {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
      server.createContext("/", this::answer);
      server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
      try (exchange) {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        asked.add(exchange.getRequestMethod() + " " + Json.readObject(body).get("requestId"));
        exchange.sendResponseHeaders(status, -1);
      }
    }

    String url() {
      return "http://%s:%d/pay"
          .formatted(server.getAddress().getHostString(), server.getAddress().getPort());
    }

    @Override
    public void close() {
      server.stop(0);
    }
  }

  /** The application's own activity for calls over HTTP. */
  private static ActivityResult call(ActivityContext context) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(context.input("url", String.class)))
            .method(
                context.input("method", String.class),
                HttpRequest.BodyPublishers.ofString(Json.write(context.input().get("body"))))
            .build();
    try (HttpClient client = HttpClient.newHttpClient()) {
      int status = client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
      return switch (status) {
        case 200 -> ActivityResult.completed(Map.of("paid", true));
        case 402 -> ActivityResult.failedForGood("INSUFFICIENT_FUNDS", "the account is empty");
        default -> throw new IllegalStateException("Expected 200 or 402, but got " + status);
      };
    }
  }

  @ParameterizedTest
  @CsvSource({"200, done", "402, rejected"})
  void the_example_of_the_design_runs_as_it_is_written(int status, String end) throws Exception {
    try (Bank bank = new Bank();
        WorkflowTestKit kit = kit(DESIGN)) {
      bank.status = status;
      Run run = kit.start("expense-approval", expense(bank));
      approve(kit, run, "manager", Caller.of("mia")).orThrow();

      assertThat(run.completed()).startsWith("validate", "manager").endsWith(end);
      assertThat(run.completed().contains("pay")).isEqualTo(status == 200);
      assertThat(run.status()).isEqualTo(Status.COMPLETED);
      assertThat(bank.asked).containsExactly("POST r1");
    }
  }

  @Test
  void a_bank_that_is_away_is_asked_five_times_as_the_design_says() throws Exception {
    try (Bank bank = new Bank();
        WorkflowTestKit kit = kit(DESIGN)) {
      bank.status = 503;
      Run run = kit.start("expense-approval", expense(bank));
      approve(kit, run, "manager", Caller.of("mia")).orThrow();
      kit.advance(Duration.ofMinutes(5));

      assertThat(bank.asked).hasSize(5).containsOnly("POST r1");
      assertThat(run.status()).isEqualTo(Status.SUSPENDED);
    }
  }

  @Test
  void an_expense_that_the_manager_leaves_lying_goes_to_finance() throws Exception {
    try (Bank bank = new Bank();
        WorkflowTestKit kit = kit(DESIGN)) {
      Run late = kit.start("expense-approval", expense(bank));
      kit.advance(Duration.ofDays(3));
      Actor finn = new Actor("finn", Actor.DEFAULT_TENANT, Set.of("finance"), Set.of());
      kit.engine()
          .approvals()
          .reject(late.bookmark("manager").id(), "No receipt", Caller.of(finn))
          .orThrow();
      kit.runUntilIdle();

      assertThat(late.completed()).containsExactly("validate", "manager", "rejected");
      assertThat(bank.asked).isEmpty();
    }
  }

  private static Map<String, Object> expense(Bank bank) {
    return Map.of(
        "requestId", "r1",
        "amount", 12,
        "requester", "rita",
        "manager", "mia",
        "payUrl", bank.url());
  }

  private static WorkflowTestKit kit(String definition) {
    WorkflowTestKit kit =
        WorkflowTestKit.with(
            builder ->
                builder
                    .activity("pay", context -> ActivityResult.completed())
                    .activity("http", ExpenseApprovalExampleTest::call));
    kit.deploy(definition);
    return kit;
  }

  private static Answer approve(WorkflowTestKit kit, Run run, String key, Caller caller) {
    Answer answer = kit.engine().approvals().approve(run.bookmark(key).id(), "", caller);
    kit.runUntilIdle();
    return answer;
  }
}
