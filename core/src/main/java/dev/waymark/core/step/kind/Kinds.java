package dev.waymark.core.step.kind;

import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.step.people.ApprovalKind;
import dev.waymark.core.step.people.UserTaskKind;
import dev.waymark.core.step.walk.Kind;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The built-in kinds by name. Every other type is a body that the application registers. */
public final class Kinds {

  private static final Kind BODY = new BodyKind();
  private static final Kind ROOT = new RootKind();
  private static final Map<String, Kind> BUILT_IN =
      List.of(
              new SetKind(),
              new ForkKind(),
              new JoinKind(),
              new EndKind(),
              new TerminateKind(),
              new TimerKind(),
              new WaitKind(),
              new UserTaskKind(),
              new ApprovalKind(),
              new RaceKind(),
              new SplitKind(),
              new ScopeKind(),
              new ForEachKind(),
              new SubWorkflowKind(),
              new SignalKind(),
              new SendKind(),
              new EmitKind(),
              new RaiseKind(),
              new CompensateKind())
          .stream()
          .collect(Collectors.toUnmodifiableMap(Kind::name, Function.identity()));

  private Kinds() {}

  /** The types that a definition may use without anything being registered. */
  public static Collection<? extends ActivityType> builtIn() {
    return BUILT_IN.values();
  }

  public static Kind of(String type) {
    Kind kind = BUILT_IN.get(type);
    if (kind != null) {
      return kind;
    }
    return type.equals(ROOT.name()) ? ROOT : BODY;
  }
}
