package dev.waymark.bench.chaos;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Lease;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

/** A process that claims one bookmark, and answers it when it is told to. */
public final class Holder {

  private Holder() {}

  /** Arguments: the database's address, the bookmark, the lease in milliseconds. */
  public static void main(String[] args) throws Exception {
    Caller anna = Caller.of("anna");
    try (Engine engine = Engine.builder(Victim.open("postgres", args[0])).name("holder").start()) {
      BookmarkId bookmark = BookmarkId.parse(args[1]);
      Duration duration = Duration.ofMillis(Long.parseLong(args[2]));
      Lease lease = engine.bookmarks().claim(bookmark, duration, anna).orThrow().lease();
      System.out.println("READY");
      var unused =
          new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
      Answer answer = engine.bookmarks().resume(bookmark, lease, Map.of("by", "anna"), anna);
      System.out.println(
          answer instanceof Answer.Refused refused
              ? refused.rejection().code() + " " + refused.rejection().message()
              : "DONE");
    }
  }
}
