package dev.waymark.bench;

import java.io.PrintStream;
import org.jspecify.annotations.Nullable;

/**
 * What a run of W1 has found.
 *
 * @param heapMegabytes in use after a collection, while the clients ran
 * @param eventsPerStep delivered to the subscriber, where there was one
 */
record W1Report(
    Meter engine,
    Meter limit,
    double heapMegabytes,
    @Nullable Double hotRatio,
    @Nullable Backlog backlog,
    @Nullable Double eventsPerStep) {

  private static final double MEDIAN = 0.5;
  private static final double WORST = 0.99;

  double ratio() {
    return engine.stepsPerSecond() / limit.stepsPerSecond();
  }

  /**
   * The same by processor time: what the ratio would be if nothing but processors were short. It
   * holds on a machine that others use too.
   */
  double cpuRatio() {
    return allCpu(limit) / allCpu(engine);
  }

  private static double allCpu(Meter meter) {
    Double server = meter.serverCpuPerStep();
    return meter.cpuPerStep() + (server == null ? 0 : server);
  }

  Figures figures(String name, Options options) {
    Figures figures =
        new Figures()
            .put("w", name)
            .put("store", options.store().toString())
            .put("concurrency", options.clientsOr(W1.CLIENTS))
            .put("keys", options.keys())
            .put("payload_kb", options.payload())
            .put("instances_s", engine.instancesPerSecond())
            .put("steps_s", engine.stepsPerSecond())
            .put("limit_steps_s", limit.stepsPerSecond())
            .put("ratio", ratio())
            .put("p50_ms", engine.millisAt(MEDIAN))
            .put("p99_ms", engine.millisAt(WORST))
            .put("limit_p50_ms", limit.millisAt(MEDIAN))
            .put("run_p50_ms", engine.runMillisAt(MEDIAN))
            .put("run_p99_ms", engine.runMillisAt(WORST))
            .put("limit_run_p50_ms", limit.runMillisAt(MEDIAN))
            .put("limit_run_p99_ms", limit.runMillisAt(WORST))
            .put("heap_mb", heapMegabytes)
            .put("wal_bytes_per_run", engine.logPerRun())
            .put("wal_bytes_per_step", engine.logPerStep())
            .put("disk_bytes_per_step", engine.diskPerStep())
            .put("hot_ratio", hotRatio)
            .put("batch", engine.commits().meanUnits())
            .put("limit_batch", limit.commits().meanUnits())
            .put("commit_ms", engine.commits().meanMillis())
            .put("limit_commit_ms", limit.commits().meanMillis())
            .put("cpu_ratio", cpuRatio())
            .put("cpu_us_per_step", engine.cpuPerStep())
            .put("limit_cpu_us_per_step", limit.cpuPerStep())
            .put("server_cpu_us_per_step", engine.serverCpuPerStep())
            .put("limit_server_cpu_us_per_step", limit.serverCpuPerStep());
    if (backlog != null) {
      figures
          .put("events_per_step", eventsPerStep)
          .put("backlog_most", backlog.most())
          .put("backlog_flat", backlog.isFlat());
    }
    return figures;
  }

  void print(PrintStream out) {
    out.printf("%n  %-22s%14s%14s%n", "", "engine", "limit");
    row(out, "steps/s", "%,.0f", engine.stepsPerSecond(), limit.stepsPerSecond());
    row(out, "instances/s", "%,.0f", engine.instancesPerSecond(), limit.instancesPerSecond());
    row(out, "step p50, ms", "%,.3f", engine.millisAt(MEDIAN), limit.millisAt(MEDIAN));
    row(out, "step p99, ms", "%,.3f", engine.millisAt(WORST), limit.millisAt(WORST));
    row(out, "run p50, ms", "%,.3f", engine.runMillisAt(MEDIAN), limit.runMillisAt(MEDIAN));
    row(out, "run p99, ms", "%,.3f", engine.runMillisAt(WORST), limit.runMillisAt(WORST));
    row(
        out,
        "steps in a batch",
        "%,.1f",
        engine.commits().meanUnits(),
        limit.commits().meanUnits());
    row(
        out,
        "batch commit, ms",
        "%,.3f",
        engine.commits().meanMillis(),
        limit.commits().meanMillis());
    row(out, "CPU per step, us", "%,.1f", engine.cpuPerStep(), limit.cpuPerStep());
    row(out, "server's CPU, us", "%,.1f", engine.serverCpuPerStep(), limit.serverCpuPerStep());
    row(out, "WAL per run, bytes", "%,.0f", engine.logPerRun(), limit.logPerRun());
    row(out, "WAL per step, bytes", "%,.0f", engine.logPerStep(), limit.logPerStep());
    row(out, "disk per step, bytes", "%,.0f", engine.diskPerStep(), limit.diskPerStep());
    row(out, "heap, MB", "%,.0f", heapMegabytes, null);
    row(out, "HOT updates (both)", "%.2f", hotRatio, null);
    row(out, "events per step", "%.2f", eventsPerStep, null);
    out.printf("%n  ratio %.2f, by processor time %.2f%n", ratio(), cpuRatio());
    if (backlog != null) {
      out.printf("  backlog %s, by the second: %s%n", backlog.isFlat() ? "flat" : "GROWS", backlog);
    }
    out.println();
  }

  private static void row(
      PrintStream out,
      String name,
      String format,
      @Nullable Double engine,
      @Nullable Double limit) {
    if (engine != null) {
      out.printf(
          "  %-22s%14s%14s%n",
          name, format.formatted(engine), limit == null ? "" : format.formatted(limit));
    }
  }
}
