package dev.waymark.bench.chaos;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.bookmark.ClaimResult;
import dev.waymark.proof.PostgresServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * Freezes a process that holds a bookmark for longer than its lease, lets another take it, and
 * wakes the first one up, which goes on as if nothing had happened.
 */
public final class FreezeRun {

  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Caller BOB = Caller.of("bob");
  private static final String FLOW =
      """
      waymark: 1
      key: freeze
      start: ask
      activities:
        ask: { type: wait }
      """;

  /**
   * What a run found.
   *
   * @param late what the first holder was told
   * @param answer what the new holder was told
   * @param end the run at its end
   */
  public record Result(String late, Answer answer, Instance end) {}

  public Result run() {
    PostgresServer server = PostgresServer.shared();
    String url = server.url(server.newDatabase());
    try (Engine engine = Engine.builder(Victim.open("postgres", url)).start()) {
      engine.definitions().deploy(FLOW, BOB);
      InstanceId id = engine.instances().start(StartRequest.of("freeze"), BOB).orThrow();
      BookmarkId bookmark = engine.instances().find(id, BOB).orElseThrow().bookmarks().firstKey();
      Child holder =
          Child.start(Holder.class, url, bookmark.toString(), Long.toString(LEASE.toMillis()));
      holder.signal("STOP");
      ClaimResult.Held mine = takeOver(engine, bookmark);
      holder.signal("CONT");
      holder.say("go");
      String late = holder.line();
      Answer answer = engine.bookmarks().resume(bookmark, mine.lease(), Map.of("by", "bob"), BOB);
      Instance end = engine.instances().awaitEnd(id, PATIENCE, BOB);
      holder.kill();
      return new Result(late, answer, end);
    }
  }

  /** It is refused until the lease of the frozen one is over, and granted then. */
  private static ClaimResult.Held takeOver(Engine engine, BookmarkId bookmark) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      if (engine.bookmarks().claim(bookmark, Duration.ofHours(1), BOB)
          instanceof ClaimResult.Held held) {
        return held;
      }
      LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
    }
    throw new IllegalStateException("Expected the lease to lapse, but it did not");
  }
}
