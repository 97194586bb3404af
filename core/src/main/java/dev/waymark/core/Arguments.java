package dev.waymark.core;

import org.jspecify.annotations.Nullable;

/**
 * The check of what callers hand in. The compiler tells those who use a null checker; everybody
 * else hears here which argument is missing, before anything is done with the others.
 */
public final class Arguments {

  private Arguments() {}

  /**
   * Refuses arguments that are absent.
   *
   * @param names those of the arguments, in their order, with {@code ", "} between them
   * @throws NullPointerException naming the first that is null
   */
  public static void given(String names, @Nullable Object... values) {
    for (int i = 0; i < values.length; i++) {
      if (values[i] == null) {
        throw new NullPointerException("Expected " + names.split(", ", -1)[i] + ", but got null");
      }
    }
  }
}
