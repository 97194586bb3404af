package dev.waymark.engine.callback;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Limits;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that this process knows and that is not in the database, under a name that may be public.
 * Never printed.
 */
public final class Secret {

  private static final String HMAC = "HmacSHA256";
  private static final int LEAST = 24;

  private final String name;
  private final SecretKeySpec key;

  private Secret(String name, SecretKeySpec key) {
    this.name = name;
    this.key = key;
  }

  /**
   * A key that was drawn at random.
   *
   * @param key 24 bytes or more
   */
  public static Secret of(String name, byte[] key) {
    Limits.name("a secret's name", name);
    given("key", key);
    if (key.length < LEAST) {
      throw new IllegalArgumentException(
          "Expected secret '%s' to have %d bytes or more, but it has %d"
              .formatted(name, LEAST, key.length));
    }
    return new Secret(name, new SecretKeySpec(key, HMAC));
  }

  public String name() {
    return name;
  }

  byte[] sign(byte[] content) {
    try {
      Mac mac = Mac.getInstance(HMAC);
      mac.init(key);
      return mac.doFinal(content);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java platform must provide " + HMAC, e);
    }
  }

  @Override
  public String toString() {
    return "Secret[" + name + "]";
  }
}
