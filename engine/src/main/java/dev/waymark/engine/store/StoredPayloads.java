package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.sql.Connection;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Payloads: contents that documents refer to by their hash. Each lies in parts, which are written
 * and read one at a time.
 *
 * <p>The hash is known only at the end. So parts are written under the id of an upload, and the
 * payload says under which id its parts lie. An upload has a row of its own until it is a payload.
 * A payload that is removed becomes an upload that was given up, so that its parts go in bounded
 * batches.
 *
 * <p>Every call but {@link #keepOn} is one short transaction, and safe to repeat.
 */
public interface StoredPayloads {

  /**
   * A payload.
   *
   * @param parts how many parts its content has; 0 for an empty one
   * @param keptUntil the moment until which it stays even if no run uses it
   */
  record PayloadRow(
      String tenant, String hash, long size, String mediaType, int parts, Instant keptUntil) {

    public PayloadRow {
      requireNonNull(tenant, "tenant");
      requireNonNull(hash, "hash");
      requireNonNull(mediaType, "mediaType");
      requireNonNull(keptUntil, "keptUntil");
      if (size < 0 || parts < 0 || parts > size) {
        throw new IllegalArgumentException(
            "Expected a size and at most as many parts, but got %d and %d".formatted(size, parts));
      }
    }
  }

  /** The moment that stands for "given up" where an upload says until when it may go on. */
  Instant GIVEN_UP = Instant.EPOCH;

  /**
   * One look of the housekeeping.
   *
   * @param removed payloads that no run uses
   * @param used payloads that a run uses
   */
  record Look(int removed, int used) {}

  /**
   * The place of a part in an upload.
   *
   * @param number from 0 on
   */
  record Part(UUID upload, String tenant, int number) {

    public Part {
      requireNonNull(upload, "upload");
      requireNonNull(tenant, "tenant");
      if (number < 0) {
        throw new IllegalArgumentException("Expected part 0 or a later one, but got " + number);
      }
    }
  }

  /**
   * An upload that has become a payload.
   *
   * @param fresh false if the content was stored before, under another upload
   */
  record Finished(PayloadRow payload, boolean fresh) {}

  /**
   * Stores a part of an upload; the first one begins it.
   *
   * @param content 1 to {@link Limits#PAYLOAD_PART} bytes
   * @param until from when the upload counts as cut off, unless another part comes
   * @return false if the upload was given up meanwhile
   */
  boolean write(Part part, byte[] content, Instant until);

  /**
   * Ends an upload: it is a payload now. If the content is stored already, under this tenant, that
   * payload is kept as long as asked for, and the upload stays, to be given up.
   *
   * @return absent if the upload was given up meanwhile, and there is no payload of this content
   */
  @Nullable Finished finish(UUID upload, PayloadRow payload);

  /** Leaves the parts of an upload that has not become a payload to {@link #removeParts}. */
  void giveUp(UUID upload);

  /** A payload; absent if there is none of this tenant. */
  @Nullable PayloadRow find(String tenant, String hash);

  /** One part of a payload; absent if it is not there. */
  byte @Nullable [] part(String tenant, String hash, int part);

  /**
   * Keeps payloads until a moment, those that are not kept longer already.
   *
   * @return those that exist, as they are now
   */
  List<PayloadRow> keep(String tenant, Collection<String> hashes, Instant until);

  /** The same inside the caller's transaction. */
  List<PayloadRow> keepOn(
      Connection connection, String tenant, Collection<String> hashes, Instant until);

  /**
   * Looks at payloads that were kept until before a moment, those first that have waited longest. A
   * payload that no run uses is removed; its parts are left to {@link #removeParts}. One that a run
   * uses is looked at again later.
   *
   * @param again when a payload in use is looked at again
   */
  Look removeUnused(Instant before, Instant again, int limit);

  /**
   * Removes parts of one upload that was given up, or cut off before a moment, and the upload with
   * its last one.
   *
   * @return how many rows were removed; 0 if there is nothing left to remove
   */
  int removeParts(Instant before, int limit);
}
