package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Ids;

/**
 * The identity of one wait. It carries its instance, so that a resume needs no search; the tag
 * derives from the step and the command that created the wait, so that deciding the same command
 * twice gives the same id, and another command another one.
 */
public record BookmarkId(InstanceId instance, long tag) implements Comparable<BookmarkId> {

  public BookmarkId {
    requireNonNull(instance, "instance");
  }

  public static BookmarkId derived(
      InstanceId instance, long version, int ordinal, String commandId) {
    return new BookmarkId(
        instance, Ids.derivedLong(instance.toString(), version + "." + ordinal, commandId));
  }

  public static BookmarkId parse(String text) {
    int dot = text.indexOf('.');
    try {
      return new BookmarkId(
          InstanceId.parse(text.substring(0, Math.max(dot, 0))),
          Long.parseUnsignedLong(text.substring(dot + 1), 16));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "Expected a bookmark id (instance id, a dot, 16 hex digits), but got '" + text + "'", e);
    }
  }

  @Override
  public int compareTo(BookmarkId other) {
    int byInstance = instance.compareTo(other.instance);
    return byInstance != 0 ? byInstance : Long.compare(tag, other.tag);
  }

  @Override
  public String toString() {
    String hex = Long.toHexString(tag);
    return instance + "." + "0".repeat(16 - hex.length()) + hex;
  }
}
