package dev.waymark.engine.payload;

import java.io.IOException;

/**
 * The stored content is not the one that its reference names: a part of it is missing, or its hash
 * is another. What was read of it so far must not be used.
 */
public final class PayloadDamaged extends IOException {

  private static final long serialVersionUID = 1L;

  private final transient PayloadReference reference;

  public PayloadDamaged(PayloadReference reference, String what) {
    super(
        "Expected the whole content of payload sha256:%s, but %s"
            .formatted(reference.sha256(), what));
    this.reference = reference;
  }

  public PayloadReference reference() {
    return reference;
  }
}
