package dev.waymark.bench;

import dev.waymark.bench.chaos.BusyRun;
import dev.waymark.bench.chaos.CutRun;
import dev.waymark.bench.chaos.KillRun;
import dev.waymark.bench.chaos.OutageRun;
import dev.waymark.bench.chaos.TakeoverRun;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** The chaos runs as commands. A run that finds a fault fails. */
final class Chaos {

  private Chaos() {}

  private static Figures judged(Figures figures, List<String> faults, PrintStream out) {
    faults.stream().limit(20).forEach(fault -> out.println("  FAULT " + fault));
    if (!faults.isEmpty()) {
      throw new IllegalStateException(
          "Expected nothing lost, doubled or stranded, but found " + faults.size() + " faults");
    }
    return figures.put("faults", faults.size());
  }

  /** Kills a node under load. */
  static final class Kill implements Benchmark {

    @Override
    public String name() {
      return "kill";
    }

    @Override
    public String summary() {
      return "kill -9 of a node under load, again and again (20 times)";
    }

    @Override
    public Figures run(Options options, PrintStream out) {
      KillRun run = new KillRun(options.timesOr(20), Duration.ofSeconds(3));
      KillRun.Result result =
          options.store() == Options.Kind.POSTGRES ? run.onPostgres() : run.onSqlite();
      return judged(
          new Figures()
              .put("w", name())
              .put("store", options.store().toString())
              .put("kills", result.kills())
              .put("orphans", result.orphans())
              .put("recovery_max_s", result.worstSeconds())
              .put("instances", result.instances()),
          result.faults(),
          out);
    }
  }

  /** Cuts connections around the commit of a batch. */
  static final class Cut implements Benchmark {

    @Override
    public String name() {
      return "cut";
    }

    @Override
    public String summary() {
      return "connections cut before, after and around the commit of a batch (500 times)";
    }

    @Override
    public Figures run(Options options, PrintStream out) {
      CutRun.Result result = new CutRun(options.timesOr(500)).run();
      return judged(
          new Figures()
              .put("w", name())
              .put("store", "postgres")
              .put("cuts", result.cuts())
              .put("commands", result.commands()),
          result.faults(),
          out);
    }
  }

  /** Takes the database away from two nodes. */
  static final class Outage implements Benchmark {

    @Override
    public String name() {
      return "outage";
    }

    @Override
    public String summary() {
      return "two nodes without their database for longer than their leases (30 s)";
    }

    @Override
    public Figures run(Options options, PrintStream out) {
      OutageRun.Result result = new OutageRun(Duration.ofSeconds(options.timesOr(30))).run();
      return judged(
          new Figures()
              .put("w", name())
              .put("store", "postgres")
              .put("outage_s", result.outage().toSeconds())
              .put("instances", result.instances())
              .put("bodies", result.bodies()),
          result.faults(),
          out);
    }
  }

  /** Keeps every core of two nodes busy with bodies. */
  static final class Busy implements Benchmark {

    @Override
    public String name() {
      return "busy";
    }

    @Override
    public String summary() {
      return "bodies that compute on every core of two nodes (60 s); starts are answered meanwhile";
    }

    @Override
    public Figures run(Options options, PrintStream out) {
      BusyRun.Result result = new BusyRun(options.timesOr(60)).run();
      return judged(
          new Figures()
              .put("w", name())
              .put("store", "postgres")
              .put("busy_s", result.seconds())
              .put("starts", result.starts())
              .put("p50_ms", result.p50())
              .put("p99_ms", result.p99()),
          result.faults(),
          out);
    }
  }

  /** Kills a node with many slow bodies. */
  static final class Takeover implements Benchmark {

    @Override
    public String name() {
      return "takeover";
    }

    @Override
    public String summary() {
      return "kill -9 of a node that runs bodies of 2 s (500 of them), done by the other in 30 s";
    }

    @Override
    public Figures run(Options options, PrintStream out) {
      TakeoverRun.Result result = new TakeoverRun(options.timesOr(500)).run();
      return judged(
          new Figures()
              .put("w", name())
              .put("store", "postgres")
              .put("bodies", result.bodies())
              .put("done_s", result.seconds()),
          result.faults(),
          out);
    }
  }
}
