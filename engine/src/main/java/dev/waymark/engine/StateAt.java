package dev.waymark.engine;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * An instance as it was at a version, put together from its history.
 *
 * @param activities the visits that were alive, by visit number
 * @param bookmarks the waits that were open
 */
public record StateAt(
    long version,
    String status,
    Map<String, @Nullable Object> variables,
    Map<String, @Nullable Object> activities,
    Map<String, @Nullable Object> bookmarks) {}
