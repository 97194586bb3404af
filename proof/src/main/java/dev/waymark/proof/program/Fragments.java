package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Draws parts of a flow: sequences of single activities and of nested ones. */
final class Fragments {

  private static final int DEEPEST = 5;

  private final Sketch sketch;
  private final Draw draw;
  private final Leaves leaves;
  private final Branching branching;
  private final Nesting nesting;

  Fragments(Sketch sketch) {
    this.sketch = sketch;
    this.draw = sketch.draw;
    Decorations decorations = new Decorations(sketch, this);
    this.leaves = new Leaves(sketch, decorations);
    this.branching = new Branching(sketch, this, leaves, decorations);
    this.nesting = new Nesting(sketch, this, leaves, decorations);
  }

  /** Something that takes a strand and where to go afterwards, and gives where it begins. */
  interface Maker {
    String make(Strand strand, @Nullable String next);
  }

  /** Some parts one after another, drawn from the last to the first. */
  String sequence(Strand strand, @Nullable String next, int length) {
    String entry = next;
    for (int i = 0; i < length || entry == null; i++) {
      entry = part(strand, entry);
    }
    return java.util.Objects.requireNonNull(entry);
  }

  /** Something that is over without time passing. */
  String quick(Strand strand) {
    return leaves.probe(strand, draw.chance(50) ? leaves.probe(strand, null) : null);
  }

  private String part(Strand strand, @Nullable String next) {
    if (!sketch.hasRoom() || strand.depth >= DEEPEST || draw.chance(55)) {
      return leaves.any(strand, next);
    }
    List<Maker> makers = new ArrayList<>();
    branching.offer(strand, next, makers);
    nesting.offer(strand, next, makers);
    return makers.isEmpty() ? leaves.any(strand, next) : draw.one(makers).make(strand, next);
  }
}
