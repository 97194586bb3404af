package dev.waymark.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored row that a node could not read, or could not act on. It is left as it is and put aside,
 * so that the rows behind it are worked on; the node looks at it again after a pause that grows to
 * {@link dev.waymark.core.Limits#UNREADABLE_WORST}.
 *
 * @param table its table
 * @param key its primary key, the columns separated by {@code /}
 * @param tenant its tenant; absent where the reader did not get as far as that
 * @param fault the error of the last try
 * @param since the moment at which this node has first seen it
 * @param last the moment at which this node has last seen it
 * @param times how often this node has tried to read it
 */
public record UnreadableRow(
    String table,
    String key,
    @Nullable String tenant,
    String fault,
    Instant since,
    Instant last,
    long times) {}
