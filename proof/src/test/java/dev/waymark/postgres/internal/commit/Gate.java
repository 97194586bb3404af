package dev.waymark.postgres.internal.commit;

import java.util.List;
import java.util.Set;

/**
 * A gate of the commit's text.
 *
 * @param name a sentence that holds for each unit that passes
 * @param needs the parts of the shapes that must have it
 * @param cuts how it is taken out
 */
record Gate(String name, Set<CommitPart> needs, List<Cut> cuts, Trial trial) {

  static Gate of(String name, Set<CommitPart> needs, Cut cut, Trial trial) {
    return new Gate(name, needs, List.of(cut), trial);
  }

  boolean isIn(Set<CommitPart> parts) {
    return parts.containsAll(needs) && trial.subject().fits(parts);
  }

  @Override
  public String toString() {
    return name;
  }
}
