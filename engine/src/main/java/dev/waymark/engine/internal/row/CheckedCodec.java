package dev.waymark.engine.internal.row;

import dev.waymark.engine.spi.DocumentCodec;
import org.jspecify.annotations.Nullable;

/** An application's codec, which must give something: nothing would be stored as no document. */
public record CheckedCodec(DocumentCodec codec) implements DocumentCodec {

  @Override
  public String encode(String document) {
    return given("encode", codec.encode(document));
  }

  @Override
  public String decode(String stored) {
    return given("decode", codec.decode(stored));
  }

  private String given(String method, @Nullable String text) {
    if (text == null) {
      throw new IllegalStateException(
          "Expected %s.%s to give a text, but got null"
              .formatted(codec.getClass().getName(), method));
    }
    return text;
  }
}
