package dev.waymark.core;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * JSON as plain Java values that cannot be changed: {@code null}, {@link Boolean}, {@link Long},
 * {@link BigDecimal}, {@link String}, {@link List} and {@link Map} with the keys in the order
 * written.
 *
 * <p>A number written as an integer is a {@code Long}, or a {@code BigDecimal} of scale 0 where a
 * {@code Long} is too small. A number with decimals keeps them: {@code 10.10} is written again as
 * {@code 10.10}, for money must not lose cents. {@link #read} reads every value that {@link
 * #valueOf} accepts and {@link #write} writes: the bounds are the same on both ways, so no stored
 * document turns out to be unreadable.
 *
 * <p>Texts and keys are well-formed Unicode: databases store UTF-8, which has no lone surrogates.
 * The character U+0000 is allowed, because it is always written as an escape.
 */
public final class Json {

  /** Arrays and objects inside each other, in a document that is given to the engine. */
  public static final int MAX_DEPTH = 64;

  /**
   * Levels that the engine puts around a given value: one around the value itself, as the result of
   * a race or a for-each does, and one more in rows, where history wraps the changes. They come on
   * top of {@link #MAX_DEPTH}, so that every accepted value can be used and written.
   */
  static final int WRAPPING = 8;

  /** One text, in characters. */
  public static final int MAX_TEXT_CHARS = 1024 * 1024;

  /** Bytes of one value: as base64 they are one text of the longest kind. */
  public static final int MAX_BYTES = MAX_TEXT_CHARS / 4 * 3;

  /** One key of an object, in characters. */
  public static final int MAX_NAME_CHARS = 256;

  /** One number as it is written, in characters. */
  public static final int MAX_NUMBER_CHARS = 100;

  /** Digits of one number: with sign, point and exponent still at most 100 characters. */
  public static final int MAX_NUMBER_DIGITS = 80;

  /**
   * The largest exponent of a number, positive or negative. {@code 1e999999999} takes eleven
   * characters to write and a gigabyte to add one to.
   */
  public static final int MAX_EXPONENT = 1_000;

  /**
   * The key of an object that is a reference to a payload: a content that is kept outside of the
   * documents. Only such objects may have this key.
   */
  public static final String PAYLOAD = "$payload";

  private static final BigDecimal MIN_LONG = BigDecimal.valueOf(Long.MIN_VALUE);
  private static final BigDecimal MAX_LONG = BigDecimal.valueOf(Long.MAX_VALUE);

  private Json() {}

  /** Reads one JSON value; anything after it, or a key given twice, is refused. */
  public static @Nullable Object read(String json) {
    try {
      return JsonText.read(json);
    } catch (Unfit e) {
      throw e.told();
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
    try {
      return JsonText.write(JsonValues.normal(value, -WRAPPING));
    } catch (Unfit e) {
      throw e.told();
    }
  }

  /** The JSON value that {@link #write} writes: {@link #valueOf}, with room for its wrapping. */
  public static @Nullable Object written(@Nullable Object value) {
    try {
      return JsonValues.normal(value, -WRAPPING);
    } catch (Unfit e) {
      throw e.told();
    }
  }

  /**
   * Turns any Java value into its JSON value, by copy. A value that this method has made before is
   * returned as it is, at no cost; records, beans, enums and {@code java.time} values are converted
   * by Jackson. Bytes ({@code byte[]} and {@code ByteBuffer}) become their base64 text.
   *
   * @throws IllegalArgumentException saying where and what to do, if a value is no data: text with
   *     a lone surrogate, an object without properties, a stream, a tree of another JSON library
   */
  public static @Nullable Object valueOf(@Nullable Object any) {
    try {
      return JsonValues.normal(any, 0);
    } catch (Unfit e) {
      throw e.told();
    }
  }

  /** {@link #valueOf} for an object with the given entries. */
  public static Map<String, @Nullable Object> objectOf(
      @Nullable Map<String, ? extends @Nullable Object> any) {
    if (any == null) {
      throw new IllegalArgumentException("Expected a JSON object, but got null");
    }
    if (valueOf(any) instanceof FrozenMap object) {
      return object;
    }
    throw new IllegalArgumentException("Expected a JSON object, but got " + any.getClass());
  }

  /**
   * An object inside a JSON value that is known to be one.
   *
   * @param value absent for an object without entries
   */
  @SuppressWarnings("unchecked") // every map in a JSON value has string keys
  public static Map<String, @Nullable Object> object(@Nullable Object value) {
    return value == null ? Map.of() : (Map<String, @Nullable Object>) value;
  }

  /**
   * {@link #objectOf} for a document that comes from outside of the engine.
   *
   * @throws IllegalArgumentException also if it has more than {@link #MAX_DEPTH} levels
   */
  public static Map<String, @Nullable Object> given(
      @Nullable Map<String, ? extends @Nullable Object> any) {
    Map<String, @Nullable Object> object = objectOf(any);
    if (heightOf(object) > MAX_DEPTH) {
      throw new IllegalArgumentException(
          "Expected at most %d levels of lists and objects, but got %d"
              .formatted(MAX_DEPTH, heightOf(object)));
    }
    return object;
  }

  /** Reads a JSON value as a Java type of the caller: a record, a bean, an enum, a list … */
  public static <T> T convert(@Nullable Object value, Class<T> type) {
    return JsonMapping.convert(value, type);
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

  /**
   * About how many characters a JSON value is written with; what is told for a text leaves out its
   * escapes, which make it six times as long at most. Known without a walk through the value.
   */
  public static int lengthOf(@Nullable Object value) {
    return switch (value) {
      case FrozenMap object -> object.length;
      case FrozenList array -> array.length;
      case String text -> text.length() + 2;
      case BigDecimal number -> number.precision() + 8;
      case Long number -> number >= 0 && number < 1_000_000 ? 6 : 20;
      case null, default -> 5;
    };
  }

  /**
   * True if two values are equal and the keys of their objects stand in the same order. Expressions
   * see that order.
   */
  @SuppressWarnings("ReferenceEquality") // Only spares the walk through a shared part.
  public static boolean isSame(@Nullable Object one, @Nullable Object other) {
    if (one == other) {
      return true;
    }
    if (one instanceof Map<?, ?> left && other instanceof Map<?, ?> right) {
      return left.size() == right.size()
          && areSame(left.keySet(), right.keySet())
          && areSame(left.values(), right.values());
    }
    if (one instanceof List<?> left && other instanceof List<?> right) {
      return left.size() == right.size() && areSame(left, right);
    }
    return Objects.equals(one, other);
  }

  private static boolean areSame(Collection<?> some, Collection<?> others) {
    Iterator<?> other = others.iterator();
    for (Object one : some) {
      if (!isSame(one, other.next())) {
        return false;
      }
    }
    return true;
  }

  /** True for an object with the key {@link #PAYLOAD}. */
  public static boolean isPayload(@Nullable Object value) {
    return value instanceof Map<?, ?> object
        && !(value instanceof FrozenMap frozen && !frozen.payload)
        && object.containsKey(PAYLOAD);
  }

  /**
   * True if a JSON value is a reference to a payload, or has one inside of it. Known without a walk
   * through the value, so that a step without references pays nothing for being asked.
   */
  public static boolean holdsPayload(@Nullable Object value) {
    return switch (value) {
      case FrozenMap object -> object.payload;
      case FrozenList array -> array.payload;
      case null, default -> false;
    };
  }

  /** Lists and objects inside each other, in a JSON value. */
  public static int heightOf(@Nullable Object value) {
    return switch (value) {
      case FrozenMap object -> object.height;
      case FrozenList array -> array.height;
      case null, default -> 0;
    };
  }

  /** One text, or the complaint that it is too long or not well formed. */
  static String text(String text) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new Unfit(
          "Expected a text of at most %,d characters, but got %,d"
              .formatted(MAX_TEXT_CHARS, text.length()));
    }
    int lone = Unicode.loneSurrogate(text);
    if (lone >= 0) {
      throw new Unfit(
          "Expected a text in well-formed Unicode, cut between whole characters, but got "
              + Unicode.shown(text, lone));
    }
    return text;
  }

  /** One key of an object, or the complaint that it is too long or not well formed. */
  static String key(String name) {
    if (name.length() > MAX_NAME_CHARS) {
      throw new Unfit(
          "Expected a key of at most %d characters, but got %,d starting with '%s…'"
              .formatted(MAX_NAME_CHARS, name.length(), name.substring(0, 40)));
    }
    int lone = Unicode.loneSurrogate(name);
    if (lone >= 0) {
      throw new Unfit(
          "Expected a key in well-formed Unicode, but got " + Unicode.shown(name, lone));
    }
    return name;
  }
}
