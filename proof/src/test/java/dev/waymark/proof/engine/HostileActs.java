package dev.waymark.proof.engine;

import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.message.Messages.Correlated;
import dev.waymark.engine.store.Store;
import dev.waymark.proof.PostgresServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Acts of hostile tenants, repeated until the test ends them: they spoil and lock rows, and start
 * and send more than a node can do.
 */
final class HostileActs {

  interface Hostility {
    void act() throws Exception;
  }

  private final String url;
  private final CountDownLatch over;
  private final List<Caller> tenants;

  /** Acts that were carried out, by their kind. */
  private final Map<String, Integer> acts = new ConcurrentHashMap<>();

  private int floods;

  HostileActs(String url, CountDownLatch over, Caller... tenants) {
    this.url = url;
    this.over = over;
    this.tenants = List.of(tenants);
  }

  Map<String, Integer> carriedOut() {
    return acts;
  }

  Void again(Duration pause, Hostility hostility) throws Exception {
    while (!over.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
      try {
        hostility.act();
      } catch (SQLException | RuntimeException e) {
        // Some acts are refused, and do not count.
      }
    }
    return null;
  }

  private void carriedOut(String kind) {
    acts.merge(kind, 1, Integer::sum);
  }

  /** Spoils rows, and counts when there were any. */
  void plant(SpoiledRuns runs, Store store) {
    if (runs.plant(store) > 0) {
      carriedOut("planted");
    }
  }

  /** An application that locks rows of its own runs and does not come back for a while. */
  void holdLocks() throws SQLException, InterruptedException {
    try (Connection connection =
        DriverManager.getConnection(url, PostgresServer.USER, PostgresServer.PASSWORD)) {
      connection.setAutoCommit(false);
      boolean locked = false;
      for (String table : List.of("wm_instance", "wm_bookmark", "wm_inbox")) {
        try (PreparedStatement lock =
                connection.prepareStatement(
                    "select 1 from " + table + " where tenant in ('mallory', 'trudy') for update");
            ResultSet rows = lock.executeQuery()) {
          locked |= rows.next();
        }
      }
      if (locked) {
        carriedOut("locked");
      }
      var unused = over.await(2, TimeUnit.SECONDS);
      connection.rollback();
    }
  }

  /** Runs whose bodies hang, whose documents are huge, and whose messages come by the hundred. */
  void flood(Engine engine) {
    String huge = "x".repeat(1_000_000);
    int number = floods++;
    for (Caller who : tenants) {
      Caller impatient = who.withTimeout(Duration.ofSeconds(1));
      String name = who.actor().id();
      for (StartRequest request :
          List.of(
              StartRequest.of("hanging"),
              StartRequest.of("order").input(Map.of("who", name, "huge", huge)))) {
        var unused =
            engine
                .instances()
                .startAsync(request, impatient)
                .thenAccept(
                    answer -> {
                      if (answer instanceof Answer.Done) {
                        carriedOut("run");
                      }
                    });
      }
      for (int i = 0; i < 5; i++) {
        var unused =
            engine
                .messages()
                .correlateAsync(
                    Correlated.of("paid", name, Map.of(), "shop", number + "-" + i), impatient)
                .thenAccept(
                    fresh -> {
                      if (fresh) {
                        carriedOut("message");
                      }
                    });
      }
    }
  }
}
