package dev.waymark.core;

import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON as plain Java values that nobody can change: {@code null}, {@link Boolean}, {@link Long},
 * {@link BigDecimal}, {@link String}, {@link List} and {@link Map} with the keys in the order
 * written.
 *
 * <p>A number written as an integer is a {@code Long}, or a {@code BigDecimal} of scale 0 where a
 * {@code Long} is too small. A number with decimals keeps them: {@code 10.10} is written again as
 * {@code 10.10}, for money must not lose cents. What {@link #valueOf} accepts and {@link #write}
 * writes, {@link #read} reads: the bounds are the same on both ways, so no stored document turns
 * out to be unreadable.
 */
public final class Json {

  /** Arrays and objects inside each other. */
  public static final int MAX_DEPTH = 64;

  /** One text, in characters. */
  public static final int MAX_TEXT_CHARS = 1024 * 1024;

  /** One key of an object, in characters. */
  public static final int MAX_NAME_CHARS = 256;

  /** One number as it is written, in characters. */
  public static final int MAX_NUMBER_CHARS = 100;

  /** Digits of one number: with sign, point and exponent still at most 100 characters. */
  public static final int MAX_NUMBER_DIGITS = 80;

  /**
   * How far the exponent of a number may be from zero. {@code 1e999999999} takes eleven characters
   * to write and a gigabyte to add one to.
   */
  public static final int MAX_EXPONENT = 1_000;

  private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxDocumentLength(Limits.DOCUMENT_CHARS)
                  .maxStringLength(MAX_TEXT_CHARS)
                  .maxNameLength(MAX_NAME_CHARS)
                  .maxNumberLength(MAX_NUMBER_CHARS)
                  .build())
          .build();

  private Json() {}

  /** Reads one JSON value; anything after it, or a key given twice, is refused. */
  public static @Nullable Object read(String json) {
    if (json.length() > Limits.DOCUMENT_CHARS) {
      throw new IllegalArgumentException(
          "Expected a JSON document of at most %,d characters, but got %,d"
              .formatted(Limits.DOCUMENT_CHARS, json.length()));
    }
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), json)) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw new IllegalArgumentException("Expected a JSON value, but got an empty text");
      }
      Object value = readValue(parser, first);
      JsonToken next = parser.nextToken();
      if (next != null) {
        throw refusal(
            "Expected the end of the document, but got " + next, parser.currentTokenLocation());
      }
      return value;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Expected JSON, but: " + e.getOriginalMessage() + at(e.getLocation()), e);
    }
  }

  /** Reads a JSON object; any other kind of value is refused. */
  public static Map<String, @Nullable Object> readObject(String json) {
    if (read(json) instanceof FrozenMap object) {
      return object;
    }
    String start = json.strip();
    throw new IllegalArgumentException(
        "Expected a JSON object, but got "
            + (start.length() > 40 ? start.substring(0, 40) + "…" : start));
  }

  /** Writes a value without spaces. Any Java value goes, as in {@link #valueOf}. */
  public static String write(@Nullable Object value) {
    Object normal = valueOf(value);
    StringWriter out = new StringWriter(256);
    try (JsonGenerator generator = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
      writeValue(generator, normal);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Expected a value that JSON can express, but: " + e.getOriginalMessage(), e);
    }
    if (out.getBuffer().length() > Limits.DOCUMENT_CHARS) {
      throw new IllegalArgumentException(
          "Expected a JSON document of at most %,d characters, but got %,d"
              .formatted(Limits.DOCUMENT_CHARS, out.getBuffer().length()));
    }
    return out.toString();
  }

  /**
   * Turns any Java value into its JSON value, by copy. What came out of here before is returned as
   * it is, at no cost; records, beans, enums and {@code java.time} values become what Jackson makes
   * of them.
   */
  public static @Nullable Object valueOf(@Nullable Object any) {
    return normal(any, 0);
  }

  /** {@link #valueOf} for an object with the given entries. */
  public static Map<String, @Nullable Object> objectOf(
      Map<String, ? extends @Nullable Object> any) {
    if (valueOf(any) instanceof FrozenMap object) {
      return object;
    }
    throw new IllegalArgumentException("Expected a JSON object, but got " + any.getClass());
  }

  /** Reads a JSON value as a Java type of the caller: a record, a bean, an enum, a list … */
  public static <T> T convert(@Nullable Object value, Class<T> type) {
    try {
      T converted = Mapper.INSTANCE.convertValue(value, type);
      if (converted == null) {
        throw new IllegalArgumentException("Expected a " + type.getSimpleName() + ", but got null");
      }
      return converted;
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Expected a " + type.getSimpleName() + ", but: " + e.getOriginalMessage(), e);
    }
  }

  /**
   * The normal form of a decimal: without decimals it is an integer, hence a {@code Long} if it
   * fits.
   */
  public static Number number(BigDecimal decimal) {
    if (Math.abs((long) decimal.scale()) > MAX_EXPONENT
        || decimal.precision() > MAX_NUMBER_DIGITS) {
      throw new IllegalArgumentException(
          "Expected a number of at most %d digits and an exponent within ±%,d, but got %d and %,d"
              .formatted(
                  MAX_NUMBER_DIGITS, MAX_EXPONENT, decimal.precision(), -(long) decimal.scale()));
    }
    if (decimal.scale() > 0) {
      return decimal;
    }
    boolean fits = decimal.compareTo(MIN_LONG) >= 0 && decimal.compareTo(MAX_LONG) <= 0;
    return fits ? (Number) decimal.longValue() : decimal;
  }

  private static @Nullable Object readValue(JsonParser parser, @Nullable JsonToken token) {
    return switch (token) {
      case START_OBJECT -> readEntries(parser);
      case START_ARRAY -> readElements(parser);
      case VALUE_STRING -> parser.getString();
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? readNumber(parser)
              : (Object) parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> readNumber(parser);
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> null;
      case null, default ->
          throw refusal("Expected a JSON value, but got " + token, parser.currentTokenLocation());
    };
  }

  private static FrozenMap readEntries(JsonParser parser) {
    String name = parser.nextName();
    if (name == null) {
      return FrozenMap.EMPTY;
    }
    LinkedHashMap<String, @Nullable Object> entries = new LinkedHashMap<>();
    while (name != null) {
      int before = entries.size();
      entries.put(name, readValue(parser, parser.nextToken()));
      if (entries.size() == before) {
        throw refusal(
            "Expected every key once, but got '" + name + "' twice", parser.currentTokenLocation());
      }
      name = parser.nextName();
    }
    return new FrozenMap(entries);
  }

  private static FrozenList readElements(JsonParser parser) {
    JsonToken token = parser.nextToken();
    if (token == JsonToken.END_ARRAY) {
      return FrozenList.EMPTY;
    }
    List<@Nullable Object> elements = new ArrayList<>();
    while (token != JsonToken.END_ARRAY) {
      elements.add(readValue(parser, token));
      token = parser.nextToken();
    }
    return new FrozenList(elements.toArray());
  }

  private static Number readNumber(JsonParser parser) {
    try {
      return number(parser.getDecimalValue());
    } catch (IllegalArgumentException e) {
      throw refusal(e.getMessage() + "", parser.currentTokenLocation());
    }
  }

  private static void writeValue(JsonGenerator out, @Nullable Object value) {
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
              writeValue(out, element);
            });
        out.writeEndObject();
      }
      case FrozenList array -> {
        out.writeStartArray();
        for (int i = 0; i < array.size(); i++) {
          writeValue(out, array.get(i));
        }
        out.writeEndArray();
      }
      default -> throw new IllegalStateException("Not a JSON value: " + value.getClass());
    }
  }

  static int heightOf(@Nullable Object value) {
    return switch (value) {
      case FrozenMap object -> object.height;
      case FrozenList array -> array.height;
      case null, default -> 0;
    };
  }

  /** The depth is that of the lists and objects around {@code any}; zero at the top. */
  private static @Nullable Object normal(@Nullable Object any, int depth) {
    // Checked on the way down too, because a Java value may contain itself.
    if (depth + heightOf(any) > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "Expected at most %d levels of lists and objects, but got more".formatted(MAX_DEPTH));
    }
    return switch (any) {
      case null -> null;
      case String text -> text(text);
      case Long number -> number;
      case Boolean bool -> bool;
      case FrozenMap object -> object;
      case FrozenList array -> array;
      case BigDecimal number -> number(number);
      case Integer number -> number.longValue();
      case Short number -> number.longValue();
      case Byte number -> number.longValue();
      case BigInteger number -> number(new BigDecimal(number));
      case Double number -> ofDouble(number, number);
      case Float number -> ofDouble(number.doubleValue(), number);
      case Map<?, ?> map -> copy(map, depth);
      case Collection<?> list -> copy(list.toArray(), depth);
      case Object[] array -> copy(array, depth);
      default -> normal(convertAny(any), depth);
    };
  }

  private static String text(String text) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new IllegalArgumentException(
          "Expected a text of at most %,d characters, but got %,d"
              .formatted(MAX_TEXT_CHARS, text.length()));
    }
    return text;
  }

  private static Number ofDouble(double value, Number shown) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException(
          "Expected a number that JSON can express, but got " + shown);
    }
    // The shortest decimal that means this number: 0.1 stays 0.1 and 0.1f does not become
    // 0.10000000149011612.
    return number(new BigDecimal(shown.toString()));
  }

  private static @Nullable Object copy(Map<?, ?> map, int depth) {
    if (map.isEmpty()) {
      return FrozenMap.EMPTY;
    }
    LinkedHashMap<String, @Nullable Object> entries = LinkedHashMap.newLinkedHashMap(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        return normal(convertAny(map), depth);
      }
      if (name.length() > MAX_NAME_CHARS) {
        throw new IllegalArgumentException(
            "Expected a key of at most %d characters, but got %,d starting with '%s…'"
                .formatted(MAX_NAME_CHARS, name.length(), name.substring(0, 40)));
      }
      entries.put(name, normal(entry.getValue(), depth + 1));
    }
    return new FrozenMap(entries);
  }

  private static FrozenList copy(@Nullable Object[] array, int depth) {
    @Nullable Object[] elements = new @Nullable Object[array.length];
    for (int i = 0; i < array.length; i++) {
      elements[i] = normal(array[i], depth + 1);
    }
    return new FrozenList(elements);
  }

  private static @Nullable Object convertAny(Object any) {
    try {
      return Mapper.INSTANCE.convertValue(any, Object.class);
    } catch (JacksonException e) {
      throw new IllegalArgumentException(
          "Expected a value that JSON can express, but got %s: %s"
              .formatted(any.getClass().getName(), e.getOriginalMessage()),
          e);
    } catch (StackOverflowError e) {
      throw new IllegalArgumentException(
          "Expected a value that JSON can express, but got %s, which contains itself"
              .formatted(any.getClass().getName()),
          e);
    }
  }

  private static IllegalArgumentException refusal(
      String message, @Nullable TokenStreamLocation location) {
    return new IllegalArgumentException(message + at(location));
  }

  private static String at(@Nullable TokenStreamLocation location) {
    return location == null
        ? ""
        : " at line %d, column %d".formatted(location.getLineNr(), location.getColumnNr());
  }

  /** Apart, because a program that only reads and writes plain values never needs databind. */
  private static final class Mapper {
    static final JsonMapper INSTANCE =
        JsonMapper.builder(FACTORY)
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
  }
}
