package dev.waymark.core.expression.plan;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.CelMap;
import dev.cel.common.ast.CelExpr.CelSelect;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.expression.value.EvaluationScope;
import dev.waymark.core.expression.value.Function;
import dev.waymark.core.expression.value.Functions;
import dev.waymark.core.expression.value.Numbers;
import dev.waymark.core.expression.value.Regex;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.expression.value.Trouble;
import dev.waymark.core.expression.value.Values;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns one checked syntax tree into a plan, and notes all that the checker could not know: which
 * roots exist here, and what of CEL has no meaning for JSON.
 */
public final class Planner {

  /** Something that stands in the way of a plan. */
  public record Problem(int position, String message) {}

  private static final Pattern DECIMAL =
      Pattern.compile("-?\\s*([0-9]*\\.[0-9]+([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+)");

  private final String source;
  private final Map<Long, Integer> positions;
  private final Set<Root> roots;
  private final Map<String, Integer> locals = new HashMap<>();
  private final Set<DataPath> readings = new LinkedHashSet<>();
  private final List<Problem> problems = new ArrayList<>();
  private int slots;
  private int nodes;
  private boolean dividesIntegers;

  private Planner(String source, CelAbstractSyntaxTree tree, Set<Root> roots) {
    this.source = source;
    this.positions = tree.getSource().getPositionsMap();
    this.roots = roots;
  }

  /** A plan, or {@code null} with at least one problem added to the list. */
  public static @Nullable Plan plan(
      String source, CelAbstractSyntaxTree tree, Set<Root> roots, List<Problem> problems) {
    Planner planner = new Planner(source, tree, roots);
    PlanNode node = planner.plan(tree.getExpr());
    problems.addAll(planner.problems);
    return planner.problems.isEmpty()
        ? new Plan(
            source, node, planner.slots, List.copyOf(planner.readings), planner.dividesIntegers)
        : null;
  }

  private PlanNode plan(CelExpr expr) {
    nodes++;
    return switch (expr.getKind()) {
      case CONSTANT -> constant(expr, expr.constant());
      case IDENT -> identifier(expr, expr.ident().name());
      case SELECT -> select(expr, expr.select());
      case CALL -> call(expr, expr.call());
      case LIST -> list(expr, planAll(expr.list().elements()));
      case MAP -> map(expr, expr.map());
      case COMPREHENSION -> fold(expr, expr.comprehension());
      case STRUCT -> problem(expr, "Expected a JSON value, but messages are not available");
      case NOT_SET -> problem(expr, "Expected an expression");
    };
  }

  private PlanNode constant(CelExpr expr, CelConstant constant) {
    return switch (constant.getKind()) {
      case NULL_VALUE -> new PlanNode.Constant(null);
      case BOOLEAN_VALUE -> new PlanNode.Constant(constant.booleanValue());
      case INT64_VALUE -> new PlanNode.Constant(constant.int64Value());
      case DOUBLE_VALUE -> new PlanNode.Constant(decimal(expr, constant.doubleValue()));
      case STRING_VALUE -> new PlanNode.Constant(constant.stringValue());
      case UINT64_VALUE ->
          problem(expr, "Expected a number without 'u': there are no unsigned numbers");
      default -> problem(expr, "Expected a text, a number, true, false or null");
    };
  }

  /** The literal as written; by way of the checker's double it would have lost digits and zeros. */
  private Object decimal(CelExpr expr, double value) {
    int start = source.offsetByCodePoints(0, position(expr));
    Matcher literal = DECIMAL.matcher(source).region(start, source.length());
    if (literal.lookingAt()) {
      BigDecimal written = new BigDecimal(literal.group(1));
      if (written.doubleValue() == Math.abs(value)) {
        return Numbers.literal(value < 0 ? written.negate() : written);
      }
    }
    return Numbers.literal(BigDecimal.valueOf(value));
  }

  private PlanNode identifier(CelExpr expr, String name) {
    Integer slot = locals.get(name);
    if (slot != null) {
      return new PlanNode.Local(slot);
    }
    Root root = Root.called(name).orElse(null);
    if (root == null) {
      return problem(expr, "Expected a value, but '" + name + "' is none");
    }
    if (!roots.contains(root)) {
      return problem(expr, "'%s' is not available here, only %s".formatted(name, Root.list(roots)));
    }
    readings.add(new DataPath(root, List.of()));
    return new PlanNode.Data(root);
  }

  private PlanNode select(CelExpr expr, CelSelect select) {
    PlanNode object = plan(select.operand());
    DataPath holder = reading(select.operand());
    String label = holder == null ? "the object" : holder.label();
    note(reading(expr));
    return select.testOnly()
        ? new PlanNode.Has(position(expr), label, object, select.field())
        : new PlanNode.Select(position(expr), label, object, select.field());
  }

  private PlanNode call(CelExpr expr, CelCall call) {
    List<CelExpr> parts = new ArrayList<>();
    call.target().ifPresent(parts::add);
    parts.addAll(call.args());
    List<PlanNode> arguments = planAll(parts);
    int position = position(expr);
    note(reading(expr));
    dividesIntegers |= call.function().equals("_/_") && parts.stream().allMatch(Planner::isInteger);
    return switch (call.function()) {
      case "_&&_" -> new PlanNode.Logic(position, false, arguments.get(0), arguments.get(1));
      case "_||_" -> new PlanNode.Logic(position, true, arguments.get(0), arguments.get(1));
      case "_?_:_" ->
          new PlanNode.Choice(position, arguments.get(0), arguments.get(1), arguments.get(2));
      case "@not_strictly_false" -> new PlanNode.NotStrictlyFalse(arguments.get(0));
      case "matches" -> matches(expr, arguments);
      default -> strict(expr, call.function(), arguments);
    };
  }

  private static boolean isInteger(CelExpr expr) {
    return expr.getKind() == Kind.CONSTANT
        && expr.constant().getKind() == CelConstant.Kind.INT64_VALUE;
  }

  private PlanNode strict(CelExpr expr, String name, List<PlanNode> arguments) {
    Function function = Functions.named(name);
    return function == null
        ? problem(expr, "Expected a function, but '" + name + "' is none")
        : new PlanNode.Call(position(expr), function.body(), arguments);
  }

  /** A pattern that is known now is compiled now, so that a bad one is found on deploy. */
  private PlanNode matches(CelExpr expr, List<PlanNode> arguments) {
    if (!(arguments.get(1) instanceof PlanNode.Constant known)) {
      return strict(expr, "matches", arguments);
    }
    try {
      Regex regex = Regex.compile(Budget.full(), Values.text("matches", known.value()));
      return new PlanNode.Matches(position(expr), arguments.get(0), regex);
    } catch (Trouble trouble) {
      return problem(expr, trouble.text(false));
    }
  }

  private PlanNode list(CelExpr expr, List<PlanNode> elements) {
    PlanNode list = new PlanNode.Elements(position(expr), elements);
    return elements.stream().allMatch(PlanNode.Constant.class::isInstance)
        ? new PlanNode.Constant(list.evaluate(new Frame(EvaluationScope.EMPTY, Budget.full(), 0)))
        : list;
  }

  private PlanNode map(CelExpr expr, CelMap map) {
    List<PlanNode> keys = planAll(map.entries().stream().map(CelMap.Entry::key).toList());
    List<PlanNode> values = planAll(map.entries().stream().map(CelMap.Entry::value).toList());
    for (int i = 0; i < keys.size(); i++) {
      if (keys.get(i) instanceof PlanNode.Constant key && !(key.value() instanceof String)) {
        problem(map.entries().get(i).key(), "Expected a text as key");
      }
    }
    return new PlanNode.Entries(position(expr), keys, values);
  }

  private PlanNode fold(CelExpr expr, CelComprehension fold) {
    if (Root.called(fold.iterVar()).isPresent()) {
      return problem(
          expr, "Expected another name for the element: '%s' is taken".formatted(fold.iterVar()));
    }
    boolean gathers =
        fold.accuInit().getKind() == Kind.LIST && fold.accuInit().list().elements().isEmpty();
    PlanNode range = plan(fold.iterRange());
    PlanNode start = gathers ? new Fold.Gather() : plan(fold.accuInit());
    int accumulator = slots++;
    int element = slots++;
    Integer hiddenAccumulator = locals.put(fold.accuVar(), accumulator);
    Integer hiddenElement = locals.put(fold.iterVar(), element);
    int before = nodes;
    PlanNode condition = plan(fold.loopCondition());
    PlanNode step = gathers ? gathering(fold.loopStep(), accumulator) : plan(fold.loopStep());
    int body = nodes - before;
    restore(fold.iterVar(), hiddenElement);
    PlanNode result = gathers ? new Fold.Gathered(accumulator) : plan(fold.result());
    restore(fold.accuVar(), hiddenAccumulator);
    PlanNode until = condition instanceof PlanNode.Constant ? null : condition;
    return new Fold(position(expr), range, element, accumulator, start, until, step, result, body);
  }

  /** The step of {@code map} and {@code filter}: {@code list + [x]}, perhaps under a condition. */
  private PlanNode gathering(CelExpr step, int accumulator) {
    nodes++;
    if (step.getKind() == Kind.IDENT) {
      return new PlanNode.Local(accumulator);
    }
    List<CelExpr> parts = step.call().args();
    if (step.call().function().equals("_?_:_")) {
      return new PlanNode.Choice(
          position(step),
          plan(parts.get(0)),
          gathering(parts.get(1), accumulator),
          gathering(parts.get(2), accumulator));
    }
    return new Fold.Append(
        position(step), accumulator, plan(parts.get(1).list().elements().get(0)));
  }

  private void restore(String name, @Nullable Integer hidden) {
    if (hidden == null) {
      locals.remove(name);
    } else {
      locals.put(name, hidden);
    }
  }

  /** The path that an expression is, if it is one: selections by name that start from a root. */
  private @Nullable DataPath reading(CelExpr expr) {
    return switch (expr.getKind()) {
      case IDENT ->
          locals.containsKey(expr.ident().name())
              ? null
              : Root.called(expr.ident().name())
                  .map(root -> new DataPath(root, List.of()))
                  .orElse(null);
      case SELECT -> then(reading(expr.select().operand()), expr.select().field());
      case CALL ->
          expr.call().function().equals("_[_]")
                  && expr.call().args().get(1).getKind() == Kind.CONSTANT
                  && expr.call().args().get(1).constant().getKind() == CelConstant.Kind.STRING_VALUE
              ? then(
                  reading(expr.call().args().get(0)),
                  expr.call().args().get(1).constant().stringValue())
              : null;
      default -> null;
    };
  }

  private static @Nullable DataPath then(@Nullable DataPath start, String key) {
    return start == null ? null : start.then(key);
  }

  private void note(@Nullable DataPath reading) {
    if (reading != null) {
      readings.add(reading);
    }
  }

  private List<PlanNode> planAll(List<CelExpr> parts) {
    List<PlanNode> planned = new ArrayList<>(parts.size());
    for (CelExpr part : parts) {
      planned.add(plan(part));
    }
    return List.copyOf(planned);
  }

  private PlanNode problem(CelExpr expr, String message) {
    problems.add(new Problem(position(expr), message));
    return new PlanNode.Constant(null);
  }

  private int position(CelExpr expr) {
    return positions.getOrDefault(expr.id(), 0);
  }
}
