package dev.waymark.core.definition;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The types of definitions that were deployed once: every name is one, and none is checked. */
final class DeployedTypes extends TreeMap<String, ActivityType> {

  private static final long serialVersionUID = 1;

  DeployedTypes(Map<String, ActivityType> known) {
    super(known);
  }

  @Override
  public @Nullable ActivityType get(Object name) {
    return new Unchecked(String.valueOf(name), super.get(name));
  }

  /** What a type says about the flow, without what it says about its input. */
  private record Unchecked(String name, @Nullable ActivityType known) implements ActivityType {

    @Override
    public List<String> targets(Map<String, @Nullable Object> with) {
      return known == null ? List.of() : known.targets(with);
    }

    @Override
    public boolean waits() {
      return known == null || known.waits();
    }

    @Override
    public boolean ends() {
      return known != null && known.ends();
    }

    @Override
    public boolean forks() {
      return known != null && known.forks();
    }

    @Override
    public Inside inside() {
      return known == null ? Inside.NOTHING : known.inside();
    }
  }
}
