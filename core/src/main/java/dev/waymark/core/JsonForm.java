package dev.waymark.core;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value that knows its own JSON, where its properties are not what is to be written. {@link Json}
 * asks it wherever it stands in a document.
 */
public interface JsonForm {

  /** The object that is written for it. */
  Map<String, @Nullable Object> toDocument();
}
