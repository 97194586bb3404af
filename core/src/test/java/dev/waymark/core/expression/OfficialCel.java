package dev.waymark.core.expression;

import static java.util.stream.Collectors.toMap;

import dev.cel.common.CelOptions;
import dev.cel.common.CelValidationException;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;

/** The same expressions as dev.cel itself compiles and evaluates them. */
final class OfficialCel {

  /** In place of a value: the expression does not compile, or comes to an error. */
  enum Refusal {
    ERROR
  }

  private static final CelOptions OPTIONS =
      CelOptions.current().enableHeterogeneousNumericComparisons(true).build();

  private static final CelCompiler COMPILER =
      CelCompilerFactory.standardCelCompilerBuilder()
          .setOptions(OPTIONS)
          .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
          .addVar("Variables", MapType.create(SimpleType.STRING, SimpleType.DYN))
          .build();

  private static final CelRuntime RUNTIME =
      CelRuntimeFactory.plannerRuntimeBuilder().setOptions(OPTIONS).build();

  private OfficialCel() {}

  static Object evaluate(String source, Map<String, ?> variables) {
    try {
      return RUNTIME
          .createProgram(COMPILER.compile(source).getAst())
          .eval(Map.of("Variables", theirs(variables)));
    } catch (CelValidationException | CelEvaluationException e) {
      return Refusal.ERROR;
    }
  }

  /** Our data in its kinds: it has no decimals. */
  private static Object theirs(Object value) {
    return switch (value) {
      case BigDecimal number -> number.doubleValue();
      case List<?> list -> list.stream().map(OfficialCel::theirs).toList();
      case Map<?, ?> map ->
          map.entrySet().stream()
              .collect(toMap(Map.Entry::getKey, entry -> theirs(entry.getValue())));
      default -> value;
    };
  }
}
