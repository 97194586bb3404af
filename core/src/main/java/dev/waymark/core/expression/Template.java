package dev.waymark.core.expression;

import dev.waymark.core.Json;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.expression.value.Trouble;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON value with expressions in its texts, such as an activity's {@code with}.
 *
 * <p>A text that is one expression, <code>"${ Variables.amount }"</code>, becomes its value with
 * its type. A text with expressions in it, <code>"Order ${ Variables.id }"</code>, stays a text;
 * there null is an error, because {@code /orders/null} is worse. <code>$${</code> means <code>${
 * </code> itself. Lists and objects are walked; keys are taken as they are. All expressions share
 * one budget.
 */
public final class Template {

  /** One place of the value. */
  private interface Part {
    @Nullable Object evaluate(EvaluationScope scope, Budget budget);
  }

  private final Part part;
  private final String path;
  private final boolean empty;
  private final boolean constant;
  private final List<String> remarks;

  private Template(Part part, String path, boolean empty, boolean constant, List<String> remarks) {
    this.part = part;
    this.path = path;
    this.empty = empty;
    this.constant = constant;
    this.remarks = List.copyOf(remarks);
  }

  static Template compile(
      Expressions expressions, @Nullable Object value, String path, Set<Root> roots) {
    List<ExpressionFault> faults = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    Compilation compilation = new Compilation(expressions, roots, faults, remarks);
    Object normal = Json.valueOf(value);
    Part part = compilation.part(normal, path);
    if (!faults.isEmpty()) {
      throw new ExpressionException(faults);
    }
    boolean empty = normal instanceof Map<?, ?> map && map.isEmpty();
    return new Template(part, path, empty, isConstant(normal), remarks);
  }

  private static boolean isConstant(@Nullable Object value) {
    return switch (value) {
      case String text ->
          TemplateText.pieces(text).stream().allMatch(TemplateText.Words.class::isInstance);
      case List<?> list -> list.stream().allMatch(Template::isConstant);
      case Map<?, ?> map -> map.values().stream().allMatch(Template::isConstant);
      case null, default -> true;
    };
  }

  /** Remarks for the author of its expressions. None of them is a fault. */
  public List<String> remarks() {
    return remarks;
  }

  /** True if it is an object without entries, so that there is nothing to evaluate. */
  public boolean isEmpty() {
    return empty;
  }

  /** True if it has no expression, so that it always comes to the same value. */
  public boolean isConstant() {
    return constant;
  }

  /**
   * The value with all expressions replaced by their results.
   *
   * @throws ExpressionException for the first expression that comes to no value
   */
  public @Nullable Object evaluate(EvaluationScope scope) {
    return evaluate(scope, Budget.full());
  }

  public @Nullable Object evaluate(EvaluationScope scope, Budget budget) {
    Object value = part.evaluate(scope, budget);
    try {
      return Json.valueOf(value);
    } catch (IllegalArgumentException e) {
      // Each result is a JSON value, yet inside the template it may lie too deep.
      String message = String.valueOf(e.getMessage());
      throw new ExpressionException(
          List.of(new ExpressionFault(path, "", 1, 1, message, Map.of())), e);
    }
  }

  /** One walk over the value, which goes on after a fault to find them all. */
  private record Compilation(
      Expressions expressions,
      Set<Root> roots,
      List<ExpressionFault> faults,
      List<String> remarks) {

    Part part(@Nullable Object value, String path) {
      return switch (value) {
        case String text -> text(text, path);
        case List<?> list -> list(list, path);
        case Map<?, ?> map -> object(map, path);
        case null, default -> (scope, budget) -> value;
      };
    }

    private Part list(List<?> list, String path) {
      List<Part> elements = new ArrayList<>();
      for (int i = 0; i < list.size(); i++) {
        elements.add(part(list.get(i), path + "/" + i));
      }
      return (scope, budget) -> {
        List<@Nullable Object> values = new ArrayList<>(elements.size());
        elements.forEach(element -> values.add(element.evaluate(scope, budget)));
        return values;
      };
    }

    private Part object(Map<?, ?> map, String path) {
      Map<String, Part> entries = new LinkedHashMap<>();
      map.forEach(
          (name, value) -> {
            String key = String.valueOf(name);
            // As in a JSON pointer, so that a path stays readable by machines.
            String step = key.replace("~", "~0").replace("/", "~1");
            entries.put(key, part(value, path + "/" + step));
          });
      return (scope, budget) -> {
        Map<String, @Nullable Object> values = new LinkedHashMap<>();
        entries.forEach((key, entry) -> values.put(key, entry.evaluate(scope, budget)));
        return values;
      };
    }

    private Part text(String text, String path) {
      List<TemplateText.Piece> pieces;
      try {
        pieces = TemplateText.pieces(text);
      } catch (Trouble trouble) {
        faults.add(
            ExpressionFault.at(trouble.position(), path, text, trouble.text(false), Map.of()));
        return (scope, budget) -> null;
      }
      if (pieces.size() == 1 && pieces.get(0) instanceof TemplateText.Code code) {
        Expression whole = expression(code.source(), path);
        return (scope, budget) -> whole == null ? null : whole.evaluate(scope, budget);
      }
      return joined(pieces, path);
    }

    private Part joined(List<TemplateText.Piece> pieces, String path) {
      List<Part> parts = new ArrayList<>();
      for (TemplateText.Piece piece : pieces) {
        switch (piece) {
          case TemplateText.Words words -> parts.add((scope, budget) -> words.text());
          case TemplateText.Code code -> {
            Expression inner = expression(code.source(), path);
            parts.add(
                (scope, budget) ->
                    inner == null ? null : inner.evaluate(scope, budget, Result::textOf));
          }
        }
      }
      return (scope, budget) -> {
        StringBuilder text = new StringBuilder();
        parts.forEach(part -> text.append(part.evaluate(scope, budget)));
        return text.toString();
      };
    }

    private @Nullable Expression expression(String source, String path) {
      try {
        Expression compiled = expressions.compile(source, path, roots);
        remarks.addAll(compiled.remarks());
        return compiled;
      } catch (ExpressionException e) {
        faults.addAll(e.faults());
        return null;
      }
    }
  }
}
