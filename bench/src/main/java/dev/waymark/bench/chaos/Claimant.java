package dev.waymark.bench.chaos;

import static java.util.Collections.nCopies;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.engine.store.ClaimQuery;
import dev.waymark.engine.store.Leases.Claim;
import dev.waymark.engine.store.Store;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process whose workers claim until nothing is left, and write down what they got. */
public final class Claimant {

  static final Duration LEASE = Duration.ofHours(1);
  static final int WORKERS = 8;

  private Claimant() {}

  /** One claim: what, by whom, with which fence, and how many came with it. */
  private record Got(Claim claim, int together) {}

  /**
   * Arguments: the database's address, the process's name, how many a claim may take, and in which
   * way it is broken.
   */
  public static void main(String[] args) throws Exception {
    Store store = BrokenClaim.valueOf(args[3]).open(args[0]);
    int limit = Integer.parseInt(args[2]);
    System.out.println("READY");
    // All processes begin together.
    var unused =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    List<Got> all = new ArrayList<>();
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < WORKERS; i++) {
      String holder = args[1] + "-" + i;
      workers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    List<Got> own = claimAll(store, holder, limit);
                    synchronized (all) {
                      all.addAll(own);
                    }
                  }));
    }
    for (Thread worker : workers) {
      worker.join();
    }
    write(args[0], all);
    store.close();
  }

  private static List<Got> claimAll(Store store, String holder, int limit) {
    ClaimQuery query = ClaimQuery.of("claims", BookmarkKind.USER_ACTION, "anybody", LEASE);
    List<Got> own = new ArrayList<>();
    for (List<Claim> claims = store.leases().claim(query, nCopies(limit, holder));
        !claims.isEmpty();
        claims = store.leases().claim(query, nCopies(limit, holder))) {
      for (Claim claim : claims) {
        own.add(new Got(claim, claims.size()));
      }
    }
    return own;
  }

  private static void write(String url, List<Got> all) throws Exception {
    try (Connection connection = DriverManager.getConnection(url, "postgres", "postgres");
        PreparedStatement insert =
            connection.prepareStatement("insert into got values (?, ?, ?, ?)")) {
      connection.setAutoCommit(false);
      for (Got got : all) {
        insert.setLong(1, got.claim().bookmark().tag());
        insert.setString(2, got.claim().lease().holder());
        insert.setLong(3, got.claim().lease().fence());
        insert.setInt(4, got.together());
        insert.addBatch();
      }
      var unused = insert.executeBatch();
      connection.commit();
    }
  }
}
