package dev.waymark.proof.program;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One definition of a program.
 *
 * @param output the run's result; absent, its variables
 * @param maxVisits how often an activity on a cycle is visited without a wait in between
 */
public record Flow(
    String key,
    Map<String, Object> variables,
    Block block,
    List<Reaction> on,
    @Nullable Map<String, Term> output,
    int maxVisits) {

  /** What a definition that does not say otherwise allows. */
  static final int MAX_VISITS = 100;

  /** The flow as a definition that can be deployed. */
  public String text() {
    return Yaml.text(Rendering.of(this));
  }

  /** The activity of that id, in whatever scope it is. */
  public Activity activity(String id) {
    return Objects.requireNonNull(find(block, id), id);
  }

  private static @Nullable Activity find(Block block, String id) {
    Activity here = block.activities().get(id);
    if (here != null) {
      return here;
    }
    return block.activities().values().stream()
        .map(Activity::block)
        .filter(Objects::nonNull)
        .map(inner -> find(inner, id))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }
}
