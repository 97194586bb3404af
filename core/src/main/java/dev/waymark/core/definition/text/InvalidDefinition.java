package dev.waymark.core.definition.text;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A text that is no definition which could run. It carries every fault found, so that the author
 * can correct all of them at once.
 */
public final class InvalidDefinition extends RuntimeException {

  private final transient List<DefinitionFault> faults;

  /**
   * @param more how many faults were found beyond those that are told
   */
  InvalidDefinition(List<DefinitionFault> faults, int more) {
    super(
        faults.stream().map(DefinitionFault::toString).collect(Collectors.joining("\n"))
            + (more == 0 ? "" : "\n… and %d more".formatted(more)));
    this.faults = List.copyOf(faults);
  }

  /** In the order of the text; at most {@link dev.waymark.core.Limits#DEFINITION_FAULTS}. */
  public List<DefinitionFault> faults() {
    return faults;
  }
}
