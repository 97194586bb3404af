package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.LongStream;

/**
 * Draws valid programs. A seed gives the same program for ever, until this package is changed.
 *
 * <p>Most of what it draws is determined by construction. What is not is found by telling the
 * outcome in several orders, and drawn again.
 */
public final class Generator {

  private static final int ORDERS = 5;
  private static final int DRAWS = 200;

  private final Set<Feature> features;

  public Generator(Set<Feature> features) {
    this.features = Set.copyOf(features);
  }

  public Program program(long seed) {
    for (int i = 0; i < DRAWS; i++) {
      Program program = draw(seed, new Draw(seed * 1_000_003 + i * 7_919L));
      if (isDetermined(program)) {
        return program;
      }
    }
    throw new IllegalStateException(
        "Expected a determined program within %d draws, but seed %d gave none"
            .formatted(DRAWS, seed));
  }

  private static boolean isDetermined(Program program) {
    List<String> first = Oracle.summary(program, 0);
    return first.getLast().equals(Outcome.NOT_STUCK)
        && LongStream.range(1, ORDERS).allMatch(o -> Oracle.summary(program, o).equals(first));
  }

  private Program draw(long seed, Draw draw) {
    Sketch.Names names = new Sketch.Names();
    List<Flow> children = new ArrayList<>();
    if (features.contains(Feature.SUB_WORKFLOW) && draw.chance(40)) {
      for (int i = draw.between(1, 2); i > 0; i--) {
        Sketch sketch =
            new Sketch("p" + seed + "-" + i, draw, names, features, List.of(), draw.between(2, 8));
        children.add(flow(sketch));
      }
    }
    Sketch main = new Sketch("p" + seed, draw, names, features, children, size(draw));
    Flow flow = flow(main);
    Program mute = new Program(seed, flow, List.copyOf(children), List.of());
    List<Stimulus> script = ScriptWriter.write(mute, draw, main);
    return new Program(seed, flow, List.copyOf(children), script);
  }

  private static int size(Draw draw) {
    int lot = draw.between(1, 100);
    return lot <= 80
        ? draw.between(4, 25)
        : lot <= 97 ? draw.between(25, 50) : draw.between(50, 120);
  }

  private static Flow flow(Sketch sketch) {
    List<Term> marks = new ArrayList<>();
    if (sketch.child) {
      sketch.variables.put("from", "nobody");
      sketch.variables.put("given", 0L);
      sketch.fixed.add("given");
      marks.add(new Term.Var("from"));
    }
    Strand strand = Strand.outermost(sketch, List.copyOf(marks));
    Fragments fragments = new Fragments(sketch);
    String start = fragments.sequence(strand, null, sketch.draw.between(1, 4));
    List<Reaction> on = new RunReactions(sketch, fragments).draw(strand);
    List<String> targets = on.stream().map(Reaction::to).filter(Objects::nonNull).toList();
    Map<String, Term> output =
        sketch.child && sketch.draw.chance(70) ? Map.of("r", strand.number()) : null;
    return new Flow(
        sketch.key,
        Collections.unmodifiableMap(sketch.variables),
        Block.of(start, targets, strand.activities()),
        on,
        output,
        sketch.happens(Feature.MAX_VISITS, 8) ? sketch.draw.between(2, 6) : Flow.MAX_VISITS);
  }
}
