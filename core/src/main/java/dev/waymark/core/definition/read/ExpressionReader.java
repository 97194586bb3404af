package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.ExpressionException;
import dev.waymark.core.expression.ExpressionFault;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Compiles the expressions of one definition, and reports their errors as faults of the definition.
 */
final class ExpressionReader {

  private final Expressions expressions;
  private final FaultList faults;
  private final List<String> warnings = new ArrayList<>();
  private int count;

  ExpressionReader(Expressions expressions, FaultList faults) {
    this.expressions = expressions;
    this.faults = faults;
  }

  /** Remarks for the author about the definition's expressions. None of them is a fault. */
  List<String> warnings() {
    return warnings;
  }

  /** Absent if it has a fault. */
  @Nullable Template template(TextNode node, Set<Root> roots) {
    count(node);
    Template template =
        compiled(
            node, () -> expressions.compileTemplate(node.value(), node.place().pointer(), roots));
    if (template != null) {
      warnings.addAll(template.remarks());
    }
    return template;
  }

  /** Absent if it has a fault. */
  @Nullable Condition condition(TextNode node, Set<Root> roots) {
    spend(node);
    Condition condition =
        compiled(
            node,
            () ->
                expressions.compileCondition(
                    String.valueOf(node.value()), node.place().pointer(), roots));
    if (condition != null) {
      warnings.addAll(condition.remarks());
    }
    return condition;
  }

  private <T> @Nullable T compiled(TextNode node, Supplier<T> compilation) {
    try {
      return compilation.get();
    } catch (ExpressionException e) {
      for (ExpressionFault fault : e.faults()) {
        String path = fault.path().substring(node.place().pointer().length());
        faults
            .under(node)
            .add(
                path.startsWith("/") ? path.substring(1) : path,
                "an expression that can run",
                "one with a fault: %s\n%s".formatted(fault.message(), fault.excerpt()));
      }
      return null;
    }
  }

  /** A compile takes about a millisecond, and a text has room for fifty thousand expressions. */
  private void count(TextNode node) {
    switch (node) {
      case TextNode.Struct struct -> struct.fields().values().forEach(this::count);
      case TextNode.Sequence items -> items.items().forEach(this::count);
      case TextNode.Scalar scalar -> {
        if (scalar.value() instanceof String text) {
          for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at + 2)) {
            spend(node);
          }
        }
      }
    }
  }

  private void spend(TextNode node) {
    if (++count > Limits.EXPRESSIONS) {
      throw faults.stop(
          node.place(), "at most %,d expressions".formatted(Limits.EXPRESSIONS), "more");
    }
  }
}
