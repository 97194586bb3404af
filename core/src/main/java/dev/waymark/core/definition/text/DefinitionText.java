package dev.waymark.core.definition.text;

import dev.waymark.core.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.core.util.Separators;
import tools.jackson.databind.json.JsonMapper;

/**
 * The text of a definition as plain data, and plain data as a text. A text that is written here is
 * read back as the same data, in YAML as in JSON.
 */
public final class DefinitionText {

  private DefinitionText() {}

  /**
   * Reads YAML or JSON and judges nothing but the text: whether the data is a definition, only a
   * {@code DefinitionParser} can tell.
   *
   * @throws InvalidDefinition if it is neither, or more than a definition may be
   */
  public static Map<String, @Nullable Object> read(String text) {
    FaultList faults = new FaultList();
    TextNode.Struct document = Document.read(text, faults);
    if (!faults.isEmpty()) {
      throw faults.invalid();
    }
    return Json.objectOf(document.value());
  }

  /** Block style, the fields in their order, and no more quotes than needed. */
  public static String yaml(Map<String, ? extends @Nullable Object> document) {
    return YamlText.of(Json.objectOf(document));
  }

  /** Indented, the fields in their order. */
  public static String json(Map<String, ? extends @Nullable Object> document) {
    return Mapper.INSTANCE.writer().with(Mapper.PRETTY).writeValueAsString(Json.objectOf(document))
        + "\n";
  }

  /** Apart, because most programs read definitions and never write one. */
  private static final class Mapper {
    static final JsonMapper INSTANCE = JsonMapper.builder().build();
    static final DefaultPrettyPrinter PRETTY =
        new DefaultPrettyPrinter(
                Separators.createDefaultInstance()
                    .withObjectNameValueSpacing(Separators.Spacing.AFTER)
                    .withObjectEmptySeparator("")
                    .withArrayEmptySeparator(""))
            .withObjectIndenter(new DefaultIndenter("  ", "\n"))
            .withArrayIndenter(new DefaultIndenter("  ", "\n"));
  }
}
