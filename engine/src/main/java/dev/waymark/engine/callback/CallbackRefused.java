package dev.waymark.engine.callback;

/** A callback that is not what its token asks for; nothing was stored. */
public final class CallbackRefused extends RuntimeException {

  private static final long serialVersionUID = 1;

  private final Reason reason;

  /** The part of a callback that was wrong, as an HTTP endpoint needs to know it for its answer. */
  public enum Reason {
    /** No token of ours: answered as if there were nothing at this address. */
    TOKEN,
    SIGNATURE,
    BODY
  }

  CallbackRefused(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  public Reason reason() {
    return reason;
  }
}
