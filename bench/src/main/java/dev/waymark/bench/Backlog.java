package dev.waymark.bench;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How many events waited, second by second.
 *
 * <p>A backlog is flat if its last third is no higher than what came before, give or take what one
 * read of the outbox carries away: it breathes with every read, and only a deliverer that is slower
 * than the writers makes it grow.
 */
record Backlog(List<Long> samples) {

  private static final double BREATH = 2_000;

  Backlog {
    samples = List.copyOf(samples);
  }

  long most() {
    return samples.stream().mapToLong(Long::longValue).max().orElse(0);
  }

  boolean isFlat() {
    int last = samples.size() - samples.size() / 3;
    return mean(samples.subList(last, samples.size()))
        <= mean(samples.subList(0, last)) * 1.25 + BREATH;
  }

  private static double mean(List<Long> part) {
    return part.stream().mapToLong(Long::longValue).average().orElse(0);
  }

  @Override
  public String toString() {
    return samples.stream().map("%,d"::formatted).collect(Collectors.joining("  "));
  }
}
