package dev.waymark.engine.task;

import dev.waymark.engine.query.InboxPlace;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of a user's inbox, the first due first and tasks without a due time last. A page may be
 * shorter than was asked for, even empty, and still not be the last: large documents fill it
 * earlier.
 *
 * @param next where the next page begins; absent if this is the last
 */
public record TaskPage(List<Task> tasks, @Nullable InboxPlace next) {

  public TaskPage {
    tasks = List.copyOf(tasks);
  }
}
