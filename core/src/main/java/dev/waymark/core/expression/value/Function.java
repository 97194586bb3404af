package dev.waymark.core.expression.value;

import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.types.CelType;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.TypeParamType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One name that expressions can call, as the checker sees it and as it runs. */
public record Function(String name, CelFunctionDecl declaration, Evaluation body) {

  /** The work itself. The arguments are values, and may be of any kind: the body checks them. */
  public interface Evaluation {
    @Nullable Object apply(Budget budget, @Nullable Object[] arguments);
  }

  private static final TypeParamType A = TypeParamType.create("A");
  private static final TypeParamType B = TypeParamType.create("B");

  private static final Map<String, CelType> TYPES =
      Map.ofEntries(
          Map.entry("int", SimpleType.INT),
          Map.entry("decimal", SimpleType.DOUBLE),
          Map.entry("text", SimpleType.STRING),
          Map.entry("bool", SimpleType.BOOL),
          Map.entry("time", SimpleType.TIMESTAMP),
          Map.entry("span", SimpleType.DURATION),
          Map.entry("any", SimpleType.DYN),
          Map.entry("A", A),
          Map.entry("B", B),
          Map.entry("A[]", ListType.create(A)),
          Map.entry("text[]", ListType.create(SimpleType.STRING)),
          Map.entry("any[]", ListType.create(SimpleType.DYN)),
          Map.entry("any{any}", MapType.create(SimpleType.DYN, SimpleType.DYN)),
          Map.entry("A{B}", MapType.create(A, B)));

  /**
   * Declares a function by signatures such as {@code "int int > int, text.int > text"}: parameters,
   * {@code >}, result; a point after the first parameter makes it a member of that type.
   */
  static Function of(String name, String signatures, Evaluation body) {
    List<CelOverloadDecl> overloads = new ArrayList<>();
    for (String signature : signatures.split(", ", -1)) {
      boolean member = signature.contains(".");
      String[] sides = signature.replace('.', ' ').split(" > ", 2);
      List<CelType> parameters = new ArrayList<>();
      for (String parameter : sides[0].trim().split(" ", -1)) {
        parameters.add(type(parameter));
      }
      String id = name + "#" + overloads.size();
      overloads.add(
          member
              ? CelOverloadDecl.newMemberOverload(id, type(sides[1]), parameters)
              : CelOverloadDecl.newGlobalOverload(id, type(sides[1]), parameters));
    }
    return new Function(name, CelFunctionDecl.newFunctionDeclaration(name, overloads), body);
  }

  private static CelType type(String name) {
    CelType type = TYPES.get(name);
    if (type == null) {
      throw new IllegalArgumentException("Expected one of " + TYPES.keySet() + ", got " + name);
    }
    return type;
  }
}
