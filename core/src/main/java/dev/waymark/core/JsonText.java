package dev.waymark.core;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;

/** JSON as a text: reading one into values, and writing values that are JSON already. */
final class JsonText {

  // Lengths of texts and keys are checked by Json, which says where in the document they stand.
  static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Json.MAX_DEPTH + 2 * Json.WRAPPING)
                  .maxDocumentLength(Limits.DOCUMENT_CHARS)
                  .maxStringLength(Limits.DOCUMENT_CHARS)
                  .maxNameLength(Limits.DOCUMENT_CHARS)
                  .maxNumberLength(Json.MAX_NUMBER_CHARS)
                  .build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder()
                  .maxNestingDepth(Json.MAX_DEPTH + 2 * Json.WRAPPING)
                  .build())
          // NaN is refused when the value is read again, instead of becoming the text "NaN".
          .disable(JsonWriteFeature.WRITE_NAN_AS_STRINGS)
          .build();

  private JsonText() {}

  /** Reads one value and nothing behind it; an error names its line and column. */
  static @Nullable Object read(String json) {
    return read(json, true);
  }

  /** The same for a text that its author has never seen, so that lines and columns say nothing. */
  static @Nullable Object readMade(String json) {
    return read(json, false);
  }

  private static @Nullable Object read(String json, boolean seen) {
    requireShort(json.length());
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      try {
        JsonToken first = parser.nextToken();
        if (first == null) {
          throw new Unfit("Expected a JSON value, but got an empty text");
        }
        Object value = value(parser, first);
        JsonToken next = parser.nextToken();
        if (next != null) {
          throw new Unfit("Expected the end of the document, but got " + next);
        }
        return value;
      } catch (Unfit e) {
        String where = parser.streamReadContext().pathAsPointer().toString();
        throw (seen ? e.at(location(parser.currentTokenLocation())) : e).below(where);
      }
    } catch (JacksonException e) {
      String where = seen ? location(e.getLocation()) : "";
      throw new Unfit("Expected JSON, but: " + e.getOriginalMessage() + where, e);
    }
  }

  static String write(@Nullable Object normal) {
    StringWriter out = new StringWriter(256);
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      write(generator, normal);
    } catch (JacksonException e) {
      throw new Unfit("Expected a value that JSON can express, but: " + e.getOriginalMessage(), e);
    }
    requireShort(out.getBuffer().length());
    return out.toString();
  }

  private static void requireShort(int length) {
    if (length > Limits.DOCUMENT_CHARS) {
      throw new Unfit(
          "Expected a JSON document of at most %,d characters, but got %,d"
              .formatted(Limits.DOCUMENT_CHARS, length));
    }
  }

  private static @Nullable Object value(JsonParser parser, @Nullable JsonToken token) {
    return switch (token) {
      case START_OBJECT -> entries(parser);
      case START_ARRAY -> elements(parser);
      case VALUE_STRING -> Json.text(parser.getString());
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? number(parser)
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> number(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default -> throw new Unfit("Expected a JSON value, but got " + token);
    };
  }

  private static FrozenMap entries(JsonParser parser) {
    String name = parser.nextName();
    if (name == null) {
      return FrozenMap.EMPTY;
    }
    LinkedHashMap<String, @Nullable Object> entries = new LinkedHashMap<>();
    while (name != null) {
      int before = entries.size();
      entries.put(Json.key(name), value(parser, parser.nextToken()));
      if (entries.size() == before) {
        throw new Unfit("Expected every key once, but got '" + name + "' twice");
      }
      name = parser.nextName();
    }
    return new FrozenMap(entries);
  }

  private static FrozenList elements(JsonParser parser) {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.END_ARRAY) {
      return FrozenList.EMPTY;
    }
    List<@Nullable Object> elements = new ArrayList<>();
    while (token != JsonToken.END_ARRAY) {
      elements.add(value(parser, token));
      token = parser.nextToken();
    }
    return new FrozenList(elements.toArray());
  }

  private static Number number(JsonParser parser) {
    try {
      return Json.number(parser.getDecimalValue());
    } catch (IllegalArgumentException e) {
      throw new Unfit(String.valueOf(e.getMessage()), e);
    }
  }

  private static void write(JsonGenerator out, @Nullable Object value) {
    switch (value) {
      case null -> out.writeNull();
      case String text -> out.writeString(text);
      case Long number -> out.writeNumber(number.longValue());
      case Boolean bool -> out.writeBoolean(bool.booleanValue());
      case BigDecimal number -> out.writeNumber(number);
      case FrozenMap object -> {
        out.writeStartObject();
        object.forEach(
            (name, element) -> {
              out.writeName(name);
              write(out, element);
            });
        out.writeEndObject();
      }
      case FrozenList array -> {
        out.writeStartArray();
        for (int i = 0; i < array.size(); i++) {
          write(out, array.get(i));
        }
        out.writeEndArray();
      }
      default -> throw new IllegalStateException("Not a JSON value: " + value.getClass());
    }
  }

  private static String location(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }
}
