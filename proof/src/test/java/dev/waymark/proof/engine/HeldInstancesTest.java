package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.activity.ActivityResult;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.postgres.PostgresOptions;
import dev.waymark.postgres.PostgresStore;
import dev.waymark.proof.PostgresServer;
import dev.waymark.proof.support.Soon;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Applications lock instances in transactions that do not end; the others' work goes on. */
final class HeldInstancesTest {

  private static final Caller MALLORY = caller("mallory");
  private static final Caller ALICE = caller("alice");

  /** What alice's work may take: it took a multiple while each held row delayed it by 5 s. */
  private static final Duration SOON = Duration.ofSeconds(10);

  private static final String NAP =
      """
      waymark: 1
      key: nap
      start: nap
      activities: { nap: { type: timer, with: { after: PT1S } } }
      """;

  private static final String EXPIRING =
      """
      waymark: 1
      key: expiring
      start: ask
      activities: { ask: { type: wait, with: { for: user-action, expires: PT1S } } }
      """;

  private static final String AGAIN =
      """
      waymark: 1
      key: again
      start: work
      activities: { work: { type: fails-first, retry: { attempts: 3, backoff: PT1S, jitter: 0 } } }
      """;

  private static final String ASK =
      """
      waymark: 1
      key: ask
      start: ask
      activities: { ask: { type: wait } }
      """;

  private static final String SIGNALLED =
      """
      waymark: 1
      key: signalled
      start: go
      activities: { go: { type: wait, with: { for: signal, key: go } } }
      """;

  private static final String PAID =
      """
      waymark: 1
      key: paid
      start: paid
      activities:
        paid: { type: wait, with: { for: external-message, key: paid, correlate: "${ Variables.who }" } }
      """;

  private final String url = PostgresServer.shared().url(PostgresServer.shared().newDatabase());
  private Engine engine;

  private static Caller caller(String who) {
    return Caller.of(new Actor(who, who, Set.of("clerks"), Set.of()));
  }

  @BeforeEach
  void open() {
    engine =
        Engine.builder(
                PostgresStore.open(
                    url, PostgresServer.USER, PostgresServer.PASSWORD, PostgresOptions.DEFAULTS))
            .activity(
                "fails-first",
                context -> {
                  if (context.attempt() == 1) {
                    throw new IllegalStateException("the first attempt fails");
                  }
                  return ActivityResult.completed();
                })
            .start();
    for (Caller who : List.of(MALLORY, ALICE)) {
      for (String definition : List.of(NAP, EXPIRING, AGAIN, ASK, SIGNALLED, PAID)) {
        engine.definitions().deploy(definition, who);
      }
    }
  }

  @AfterEach
  void close() {
    engine.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"nap", "expiring", "again"})
  void a_held_instance_delays_nobody_elses_time(String definition) throws Exception {
    InstanceId held = start(definition, MALLORY);
    try (Connection holder = connect()) {
      hold(holder, List.of(held));
      awaitWaiters(1);

      long begun = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        InstanceId run = start(definition, ALICE);
        assertThat(engine.instances().awaitEnd(run, SOON, ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
      holder.rollback();
    }
    assertThat(engine.instances().awaitEnd(held, SOON, MALLORY).status())
        .isEqualTo(Status.COMPLETED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"signalled", "paid"})
  void a_held_instance_delays_nobody_elses_messages(String definition) throws Exception {
    InstanceId held = start(definition, MALLORY);
    try (Connection holder = connect()) {
      hold(holder, List.of(held));
      tell(definition, "1", MALLORY);
      awaitWaiters(1);

      long begun = System.nanoTime();
      for (int i = 0; i < 3; i++) {
        InstanceId run = start(definition, ALICE);
        tell(definition, "1" + i, ALICE);
        assertThat(engine.instances().awaitEnd(run, SOON, ALICE).status())
            .isEqualTo(Status.COMPLETED);
      }
      assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(SOON);
      holder.rollback();
    }
    assertThat(engine.instances().awaitEnd(held, SOON, MALLORY).status())
        .isEqualTo(Status.COMPLETED);
  }

  @Test
  void a_unit_does_not_stand_in_line_behind_others_that_wait_for_held_rows() throws Exception {
    List<InstanceId> theirs = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      theirs.add(start("ask", MALLORY));
    }
    InstanceId hers = start("ask", ALICE);
    try (Connection holder = connect();
        Connection other = connect()) {
      hold(holder, theirs);
      hold(other, List.of(hers));
      for (InstanceId run : theirs) {
        var unused = resume(run, MALLORY);
      }
      awaitWaiters(2);
      CompletableFuture<Answer> answer = resume(hers, ALICE);
      // By then her unit has had its tries with others, and looked for a place to wait.
      awaitWaiters(6);

      other.rollback();
      assertThat(answer.get(SOON.toSeconds(), TimeUnit.SECONDS)).isInstanceOf(Answer.Done.class);
      holder.rollback();
    }
    assertThat(engine.instances().awaitEnd(theirs.getLast(), SOON, MALLORY).status())
        .isEqualTo(Status.COMPLETED);
  }

  private InstanceId start(String definition, Caller who) {
    return engine
        .instances()
        .start(StartRequest.of(definition).input(Map.of("who", who.actor().id())), who)
        .orThrow();
  }

  private void tell(String definition, String id, Caller who) {
    if (definition.equals("paid")) {
      engine
          .messages()
          .correlate(Correlated.of("paid", who.actor().id(), Map.of(), "shop", id), who);
    } else {
      engine.messages().signal("go", Map.of(), "shop", id, who);
    }
  }

  private CompletableFuture<Answer> resume(InstanceId run, Caller who) {
    BookmarkId wait = engine.instances().find(run, who).orElseThrow().bookmarks().firstKey();
    return engine.bookmarks().resumeAsync(wait, Map.of(), who);
  }

  private Connection connect() throws SQLException {
    Connection connection =
        DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD);
    connection.setAutoCommit(false);
    return connection;
  }

  private static void hold(Connection holder, List<InstanceId> runs) throws SQLException {
    try (PreparedStatement lock =
        holder.prepareStatement("select 1 from wm_instance where id = any(?) for update")) {
      lock.setArray(
          1, holder.createArrayOf("uuid", runs.stream().map(InstanceId::value).toArray()));
      lock.execute();
    }
  }

  /** Looks until so many statements have been seen that waited for a row. */
  private void awaitWaiters(int statements) throws Exception {
    Set<String> seen = new HashSet<>();
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      connection.setAutoCommit(true);
      Soon.until(
          SOON,
          () -> {
            try (ResultSet rows =
                statement.executeQuery(
                    "select query_start from pg_stat_activity"
                        + " where datname = current_database() and wait_event_type = 'Lock'")) {
              while (rows.next()) {
                seen.add(rows.getString("query_start"));
              }
            }
            return seen.size();
          },
          count -> count >= statements);
    }
  }
}
