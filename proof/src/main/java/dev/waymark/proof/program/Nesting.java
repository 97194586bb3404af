package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Draws scopes, for-eaches and sub-workflows, and the faults that leave them. */
final class Nesting {

  private final Sketch sketch;
  private final Draw draw;
  private final Fragments fragments;
  private final Leaves leaves;
  private final Decorations decorations;

  Nesting(Sketch sketch, Fragments fragments, Leaves leaves, Decorations decorations) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    this.fragments = fragments;
    this.leaves = leaves;
    this.decorations = decorations;
  }

  void offer(Strand strand, @Nullable String next, List<Fragments.Maker> makers) {
    if (strand.mute) {
      return;
    }
    if (sketch.may(Feature.SCOPE)) {
      makers.add(this::scope);
      makers.add(this::scope);
    }
    if (sketch.may(Feature.FOR_EACH)) {
      makers.add(this::forEach);
      makers.add(this::forEach);
    }
    if (sketch.may(Feature.SCOPE) && sketch.may(Feature.COMPENSATE)) {
      makers.add(this::saga);
    }
    if (sketch.may(Feature.ON_ERROR) || sketch.may(Feature.FAULT)) {
      makers.add(this::failure);
    }
    if (sketch.may(Feature.SUB_WORKFLOW) && !sketch.children.isEmpty()) {
      makers.add(this::subWorkflow);
      makers.add(this::subWorkflow);
    }
  }

  private String scope(Strand strand, @Nullable String next) {
    Map<String, Term> variables = new LinkedHashMap<>();
    Strand inside = strand.inside(variables);
    shadow(strand, inside, variables);
    String start = fragments.sequence(inside, null, draw.between(1, 3));
    Kind.Scope scope =
        new Kind.Scope(
            Collections.unmodifiableMap(variables),
            Block.of(start, List.of(), inside.activities()));
    Activity activity = Activity.of(sketch.newId("b"), scope, next);
    List<String> names = variables.keySet().stream().sorted().toList();
    if (!names.isEmpty() && draw.chance(60)) {
      activity = activity.output(Map.of(strand.fresh(0L), new Term.Output(draw.one(names))));
    }
    return enclosed(activity, strand, next);
  }

  /** Variables that are worked out on entry, some under names that mean others further out. */
  private void shadow(Strand strand, Strand inside, Map<String, Term> variables) {
    if (draw.chance(40)) {
      inside.declare(sketch.names.variable("v"), variables, strand.number());
    }
    List<String> outer = strand.readable();
    if (!outer.isEmpty() && draw.chance(30)) {
      inside.declare(draw.one(outer), variables, strand.number());
    }
  }

  /** What surrounds others takes their errors now and then, and undoes what they did. */
  private String enclosed(Activity activity, Strand strand, @Nullable String next) {
    Activity done = decorations.reacting(activity, strand, next, 20);
    if (sketch.happens(Feature.ON_ERROR, 60)) {
      if (draw.chance(30)) {
        done = done.on(decorations.onError(strand, next, code(), undoes()));
      }
      done = done.on(decorations.onError(strand, next, null, undoes()));
    }
    return decorations.finished(done, strand);
  }

  private boolean undoes() {
    return sketch.happens(Feature.COMPENSATE, 40);
  }

  private String code() {
    return "E" + draw.between(1, 2);
  }

  /** Things that can be undone, and then something that undoes them. */
  private String saga(Strand strand, @Nullable String next) {
    Map<String, Term> variables = new LinkedHashMap<>();
    Strand inside = strand.inside(variables);
    boolean failing = sketch.happens(Feature.ON_ERROR, 50);
    String last = null;
    if (failing) {
      last = inside.add(leaves.failing(inside, null, code()));
    } else if (draw.chance(60)) {
      last = leaves.compensate(inside, null);
    }
    int before = sketch.undoable;
    sketch.undoable = 80;
    String start = fragments.sequence(inside, last, draw.between(1, 4));
    sketch.undoable = before;
    Kind.Scope scope =
        new Kind.Scope(
            Collections.unmodifiableMap(variables),
            Block.of(start, List.of(), inside.activities()));
    Activity activity = Activity.of(sketch.newId("b"), scope, next);
    if (failing) {
      activity = activity.on(decorations.onError(strand, next, null, draw.chance(80)));
    }
    return decorations.finished(decorations.reacting(activity, strand, next, 30), strand);
  }

  private String forEach(Strand strand, @Nullable String next) {
    String item = sketch.names.variable("it");
    String index = sketch.names.variable("n");
    Map<String, Term> variables = new LinkedHashMap<>();
    boolean parallel = draw.chance(50);
    Strand inside =
        parallel ? strand.item(variables, index) : strand.inside(variables).marked(index);
    shadow(strand, inside, variables);
    if (draw.chance(30)) {
      inside.declare(sketch.names.variable("v"), variables, new Term.Var(item));
    }
    String start = fragments.sequence(inside, null, draw.between(1, 2));
    List<String> seen = inside.readable();
    String sum = seen.isEmpty() || draw.chance(50) ? item : draw.one(seen);
    Condition until =
        draw.chance(25) ? new Condition.OutputAtLeast("result", draw.between(1, 5)) : null;
    Kind.ForEach each =
        new Kind.ForEach(
            items(strand),
            parallel ? draw.between(2, 4) : 1,
            item,
            index,
            Collections.unmodifiableMap(variables),
            Block.of(start, List.of(), inside.activities()),
            new Term.Plus(sum, draw.small()),
            until);
    Activity activity = Activity.of(sketch.newId("l"), each, next).output(outputs(strand));
    return enclosed(activity, strand, next);
  }

  private Term items(Strand strand) {
    List<Object> items = new ArrayList<>();
    for (int i = draw.between(0, 4); i > 0; i--) {
      items.add(draw.small());
    }
    List<Object> list = List.copyOf(items);
    return draw.chance(50) ? new Term.Const(list) : new Term.Var(strand.fresh(list));
  }

  private Map<String, Term> outputs(Strand strand) {
    Map<String, Term> output = new LinkedHashMap<>();
    output.put(strand.fresh(List.of()), new Term.Output("results"));
    if (draw.chance(50)) {
      output.put(strand.writable(), new Term.Output("count"));
      output.put(strand.fresh(false), new Term.Output("early"));
    }
    return output;
  }

  private String failure(Strand strand, @Nullable String next) {
    Activity failing = leaves.failing(strand, next, code());
    return strand.add(decorations.catching(failing, strand, next, 50));
  }

  private String subWorkflow(Strand strand, @Nullable String next) {
    String id = sketch.newId("w");
    Flow child = draw.one(sketch.children);
    Map<String, Term> input = new LinkedHashMap<>();
    input.put("from", strand.label(id));
    input.put("given", strand.number());
    boolean await = draw.chance(85);
    boolean goOn = await && draw.chance(20);
    Kind.SubWorkflow sub = new Kind.SubWorkflow(child.key(), input, await, goOn, draw.chance(20));
    Map<String, Term> output = new LinkedHashMap<>();
    if (goOn) {
      output.put(strand.fresh("none"), new Term.Output("status"));
    } else if (await && child.output() != null) {
      output.put(strand.writable(), new Term.Output("r"));
    }
    Activity activity = Activity.of(id, sub, next).output(output);
    if (!goOn) {
      activity = decorations.catching(activity, strand, next, 50);
    }
    return decorations.finished(decorations.reacting(activity, strand, next, 15), strand);
  }
}
