package dev.waymark.engine.callback;

import static dev.waymark.core.Arguments.given;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The permission that a partner must show to call back: it names the wait and its run, how often it
 * may be used and the secret that must sign the callback, under a seal of 256 bits.
 *
 * <p>It is not stored. A reader of the database finds no token and no hash of one, and cannot make
 * one without the key; and a token can be made before its wait exists, so that a partner may answer
 * as early as it likes.
 *
 * @param once whether a second use is a duplicate of the first, even with another body
 * @param signedBy the name of the secret that must sign the callback; absent if the token is enough
 */
public record Token(
    String tenant, InstanceId instance, String name, boolean once, @Nullable String signedBy) {

  private static final int PARTS = 6;
  private static final String ONCE = "1";
  private static final String MANY = "n";

  public Token {
    given("tenant, instance, name", tenant, instance, name);
    Message.given(name);
  }

  /** The text to give to the partner: letters, digits, dots, minus and underscore. */
  public String seal(Secret secret) {
    given("secret", secret);
    String content =
        String.join(
            ".",
            encoded(secret.name()),
            encoded(tenant),
            instance.toString().replace("-", ""),
            (once ? ONCE : MANY) + (signedBy == null ? "" : encoded(signedBy)),
            encoded(name));
    return content + "." + encoded(secret.sign(content.getBytes(UTF_8)));
  }

  /** The token in a text that one of these secrets has sealed; absent if none has. */
  public static @Nullable Token open(String text, Collection<Secret> secrets) {
    given("text, secrets", text, secrets);
    List<String> parts = List.of(text.split("\\.", PARTS + 1));
    if (parts.size() != PARTS) {
      return null;
    }
    String content = text.substring(0, text.lastIndexOf('.'));
    for (Secret secret : secrets) {
      if (parts.get(0).equals(encoded(secret.name()))
          && isSame(parts.get(PARTS - 1), encoded(secret.sign(content.getBytes(UTF_8))))) {
        return read(parts);
      }
    }
    return null;
  }

  // In the same time whatever differs: how long it takes must not tell how much was right.
  private static boolean isSame(String given, String expected) {
    return MessageDigest.isEqual(given.getBytes(UTF_8), expected.getBytes(UTF_8));
  }

  private static Token read(List<String> parts) {
    String hex = parts.get(2);
    String id = hex.replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
    String use = parts.get(3);
    return new Token(
        decoded(parts.get(1)),
        InstanceId.parse(id),
        decoded(parts.get(4)),
        use.startsWith(ONCE),
        use.length() == 1 ? null : decoded(use.substring(1)));
  }

  private static String encoded(String text) {
    return encoded(text.getBytes(UTF_8));
  }

  private static String encoded(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  private static String decoded(String text) {
    return new String(Base64.getUrlDecoder().decode(text), UTF_8);
  }
}
