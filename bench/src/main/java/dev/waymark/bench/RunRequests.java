package dev.waymark.bench;

import dev.waymark.engine.StartRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The requests that runs begin with: each has a business key of its own and a document among its
 * variables, if the options ask for them.
 */
final class RunRequests {

  /** Kilobytes of documents that are under way at a time; in memory they take a multiple. */
  private static final int KILOBYTES_AT_ONCE = 20_000;

  private static final Duration TO_START = Duration.ofMillis(1);
  private static final Duration TO_WRITE_A_KILOBYTE = Duration.ofNanos(40_000);

  private final boolean keys;
  private final int payload;
  private final Map<String, @Nullable Object> document;
  private final AtomicLong lastKey = new AtomicLong();

  RunRequests(Options options) {
    this.keys = options.keys();
    this.payload = options.payload();
    this.document = payload == 0 ? Map.of() : OrderDocument.ofKilobytes(payload);
  }

  /** How many starts may be under way at a time: so many, or fewer if their documents are large. */
  int atOnce(int most) {
    return payload == 0 ? most : Math.clamp(KILOBYTES_AT_ONCE / payload, 1, most);
  }

  /** Time enough to start so many runs, many at a time. */
  Duration timeToStart(int runs) {
    return TO_START.plus(TO_WRITE_A_KILOBYTE.multipliedBy(payload)).multipliedBy(runs);
  }

  StartRequest next(String definition) {
    return next(definition, Map.of());
  }

  StartRequest next(String definition, Map<String, ? extends @Nullable Object> input) {
    StartRequest request = StartRequest.of(definition).input(withDocument(input));
    return keys ? request.businessKey("order-" + lastKey.incrementAndGet()) : request;
  }

  private Map<String, ? extends @Nullable Object> withDocument(
      Map<String, ? extends @Nullable Object> input) {
    if (document.isEmpty()) {
      return input;
    }
    Map<String, @Nullable Object> all = new LinkedHashMap<>(input);
    all.put("document", document);
    return all;
  }
}
