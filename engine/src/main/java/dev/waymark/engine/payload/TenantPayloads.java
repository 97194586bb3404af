package dev.waymark.engine.payload;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** {@link Payloads} as a body sees them: those of the tenant of its run. */
public interface TenantPayloads {

  /**
   * Stores a content, see {@link Payloads#put(InputStream, String, dev.waymark.engine.Caller)}. Its
   * reference may stand in the body's result.
   */
  PayloadReference put(InputStream content, String mediaType) throws IOException;

  /** The same for a content that is in memory. */
  PayloadReference put(byte[] content, String mediaType);

  /** Reads a content, see {@link Payloads#open}. */
  InputStream open(PayloadReference reference);

  /** The description of a content; absent if there is none of that hash. */
  Optional<PayloadInfo> find(PayloadReference reference);
}
