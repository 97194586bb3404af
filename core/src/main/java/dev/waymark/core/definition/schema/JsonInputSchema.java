package dev.waymark.core.definition.schema;

import com.networknt.schema.Error;
import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.format.Format;
import com.networknt.schema.keyword.NonValidationKeyword;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.text.Faults;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A JSON Schema of draft 2020-12, or draft-07 if it says so.
 *
 * <p>It reads nothing outside of itself: references lead into the schema. Its patterns are RE2, so
 * no input text can make one run for hours.
 */
public final class JsonInputSchema implements InputSchema {

  private static final Dialect DEFAULT = quiet(Dialects.getDraft202012());
  private static final Dialect DRAFT_07 = quiet(Dialects.getDraft7());

  /** Keywords that a draft does not know are notes, which it allows: no reason to warn. */
  private static Dialect quiet(Dialect dialect) {
    return Dialect.builder(dialect)
        .unknownKeywordFactory((keyword, context) -> new NonValidationKeyword(keyword))
        .format(new BoundedDuration())
        .formats(formats -> formats.replaceAll((name, format) -> new GuardedFormat(format)))
        .build();
  }

  /** Accepts a text that is no duration at all: the pattern refuses it. */
  private static final class BoundedDuration implements Format {

    @Override
    public String getName() {
      return Shape.BOUNDED_DURATION;
    }

    @Override
    public boolean matches(ExecutionContext context, String text) {
      try {
        return Duration.parse(text).compareTo(Limits.DURATION) <= 0;
      } catch (DateTimeException e) {
        return true;
      }
    }
  }

  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDialects(
          List.of(DEFAULT, DRAFT_07),
          builder ->
              builder
                  .schemaCacheEnabled(false)
                  .schemaLoader(
                      loader -> loader.allow(iri -> SchemaCheck.isDialect(iri.toString())))
                  .schemaRegistryConfig(
                      SchemaRegistryConfig.builder()
                          .formatAssertionsEnabled(true)
                          .losslessNarrowing(true)
                          .locale(Locale.ROOT)
                          .regularExpressionFactory(SchemaPattern::compile)
                          .build()));

  private final Schema schema;

  private JsonInputSchema(Schema schema) {
    this.schema = schema;
  }

  /**
   * Makes a schema of its document.
   *
   * @param faults takes the faults of the schema
   * @return absent if the schema has a fault
   */
  public static @Nullable JsonInputSchema compile(
      Map<String, @Nullable Object> document, Faults faults) {
    SchemaCheck check = new SchemaCheck(document, faults);
    if (!check.run() || !fitsItsDialect(document, faults)) {
      return null;
    }
    try {
      return new JsonInputSchema(schema(document));
    } catch (SchemaException | IllegalArgumentException e) {
      faults.add("", "a JSON Schema", String.valueOf(e.getMessage()));
      return null;
    }
  }

  /** The validator's errors, in its own words. */
  public List<Error> errors(Map<String, @Nullable Object> document) {
    return schema.validate(JsonNodes.of(document));
  }

  @Override
  public List<Violation> check(Map<String, @Nullable Object> document) {
    return errors(document).stream().limit(Limits.VIOLATIONS).map(Wording::violation).toList();
  }

  private static Schema schema(Map<String, @Nullable Object> document) {
    Schema schema =
        REGISTRY.getSchema(SchemaLocation.of("urn:waymark:input"), JsonNodes.ofSchema(document));
    schema.initializeValidators();
    return schema;
  }

  private static boolean fitsItsDialect(Map<String, @Nullable Object> document, Faults faults) {
    Schema dialect =
        SchemaCheck.isDraft07(document) ? DialectSchemas.DRAFT_07 : DialectSchemas.DEFAULT;
    // A keyword that may be this or that gives a violation for each; one fault tells it.
    Set<String> told = new HashSet<>();
    for (Error error : dialect.validate(JsonNodes.of(document))) {
      Violation violation = Wording.violation(error);
      if (told.size() < Limits.VIOLATIONS && told.add(violation.pointer())) {
        faults.add(
            violation.pointer().isEmpty() ? "" : violation.pointer().substring(1),
            "a JSON Schema",
            "one that " + violation.message());
      }
    }
    return told.isEmpty();
  }

  /** Read from the library's jar when the first schema is compiled. */
  private static final class DialectSchemas {
    static final Schema DEFAULT =
        REGISTRY.getSchema(SchemaLocation.of(JsonInputSchema.DEFAULT.getId()));
    static final Schema DRAFT_07 =
        REGISTRY.getSchema(SchemaLocation.of(JsonInputSchema.DRAFT_07.getId()));
  }
}
