package dev.waymark.proof.program;

import java.util.List;
import java.util.stream.Stream;

/**
 * Definitions, and what comes to them from outside. What becomes of it is determined, apart from
 * the order in which side by side things happen.
 *
 * @param children what the main flow's sub-workflows run
 */
public record Program(long seed, Flow main, List<Flow> children, List<Stimulus> script) {

  public Stream<Flow> flows() {
    return Stream.concat(children.stream(), Stream.of(main));
  }

  Flow flow(String key) {
    return flows().filter(f -> f.key().equals(key)).findFirst().orElseThrow();
  }
}
