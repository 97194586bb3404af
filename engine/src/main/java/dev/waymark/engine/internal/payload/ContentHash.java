package dev.waymark.engine.internal.payload;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The hash of a content that comes part by part, and its size so far. */
final class ContentHash {

  private final MessageDigest digest;
  private long size;

  ContentHash() {
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Expected SHA-256, which every Java has", e);
    }
  }

  void add(byte[] part) {
    digest.update(part);
    size += part.length;
  }

  long size() {
    return size;
  }

  /** The hash of all that was added. It can be asked for once. */
  String hex() {
    return HexFormat.of().formatHex(digest.digest());
  }
}
