package dev.waymark.engine.flow;

import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.TransactionalActivity;
import java.util.List;
import java.util.Map;

/** The activities of a flow by type, to be imported statically. Each begins with its id. */
public final class Activities {

  private Activities() {}

  /** An activity of a type that the application registers, such as {@code charge@2}. */
  public static Body activity(String id, String type) {
    return new Body(Sketch.of(id, type));
  }

  /**
   * An activity whose body is this lambda.
   *
   * <p>Its type is the flow's key and its id, {@code order.charge}, which must be one of a kind in
   * an engine: so one flow of a key can be registered. As with every registered type, runs that are
   * under way meet the code of today, whichever version of the flow they follow: a body that comes
   * to mean something else gets another id, and one that runs still need is kept.
   */
  public static Body body(String id, Activity body) {
    return new Body(new Sketch(id, null, Map.of(), List.of(), body, null));
  }

  /** The same, running in the transaction of its step. */
  public static Body transactionalBody(String id, TransactionalActivity body) {
    return new Body(new Sketch(id, null, Map.of(), List.of(), null, body));
  }

  public static SetVariables set(String id) {
    return new SetVariables(Sketch.of(id, "set"));
  }

  public static End end(String id) {
    return new End(Sketch.of(id, "end"));
  }

  public static Terminate terminate(String id) {
    return new Terminate(Sketch.of(id, "terminate"));
  }

  public static Raise.Open raise(String id) {
    return new Raise.Open(Sketch.of(id, "raise"));
  }

  public static Fork.Open fork(String id) {
    return new Fork.Open(Sketch.of(id, "fork"));
  }

  public static Split.Open split(String id) {
    return new Split.Open(Sketch.of(id, "split"));
  }

  public static Join join(String id) {
    return new Join(Sketch.of(id, "join"));
  }

  public static Timer.Open timer(String id) {
    return new Timer.Open(Sketch.of(id, "timer"));
  }

  public static WaitFor.Open waitFor(String id) {
    return new WaitFor.Open(Sketch.of(id, "wait"));
  }

  public static UserTask userTask(String id) {
    return new UserTask(Sketch.of(id, "user-task"));
  }

  public static Approval.Open approval(String id) {
    return new Approval.Open(Sketch.of(id, "approval"));
  }

  public static Race.Open race(String id) {
    return new Race.Open(Sketch.of(id, "race"));
  }

  public static Scope.Open scope(String id) {
    return new Scope.Open(Sketch.of(id, "scope"));
  }

  public static ForEach.Open forEach(String id) {
    return new ForEach.Open(Sketch.of(id, "for-each"));
  }

  public static SubWorkflow.Open subWorkflow(String id) {
    return new SubWorkflow.Open(Sketch.of(id, "sub-workflow"));
  }

  public static Signal.Open signal(String id) {
    return new Signal.Open(Sketch.of(id, "signal"));
  }

  public static Send.Open send(String id) {
    return new Send.Open(Sketch.of(id, "send"));
  }

  public static Emit.Open emit(String id) {
    return new Emit.Open(Sketch.of(id, "emit"));
  }

  public static Compensate compensate(String id) {
    return new Compensate(Sketch.of(id, "compensate"));
  }
}
