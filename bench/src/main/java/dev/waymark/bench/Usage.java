package dev.waymark.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/**
 * What was used up, since the beginning or in between.
 *
 * <p>Processor time per step says on a busy machine what steps per second say on a quiet one.
 *
 * @param log bytes of write-ahead log, or absent if nobody counts them
 * @param disk bytes that tables and indexes occupy
 * @param cpu nanoseconds of processor time of this process
 * @param serverCpu the same of the database's processes, or absent where they cannot be seen
 */
record Usage(@Nullable Long log, long disk, long cpu, @Nullable Long serverCpu) {

  static final Usage NONE = new Usage(0L, 0, 0, 0L);

  static long cpuOfThisProcess() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  Usage since(Usage before) {
    return new Usage(
        log == null || before.log == null ? null : Long.valueOf(log - before.log),
        disk - before.disk,
        cpu - before.cpu,
        serverCpu == null || before.serverCpu == null
            ? null
            : Long.valueOf(serverCpu - before.serverCpu));
  }

  Usage plus(Usage more) {
    return new Usage(
        log == null || more.log == null ? null : Long.valueOf(log + more.log),
        disk + more.disk,
        cpu + more.cpu,
        serverCpu == null || more.serverCpu == null
            ? null
            : Long.valueOf(serverCpu + more.serverCpu));
  }
}
