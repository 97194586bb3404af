package dev.waymark.engine;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A stored row that a node could not read, or could not act on. It is left as it is and put aside,
 * so that the rows behind it are worked on; the node looks at it again after a pause that grows to
 * {@link dev.waymark.core.Limits#UNREADABLE_WORST}.
 *
 * @param table the table that it is a row of
 * @param key its primary key, the columns separated by {@code /}
 * @param tenant whose it is; absent where the reader did not get as far as that
 * @param fault what is wrong with it
 * @param since when this node has seen it first
 * @param last when this node has seen it last
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
