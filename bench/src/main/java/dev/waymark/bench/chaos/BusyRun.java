package dev.waymark.bench.chaos;

import dev.waymark.proof.PostgresServer;
import java.util.ArrayList;
import java.util.List;

/**
 * Lets bodies compute on every core of two nodes at once, and looks whether the nodes stay alive
 * and answer.
 */
public final class BusyRun {

  private static final double MOST_MILLIS = 1_000;

  /** The findings of a run; times are of the slower node, in milliseconds. */
  public record Result(int seconds, int starts, double p50, double p99, List<String> faults) {}

  private final int seconds;

  public BusyRun(int seconds) {
    this.seconds = seconds;
  }

  public Result run() {
    PostgresServer server = PostgresServer.durable();
    String url = server.url(server.newDatabase());
    List<Child> nodes = new ArrayList<>();
    for (String name : List.of("first", "second")) {
      nodes.add(Child.start(Spinner.class, url, name, Integer.toString(seconds)));
    }
    List<String> faults = new ArrayList<>();
    int starts = 0;
    double p50 = 0;
    double p99 = 0;
    for (Child node : nodes) {
      String said = node.line();
      System.out.println("  starts, p50, p99, max in ms, same node, bodies run again: " + said);
      String[] words = said.split(" ", -1);
      if (words.length != 6) {
        faults.add("Expected the figures of a node, but it said '" + said + "'");
        continue;
      }
      starts += Integer.parseInt(words[0]);
      p50 = Math.max(p50, Double.parseDouble(words[1]));
      p99 = Math.max(p99, Double.parseDouble(words[2]));
      if (p99 > MOST_MILLIS) {
        faults.add(
            "Expected starts within %s ms at p99, but it was %s".formatted(MOST_MILLIS, p99));
      }
      if (!words[4].equals("true") || !words[5].equals("0")) {
        faults.add("Expected a node that stays alive, but it was declared dead: " + said);
      }
      node.kill();
    }
    return new Result(seconds, starts, p50, p99, faults);
  }
}
