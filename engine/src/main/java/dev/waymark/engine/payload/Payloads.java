package dev.waymark.engine.payload;

import dev.waymark.core.Limits;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * Large contents that runs refer to: scans, exports, pictures. A document holds the reference; the
 * content lies outside, under its hash, and is read by nothing but {@link #open}.
 *
 * <p>A content belongs to a tenant, and callers of another tenant do not find it. It is kept for
 * {@link Settings#unusedPayloads} after it was put, or was named in a request, and beyond that as
 * long as a run uses it. So: put it, and then give its reference to the run.
 *
 * <p>The caller's time counts for each statement, since a content may come and go slowly.
 */
public interface Payloads {

  /**
   * Stores a content, part by part: it is never wholly in memory. If it is stored already, under
   * the same tenant, it is not stored again. Does not close the stream.
   *
   * @return the name of the content, which a document may hold
   * @throws CommandRefused if it is larger than {@link Settings#largestPayload}; then nothing of it
   *     stays
   * @throws IOException if the stream throws; then nothing of it stays
   */
  PayloadReference put(InputStream content, String mediaType, Caller caller) throws IOException;

  /** The same for a content that is in memory. */
  PayloadReference put(byte[] content, String mediaType, Caller caller);

  /**
   * Reads a content, part by part: each part of {@link Limits#PAYLOAD_PART} bytes is read in a
   * short statement of its own, and nothing is held between two of them. The stream throws {@link
   * PayloadDamaged} instead of its end if the content is not the one that was put. One thread reads
   * it at a time.
   *
   * @throws CommandRefused if there is no such content of this tenant
   */
  InputStream open(PayloadReference reference, Caller caller);

  /** The description of a content; absent if this tenant has none of that hash. */
  Optional<PayloadInfo> find(PayloadReference reference, Caller caller);
}
