package dev.waymark.engine.callback;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The signature that Standard Webhooks puts beside a body: over its id, its time and itself. The
 * time is compared with our own clock, which tests turn by hand; the specification's library reads
 * another.
 */
final class Signature {

  static final String ID = "webhook-id";

  private static final String TIME = "webhook-timestamp";
  private static final String SIGNATURE = "webhook-signature";
  private static final String VERSION = "v1,";
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private Signature() {}

  /** The reason why a body is not signed as it must be; absent if it is. */
  static @Nullable String refusal(
      Secret secret, byte[] body, Map<String, String> headers, Instant now) {
    String id = header(headers, ID);
    String time = header(headers, TIME);
    String signatures = header(headers, SIGNATURE);
    if (id == null || time == null || signatures == null) {
      return "Expected the headers %s, %s and %s, but not all of them came"
          .formatted(ID, TIME, SIGNATURE);
    }
    Instant sent;
    try {
      sent = Instant.ofEpochSecond(Long.parseLong(time));
    } catch (RuntimeException e) {
      return "Expected %s to be a time in seconds since 1970, but got '%s'".formatted(TIME, time);
    }
    if (Duration.between(sent, now).abs().compareTo(TOLERANCE) > 0) {
      return "Expected a signature of the last %d minutes, but it is of %s"
          .formatted(TOLERANCE.toMinutes(), sent);
    }
    byte[] expected = (VERSION + of(secret, id, time, body)).getBytes(UTF_8);
    boolean signed = false;
    for (String one : List.of(signatures.split(" ", -1))) {
      signed |= MessageDigest.isEqual(one.getBytes(UTF_8), expected);
    }
    return signed ? null : "Expected a signature by '%s', but got none".formatted(secret.name());
  }

  static String of(Secret secret, String id, String time, byte[] body) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes((id + "." + time + ".").getBytes(UTF_8));
    content.writeBytes(body);
    return Base64.getEncoder().encodeToString(secret.sign(content.toByteArray()));
  }

  static @Nullable String header(Map<String, String> headers, String name) {
    for (Map.Entry<String, String> header : headers.entrySet()) {
      // The status line comes as a header without a name, where java.net is asked for headers.
      if (header.getKey() != null && header.getKey().toLowerCase(Locale.ROOT).equals(name)) {
        return header.getValue();
      }
    }
    return null;
  }
}
