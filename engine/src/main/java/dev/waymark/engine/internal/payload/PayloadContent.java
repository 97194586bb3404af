package dev.waymark.engine.internal.payload;

import dev.waymark.core.Arguments;
import dev.waymark.engine.payload.PayloadDamaged;
import dev.waymark.engine.payload.PayloadReference;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The content of a payload as a stream. It holds one part at a time, and asks for the next one when
 * that is read: no connection is held between two of them.
 */
final class PayloadContent extends InputStream {

  /** Reads one part; absent if it is not there. */
  interface Parts {
    byte @Nullable [] read(int part);
  }

  private static final byte[] NOTHING = {};

  private final PayloadReference reference;
  private final int parts;
  private final Parts stored;
  private final ContentHash hash = new ContentHash();

  private byte[] part = NOTHING;
  private int position;
  private int next;
  private boolean whole;
  private boolean closed;

  PayloadContent(PayloadReference reference, int parts, Parts stored) {
    this.reference = reference;
    this.parts = parts;
    this.stored = stored;
  }

  @Override
  public int read() throws IOException {
    return isAtEnd() ? -1 : part[position++] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Arguments.given("into", into);
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (isAtEnd()) {
      return -1;
    }
    int count = Math.min(length, part.length - position);
    System.arraycopy(part, position, into, offset, count);
    position += count;
    return count;
  }

  @Override
  public int available() {
    return closed ? 0 : part.length - position;
  }

  /** True after the last byte; the hash has been compared then. */
  private boolean isAtEnd() throws IOException {
    if (closed) {
      throw new IOException("Expected an open stream, but it is closed");
    }
    while (position == part.length) {
      if (next == parts) {
        compare();
        return true;
      }
      readPart();
    }
    return false;
  }

  private void readPart() throws PayloadDamaged {
    byte[] read = stored.read(next);
    if (read == null) {
      throw new PayloadDamaged(reference, "part %d of %d is not there".formatted(next + 1, parts));
    }
    hash.add(read);
    if (hash.size() > reference.size()) {
      throw new PayloadDamaged(
          reference, "there are more than its %,d bytes".formatted(reference.size()));
    }
    part = read;
    position = 0;
    next++;
  }

  private void compare() throws PayloadDamaged {
    if (whole) {
      return;
    }
    String found = hash.hex();
    if (hash.size() != reference.size() || !found.equals(reference.sha256())) {
      throw new PayloadDamaged(
          reference, "the stored content has %,d bytes and hash %s".formatted(hash.size(), found));
    }
    whole = true;
  }

  @Override
  public void close() {
    closed = true;
    part = NOTHING;
    position = 0;
  }
}
