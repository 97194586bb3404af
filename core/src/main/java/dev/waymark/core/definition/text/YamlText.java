package dev.waymark.core.definition.text;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Present;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.events.DocumentEndEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.ImplicitTuple;
import org.snakeyaml.engine.v2.events.MappingEndEvent;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceEndEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.events.StreamStartEvent;

/**
 * Writes plain data as YAML that people like to read.
 *
 * <p>It chooses the style of every text itself: the library would leave {@code True} without
 * quotes, which {@link YamlDocument} reads as a truth value.
 */
final class YamlText {

  private static final DumpSettings SETTINGS =
      DumpSettings.builder()
          .setWidth(Limits.DEFINITION_CHARS)
          .setSplitLines(false)
          .setIndent(2)
          .setIndicatorIndent(2)
          .setIndentWithIndicator(true)
          .setMaxSimpleKeyLength(Json.MAX_NAME_CHARS)
          .build();

  /** Texts that can be nothing but a text. All others are quoted. */
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z_/](?:[A-Za-z0-9_./@,'()?! -]*[A-Za-z0-9_./@'()?!-])?");

  private static final Pattern WORD = Pattern.compile("(?i)true|false|null|yes|no|on|off|y|n");

  /** Lines that a block keeps as they are: nothing invisible in them, no space at their ends. */
  private static final Pattern LINES =
      Pattern.compile("[!-~\\p{L}](?:[ -~\\p{L}\\n]*[!-~\\p{L}])?\\n?");

  private static final Pattern SPACE_AT_END = Pattern.compile(" \\n");

  /** A list of short texts and numbers stands in one line of at most this number of characters. */
  private static final int ONE_LINE = 60;

  private static final ImplicitTuple NO_TAG = new ImplicitTuple(true, true);

  private final List<Event> events = new ArrayList<>();

  private YamlText() {}

  static String of(Map<String, @Nullable Object> document) {
    YamlText text = new YamlText();
    text.events.add(new StreamStartEvent());
    text.events.add(new DocumentStartEvent(false, Optional.empty(), Map.of()));
    text.add(document);
    text.events.add(new DocumentEndEvent(false));
    text.events.add(new StreamEndEvent());
    return new Present(SETTINGS).emitToString(text.events.iterator());
  }

  private void add(@Nullable Object value) {
    switch (value) {
      case Map<?, ?> map -> {
        FlowStyle style = map.isEmpty() ? FlowStyle.FLOW : FlowStyle.BLOCK;
        events.add(new MappingStartEvent(Optional.empty(), Optional.empty(), true, style));
        map.forEach(
            (name, element) -> {
              key(String.valueOf(name));
              add(element);
            });
        events.add(new MappingEndEvent());
      }
      case List<?> list -> {
        FlowStyle style = fitsOneLine(list) ? FlowStyle.FLOW : FlowStyle.BLOCK;
        events.add(new SequenceStartEvent(Optional.empty(), Optional.empty(), true, style));
        list.forEach(this::add);
        events.add(new SequenceEndEvent());
      }
      case String text -> scalar(text, style(text));
      case null, default -> scalar(String.valueOf(value), ScalarStyle.PLAIN);
    }
  }

  /** A name such as {@code on} is safe as a key: this format is YAML 1.2, where it is a text. */
  private void key(String name) {
    boolean plain =
        PLAIN.matcher(name).matches() && !name.matches("true|false|null|True|TRUE|False|FALSE");
    scalar(name, plain ? ScalarStyle.PLAIN : ScalarStyle.DOUBLE_QUOTED);
  }

  private static ScalarStyle style(String text) {
    if (PLAIN.matcher(text).matches() && !WORD.matcher(text).matches()) {
      return ScalarStyle.PLAIN;
    }
    boolean block =
        text.indexOf('\n') >= 0
            && LINES.matcher(text).matches()
            && !SPACE_AT_END.matcher(text).find();
    return block ? ScalarStyle.LITERAL : ScalarStyle.DOUBLE_QUOTED;
  }

  private void scalar(String value, ScalarStyle style) {
    events.add(new ScalarEvent(Optional.empty(), Optional.empty(), NO_TAG, value, style));
  }

  private static boolean fitsOneLine(List<?> list) {
    int length = 0;
    for (Object element : list) {
      boolean simple =
          element instanceof Long || element instanceof BigDecimal || element instanceof String;
      length += simple ? String.valueOf(element).length() + 2 : ONE_LINE + 1;
      if (length > ONE_LINE) {
        return false;
      }
    }
    return true;
  }
}
