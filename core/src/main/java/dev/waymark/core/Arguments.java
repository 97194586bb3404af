package dev.waymark.core;

import org.jspecify.annotations.Nullable;

/**
 * The check of the arguments of callers. A caller with a null checker learns of a missing argument
 * from the compiler; any other caller gets the name of the missing argument here, before the engine
 * does anything with the others.
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
