package dev.waymark.proof.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.core.expression.value.Budget;
import dev.waymark.core.step.Operators;
import dev.waymark.engine.Settings;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.postgres.PostgresOptions;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The page of defaults is what the code says: values by reflection, meanings from the comments
 * beside them. {@code -Dpages=write} writes it again.
 */
class DefaultsPageTest {

  private static final Path PAGE = Path.of("../docs/defaults.md");

  @Test
  void the_page_is_what_the_code_says() throws Exception {
    String page = page();
    if ("write".equals(System.getProperty("pages"))) {
      Files.writeString(PAGE, page);
    }
    assertThat(PAGE)
        .as(
            "to write it again: mvn -pl proof -am test -Dtest=DefaultsPageTest"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dpages=write"
                + " -Dsurefire.failIfNoSpecifiedTests=false")
        .hasContent(page);
  }

  private static String page() throws Exception {
    StringBuilder page =
        new StringBuilder(
            """
            # Defaults and limits

            <!-- generated, see DefaultsPageTest -->

            All that applies unless something else is said, and all that has a bound. Durations are ISO 8601.
            """);
    record(page, "The engine", "`EngineBuilder.settings` sets them.", Settings.DEFAULT);
    record(page, "Closed waits", "`EngineBuilder.retention` sets them.", Retention.DEFAULT);
    record(page, "PostgreSQL", "`PostgresStore.open` takes them.", PostgresOptions.DEFAULTS);
    record(page, "Retry", "`retry` of an activity says otherwise.", RetryPolicy.DEFAULT);
    record(
        page,
        "Operators",
        "`EngineBuilder.operators` sets them; the roles that the engine knows by name.",
        Operators.DEFAULT);
    constants(page, "Limits", "Fixed. What is larger is refused.", Limits.class);
    constants(page, "Documents", "Every value, payload and set of variables.", Json.class);
    constants(page, "Expressions", "All expressions of one template together.", Budget.class);
    constants(page, "Attempts", "What a definition may say.", RetryPolicy.class);
    return page.toString();
  }

  private static void record(StringBuilder page, String title, String note, Record defaults)
      throws Exception {
    head(page, title, note, "setting");
    String source = source(defaults.getClass());
    for (RecordComponent component : defaults.getClass().getRecordComponents()) {
      String meaning = meaning(source, "@param " + component.getName() + " ");
      page.append(row(component.getName(), component.getAccessor().invoke(defaults), meaning));
    }
  }

  private static void constants(StringBuilder page, String title, String note, Class<?> type)
      throws Exception {
    head(page, title, note, "limit");
    String source = source(type);
    for (Field field : type.getDeclaredFields()) {
      if (Modifier.isPublic(field.getModifiers())
          && Modifier.isStatic(field.getModifiers())
          && field.getType() != type) {
        page.append(row(field.getName(), field.get(null), comment(source, field.getName())));
      }
    }
  }

  private static void head(StringBuilder page, String title, String note, String column) {
    page.append(
        """

        ## %s

        %s

        | %s | value | meaning |
        |---|---|---|
        """
            .formatted(title, note, column));
  }

  private static String row(String name, @Nullable Object value, String meaning) {
    return "| `%s` | %s | %s |\n".formatted(name, shown(value), meaning.replace("|", "\\|"));
  }

  private static String shown(@Nullable Object value) {
    return switch (value) {
      case null -> "-";
      case Integer number -> "%,d".formatted(number);
      case Duration duration when duration.toDays() > 0 -> "P" + duration.toDays() + "D";
      default -> value.toString();
    };
  }

  private static String source(Class<?> type) throws IOException {
    String module = type.getName().split("\\.", 4)[2];
    return Files.readString(
        Path.of("..", module, "src/main/java", type.getName().replace('.', '/') + ".java"));
  }

  /** The comment right before a constant. */
  private static String comment(String source, String constant) {
    Matcher found =
        Pattern.compile(
                "/\\*\\*((?:(?!\\*/)[\\s\\S])*)\\*/\\s*public static final \\S+ "
                    + constant
                    + "\\b")
            .matcher(source);
    assertThat(found.find()).as("a comment on %s that says what it means", constant).isTrue();
    return plain(found.group(1));
  }

  private static String meaning(String source, String start) {
    int at = source.indexOf(start);
    assertThat(at).as("a line '%s' that says what it means", start).isNotNegative();
    String rest = source.substring(at + start.length());
    return plain(rest.split("@param |@return |\\*/", 2)[0]);
  }

  private static String plain(String comment) {
    return comment
        .replaceAll("\\s*\\n\\s*\\*?\\s*", " ")
        .replaceAll("<p>", "")
        .replaceAll("\\{@(?:link|code|literal) #?([^}]*)}", "`$1`")
        .trim();
  }
}
