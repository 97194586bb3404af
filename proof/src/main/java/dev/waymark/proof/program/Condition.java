package dev.waymark.proof.program;

import java.util.Objects;

/** What decides a way, as data. */
public sealed interface Condition {

  /** The condition as CEL. */
  String text();

  boolean holds(Term.View view);

  record Less(String variable, long than) implements Condition {
    @Override
    public String text() {
      return "Variables." + variable + " < " + than;
    }

    @Override
    public boolean holds(Term.View view) {
      return view.frame().number(variable) < than;
    }
  }

  record OutputIs(String field, Object value) implements Condition {
    @Override
    public String text() {
      return "Output." + field + " == " + (value instanceof String ? "'" + value + "'" : value);
    }

    @Override
    public boolean holds(Term.View view) {
      return Objects.equals(view.output().get(field), value);
    }
  }

  record OutputAtLeast(String field, long least) implements Condition {
    @Override
    public String text() {
      return "Output." + field + " >= " + least;
    }

    @Override
    public boolean holds(Term.View view) {
      return (Long) Objects.requireNonNull(view.output().get(field)) >= least;
    }
  }

  record ErrorIs(String code) implements Condition {
    @Override
    public String text() {
      return "Error.code == '" + code + "'";
    }

    @Override
    public boolean holds(Term.View view) {
      return code.equals(view.error());
    }
  }
}
