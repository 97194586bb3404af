package dev.waymark.engine.flow;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Runs another definition as a child. */
public final class SubWorkflow extends Onward<SubWorkflow> {

  SubWorkflow(Sketch sketch) {
    super(sketch);
  }

  @Override
  SubWorkflow changed(Sketch changed) {
    return new SubWorkflow(changed);
  }

  /**
   * The version of the child; without this verb, the version that is active when the child starts.
   */
  public SubWorkflow version(int number) {
    return changed(sketch.with("version", number));
  }

  public SubWorkflow input(Map<String, ? extends @Nullable Object> variables) {
    return changed(sketch.with("input", variables));
  }

  public SubWorkflow input(Expr variables) {
    return changed(sketch.with("input", variables));
  }

  public SubWorkflow businessKey(String key) {
    return changed(sketch.with("businessKey", key));
  }

  public SubWorkflow businessKey(Expr key) {
    return changed(sketch.with("businessKey", key));
  }

  /** Goes on as soon as the child is on its way. */
  public SubWorkflow withoutWaiting() {
    return changed(sketch.with("wait", false));
  }

  /** A child that fails is an output, not a fault. */
  public SubWorkflow continueWhenChildFails() {
    return changed(sketch.with("whenChildFails", "continue"));
  }

  /** The child goes on when the parent ends early. */
  public SubWorkflow leaveWhenParentEnds() {
    return changed(sketch.with("whenParentEnds", "leave"));
  }

  /** Its id; the next verb names the definition that it runs. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public SubWorkflow definition(String key) {
      return new SubWorkflow(sketch.with("definition", key));
    }

    public SubWorkflow definition(Expr key) {
      return new SubWorkflow(sketch.with("definition", key));
    }
  }
}
