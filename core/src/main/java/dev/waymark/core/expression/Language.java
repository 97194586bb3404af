package dev.waymark.core.expression;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelIssue;
import dev.cel.common.CelOptions;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelKind;
import dev.cel.common.types.CelType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.waymark.core.expression.plan.Plan;
import dev.waymark.core.expression.plan.Planner;
import dev.waymark.core.expression.value.Function;
import dev.waymark.core.expression.value.Functions;
import dev.waymark.core.expression.value.Root;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Source text to plan, or to all that is wrong with it. This is the only place that meets dev.cel's
 * compiler.
 */
final class Language {

  /** Characters of one expression; checked before anything reads it. */
  static final int MAX_SOURCE_CHARS = 4_096;

  /** The depth to which an expression may nest, a chain of operators included. */
  static final int MAX_DEPTH = 50;

  static final int MAX_NODES = 2_000;

  private static final int MAX_SYNTAX_ERRORS = 5;

  /** Java's message for a literal beyond a long, which dev.cel passes on. */
  private static final Pattern BAD_INTEGER = Pattern.compile("For input string: \"(-?[0-9]+)\"");

  /** Faults told of one expression; the lexer finds one in every character of a bad source. */
  private static final int MAX_FAULTS = 10;

  /** Built at first use: it takes a second or so, which a program without expressions saves. */
  private static final class Compiler {
    static final CelCompiler INSTANCE = build();

    private static CelCompiler build() {
      CelCompilerBuilder builder =
          CelCompilerFactory.standardCelCompilerBuilder()
              .setOptions(
                  CelOptions.current()
                      .maxExpressionCodePointSize(MAX_SOURCE_CHARS)
                      .maxParseRecursionDepth(MAX_DEPTH)
                      .maxParseExpressionNodeCount(MAX_NODES)
                      .maxParseErrorRecoveryLimit(MAX_SYNTAX_ERRORS)
                      .build())
              .setStandardEnvironmentEnabled(false)
              .setStandardMacros(CelStandardMacro.STANDARD_MACROS);
      for (Root root : Root.values()) {
        builder.addVar(root.label(), MapType.create(SimpleType.STRING, SimpleType.DYN));
      }
      for (Function function : Functions.all()) {
        builder.addFunctionDeclarations(function.declaration());
      }
      return builder.build();
    }
  }

  private Language() {}

  /**
   * The plan of an expression.
   *
   * @param condition whether the expression must come to true or false
   * @throws ExpressionException with all faults found
   */
  static Plan compile(String source, String path, Set<Root> roots, boolean condition) {
    if (source.length() > MAX_SOURCE_CHARS) {
      String message =
          "Expected an expression of at most %,d characters, but got %,d"
              .formatted(MAX_SOURCE_CHARS, source.length());
      String start = source.substring(0, 100) + "…";
      throw new ExpressionException(
          List.of(new ExpressionFault(path, start, 1, 1, message, Map.of())));
    }
    List<ExpressionFault> faults = new ArrayList<>();
    Plan plan = null;
    Throwable cause = null;
    try {
      plan = plan(source, path, roots, condition, faults);
    } catch (StackOverflowError e) {
      cause = e;
      faults.add(fault(0, path, source, "Expected less nesting than this"));
    } catch (RuntimeException e) {
      // dev.cel's parser has thrown on odd input before; a definition must not end a deployment so.
      cause = e;
      faults.add(fault(0, path, source, "Expected an expression, but: " + e.getMessage()));
    }
    if (plan == null || !faults.isEmpty()) {
      throw new ExpressionException(faults, cause);
    }
    return plan;
  }

  private static @Nullable Plan plan(
      String source,
      String path,
      Set<Root> roots,
      boolean condition,
      List<ExpressionFault> faults) {
    CelValidationResult checked = Compiler.INSTANCE.compile(source);
    CelAbstractSyntaxTree tree = tree(checked);
    if (tree == null) {
      checked.getErrors().stream()
          .limit(MAX_FAULTS)
          .forEach(issue -> faults.add(fault(issue, path, source, roots)));
      return null;
    }
    List<Planner.Problem> problems = new ArrayList<>();
    Plan plan = Planner.plan(source, tree, roots, problems);
    for (Planner.Problem problem : problems) {
      faults.add(fault(problem.position(), path, source, problem.message()));
    }
    CelType type = tree.getResultType();
    if (condition && type.kind() != CelKind.BOOL && type.kind() != CelKind.DYN) {
      faults.add(fault(0, path, source, "Expected true or false, but this gives " + named(type)));
    }
    return plan;
  }

  private static @Nullable CelAbstractSyntaxTree tree(CelValidationResult checked) {
    try {
      return checked.hasError() ? null : checked.getAst();
    } catch (CelValidationException e) {
      return null;
    }
  }

  private static ExpressionFault fault(int position, String path, String source, String message) {
    return ExpressionFault.at(position, path, source, message, Map.of());
  }

  private static ExpressionFault fault(
      CelIssue issue, String path, String source, Set<Root> roots) {
    CelSourceLocation location = issue.getSourceLocation();
    int line = Math.max(1, location.getLine());
    int column = Math.max(0, location.getColumn()) + 1;
    ExpressionFault fault = new ExpressionFault(path, source, line, column, "", Map.of());
    return fault.withMessage(reworded(issue.getMessage(), fault.isAt('('), roots));
  }

  /** dev.cel's text in words for people who do not know its type system. */
  private static String reworded(String message, boolean call, Set<Root> roots) {
    if (message.startsWith("undeclared reference")) {
      String hint = call ? "; there is no such function" : "; there are only " + Root.list(roots);
      return message.replace(" (in container '')", "") + hint;
    }
    if (message.startsWith("token recognition error at: '$'")) {
      return message + "; an expression of its own stands without ${ }";
    }
    Matcher integer = BAD_INTEGER.matcher(message);
    if (integer.find()) {
      return "Expected an integer from %d to %d, but got %s; a decimal such as %s.0 may be larger"
          .formatted(Long.MIN_VALUE, Long.MAX_VALUE, integer.group(1), integer.group(1));
    }
    return message
        .replaceAll("(?s) \\(candidates: .*\\)", "")
        .replace("found no matching overload for", "Expected other kinds of values for")
        .replace("applied to", "but got")
        .replaceAll("'_?([^\\w' ]+)_?'", "'$1'")
        .replaceAll("google\\.protobuf\\.(Timestamp|Duration)", "$1")
        .replace("%%", "%");
  }

  private static String named(CelType type) {
    return switch (type.kind()) {
      case INT, DOUBLE -> "a number";
      case STRING -> "a text";
      case LIST -> "a list";
      case MAP -> "an object";
      case NULL_TYPE -> "null";
      case TIMESTAMP -> "a timestamp";
      case DURATION -> "a duration";
      default -> type.name();
    };
  }
}
