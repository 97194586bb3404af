package dev.waymark.core;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Java values as JSON values. A value that is not plain goes through Jackson, once. */
final class JsonValues {

  private JsonValues() {}

  /** The depth is that of the lists and objects around {@code any}; zero at the top. */
  static @Nullable Object normal(@Nullable Object any, int depth) {
    // Checked on the way down too, because a Java value may contain itself.
    if (depth + Json.heightOf(any) > Json.MAX_DEPTH + Json.WRAPPING) {
      throw tooDeep();
    }
    return switch (any) {
      case null -> null;
      case String text -> Json.text(text);
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
      case JsonForm form -> normal(form.toDocument(), depth);
      case byte[] bytes -> base64(ByteBuffer.wrap(bytes));
      case ByteBuffer bytes -> base64(bytes);
      default -> converted(any, depth);
    };
  }

  private static Unfit tooDeep() {
    return new Unfit(
        "Expected at most %d levels of lists and objects, but got more"
            .formatted(Json.MAX_DEPTH + Json.WRAPPING));
  }

  private static Number number(BigDecimal number) {
    try {
      return Json.number(number);
    } catch (IllegalArgumentException e) {
      throw new Unfit(String.valueOf(e.getMessage()), e);
    }
  }

  private static Number ofDouble(double value, Number shown) {
    if (!Double.isFinite(value)) {
      throw new Unfit("Expected a number that JSON can express, but got " + shown);
    }
    // The shortest decimal that means this number: 0.1 stays 0.1 and 0.1f does not become
    // 0.10000000149011612.
    return number(new BigDecimal(shown.toString()));
  }

  private static String base64(ByteBuffer bytes) {
    if (bytes.remaining() > Json.MAX_BYTES) {
      throw new Unfit(
          "Expected at most %,d bytes, but got %,d; keep the document elsewhere and give its address"
              .formatted(Json.MAX_BYTES, bytes.remaining()));
    }
    byte[] copy = new byte[bytes.remaining()];
    bytes.duplicate().get(copy);
    return Base64.getEncoder().encodeToString(copy);
  }

  private static @Nullable Object copy(Map<?, ?> map, int depth) {
    if (map.isEmpty()) {
      return FrozenMap.EMPTY;
    }
    LinkedHashMap<String, @Nullable Object> entries = LinkedHashMap.newLinkedHashMap(map.size());
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String name)) {
        return converted(map, depth);
      }
      String key = Json.key(name);
      try {
        entries.put(key, normal(entry.getValue(), depth + 1));
      } catch (Unfit e) {
        throw e.under(key);
      }
    }
    return new FrozenMap(entries);
  }

  private static FrozenList copy(@Nullable Object[] array, int depth) {
    @Nullable Object[] elements = new @Nullable Object[array.length];
    for (int i = 0; i < array.length; i++) {
      try {
        elements[i] = normal(array[i], depth + 1);
      } catch (Unfit e) {
        throw e.under(i);
      }
    }
    return new FrozenList(elements);
  }

  // The result of Jackson is JSON already, so nothing is converted twice.
  private static @Nullable Object converted(Object any, int depth) {
    Object value = JsonMapping.value(any);
    if (depth + Json.heightOf(value) > Json.MAX_DEPTH + Json.WRAPPING) {
      throw tooDeep();
    }
    return value;
  }
}
