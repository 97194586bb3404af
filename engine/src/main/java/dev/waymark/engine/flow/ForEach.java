package dev.waymark.engine.flow;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Runs the activities inside it once for each item. */
public final class ForEach extends Block<ForEach> {

  ForEach(Sketch sketch) {
    super(sketch);
  }

  @Override
  ForEach changed(Sketch changed) {
    return new ForEach(changed);
  }

  /** Each item's result, evaluated when the item is done. */
  public ForEach collect(@Nullable Object result) {
    return changed(sketch.put("collect", result));
  }

  /** Asked after each item: if it holds, the rest is cancelled. A condition in CEL. */
  public ForEach until(String cel) {
    return changed(sketch.put("until", cel));
  }

  /** Its id; the next verb names its items. */
  public static final class Open {

    private final Sketch sketch;

    Open(Sketch sketch) {
      this.sketch = sketch;
    }

    public Items items(Expr list) {
      return new Items(sketch.with("items", list));
    }

    public Items items(List<? extends @Nullable Object> list) {
      return new Items(sketch.with("items", list));
    }
  }

  /** Its items, and how they are run; the next verb names the activity at which each starts. */
  public static final class Items {

    private final Sketch sketch;

    Items(Sketch sketch) {
      this.sketch = sketch;
    }

    /** The number of items at a time; without this verb, one after another. */
    public Items parallel(int atOnce) {
      return new Items(sketch.with("parallel", atOnce));
    }

    public Items parallel(Expr atOnce) {
      return new Items(sketch.with("parallel", atOnce));
    }

    /** The variable that holds the item. */
    public Items item(String variable) {
      return new Items(sketch.put("item", variable));
    }

    /** The variable that holds the item's number, from 0. */
    public Items index(String variable) {
      return new Items(sketch.put("index", variable));
    }

    /** A variable that each item has for itself. */
    public Items variable(String name, @Nullable Object value) {
      return new Items(sketch.put("variables", name, value));
    }

    public ForEach start(String activity) {
      return new ForEach(sketch.put("start", activity));
    }
  }
}
