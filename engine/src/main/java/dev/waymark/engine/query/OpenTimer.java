package dev.waymark.engine.query;

import dev.waymark.core.instance.BookmarkId;
import java.time.Instant;

/** An open timer. */
public record OpenTimer(BookmarkId id, String key, Instant due) {}
