package dev.waymark.engine.payload;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.JsonForm;
import dev.waymark.core.Limits;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The name of a payload: what stands in a document for a content that is kept outside of it.
 *
 * <p>It is plain data, and may stand anywhere in variables, answers and messages. The same content
 * has the same hash, however often it is put.
 *
 * @param sha256 the hash of the content, as 64 lower-case hexadecimal digits
 * @param size of the content, in bytes
 * @param mediaType what the content is, as its sender said: {@code application/pdf}
 */
public record PayloadReference(String sha256, long size, String mediaType) implements JsonForm {

  private static final String SCHEME = "sha256:";
  private static final String SIZE = "size";
  private static final String MEDIA_TYPE = "mediaType";

  private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
  private static final Pattern TYPE = Pattern.compile("[!-.0-~]+/[!-~][ -~]*");

  public PayloadReference {
    given("sha256, mediaType", sha256, mediaType);
    if (!HASH.matcher(sha256).matches()) {
      throw new IllegalArgumentException(
          "Expected a hash of 64 hexadecimal digits in lower case, but got '%s'"
              .formatted(Limits.shortened(sha256, 100)));
    }
    if (size < 0 || size > Limits.PAYLOAD_BYTES) {
      throw new IllegalArgumentException(
          "Expected a size of 0 to %,d bytes, but got %,d".formatted(Limits.PAYLOAD_BYTES, size));
    }
    checkMediaType(mediaType);
  }

  /** Checks a media type as senders give it: {@code type/subtype}, with parameters or without. */
  public static String checkMediaType(String mediaType) {
    given("mediaType", mediaType);
    if (mediaType.length() > Limits.MEDIA_TYPE_CHARS || !TYPE.matcher(mediaType).matches()) {
      throw new IllegalArgumentException(
          "Expected a media type such as application/pdf, of at most %d characters, but got '%s'"
              .formatted(Limits.MEDIA_TYPE_CHARS, Limits.shortened(mediaType, 100)));
    }
    return mediaType;
  }

  /** The form in which it stands in documents. */
  @Override
  public Map<String, @Nullable Object> toDocument() {
    Map<String, @Nullable Object> document = new LinkedHashMap<>();
    document.put(Json.PAYLOAD, SCHEME + sha256);
    document.put(SIZE, size);
    document.put(MEDIA_TYPE, mediaType);
    return document;
  }

  /**
   * The reference that a value of a document is; absent if it is none. So a body finds out whether
   * a variable is a payload.
   */
  public static Optional<PayloadReference> of(@Nullable Object value) {
    if (value instanceof PayloadReference reference) {
      return Optional.of(reference);
    }
    if (value instanceof Map<?, ?> object
        && object.size() == 3
        && object.get(Json.PAYLOAD) instanceof String name
        && name.startsWith(SCHEME)
        && object.get(SIZE) instanceof Number size
        && object.get(MEDIA_TYPE) instanceof String mediaType) {
      return of(name.substring(SCHEME.length()), size, mediaType);
    }
    return Optional.empty();
  }

  private static Optional<PayloadReference> of(String sha256, Number size, String mediaType) {
    try {
      return size instanceof Long || size instanceof Integer
          ? Optional.of(new PayloadReference(sha256, size.longValue(), mediaType))
          : Optional.empty();
    } catch (IllegalArgumentException unfit) {
      return Optional.empty();
    }
  }
}
