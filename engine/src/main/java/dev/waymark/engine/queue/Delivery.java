package dev.waymark.engine.queue;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One message as a broker delivers it. */
public interface Delivery {

  /** The id that the broker or the sender gave it; the same if it is delivered again. */
  String id();

  Map<String, String> headers();

  Map<String, @Nullable Object> payload();

  /** The message is durable here: the broker may forget it. */
  void acknowledge();

  /** It could not be stored now: the broker is to deliver it again, later. */
  void refuse();
}
