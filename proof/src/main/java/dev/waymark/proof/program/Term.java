package dev.waymark.proof.program;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A value that is worked out when the program runs, as data: it can say itself in the text of a
 * definition, and it can be worked out here without reading that text.
 */
public sealed interface Term {

  /** The value as it stands in a definition. */
  Object template();

  @Nullable Object in(View view);

  /** What a term can look at. */
  record View(
      Frame frame,
      Map<String, @Nullable Object> input,
      Map<String, @Nullable Object> output,
      @Nullable String error) {

    static View of(Frame frame) {
      return new View(frame, Map.of(), Map.of(), null);
    }
  }

  record Const(@Nullable Object value) implements Term {
    @Override
    public Object template() {
      return value == null ? "${ null }" : value;
    }

    @Override
    public @Nullable Object in(View view) {
      return value;
    }
  }

  record Var(String name) implements Term {
    @Override
    public Object template() {
      return "${ Variables." + name + " }";
    }

    @Override
    public @Nullable Object in(View view) {
      return view.frame().get(name);
    }
  }

  record Plus(String name, long more) implements Term {
    @Override
    public Object template() {
      return "${ Variables." + name + " + " + more + " }";
    }

    @Override
    public Object in(View view) {
      return view.frame().number(name) + more;
    }
  }

  record Output(String field) implements Term {
    @Override
    public Object template() {
      return "${ Output." + field + " }";
    }

    @Override
    public @Nullable Object in(View view) {
      return view.output().get(field);
    }
  }

  record Input(String field) implements Term {
    @Override
    public Object template() {
      return "${ Input." + field + " }";
    }

    @Override
    public @Nullable Object in(View view) {
      return view.input().get(field);
    }
  }

  record ErrorCode() implements Term {
    @Override
    public Object template() {
      return "${ Error.code }";
    }

    @Override
    public @Nullable Object in(View view) {
      return view.error();
    }
  }

  /** A text in front of some values: what a visit is known by. */
  record Label(String head, List<Term> parts) implements Term {
    @Override
    public Object template() {
      return head + parts.stream().map(p -> "." + p.template()).collect(Collectors.joining());
    }

    @Override
    public Object in(View view) {
      return head + parts.stream().map(p -> "." + p.in(view)).collect(Collectors.joining());
    }
  }
}
