package dev.waymark.engine.store;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.store.UnitRows.ActivityRow;
import dev.waymark.engine.store.UnitRows.BookmarkRow;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question about one instance; many are answered by one statement.
 *
 * @param tenant whose command and key are meant
 * @param commandScope with {@code commandId}: which earlier command to look for
 * @param bookmark the tag of a bookmark to bring along even if it is closed
 * @param businessKey whose holder to bring along
 */
public record Load(
    InstanceId instance,
    String tenant,
    @Nullable String commandScope,
    @Nullable String commandId,
    @Nullable Long bookmark,
    @Nullable String businessKey) {

  public Load {
    requireNonNull(instance, "instance");
    requireNonNull(tenant, "tenant");
  }

  public static Load of(InstanceId instance) {
    return new Load(instance, "", null, null, null, null);
  }

  /**
   * The answer, all of it from one snapshot.
   *
   * @param instance with its variables; absent if there is no such instance
   * @param patches the changes of the steps that have changed the variables since they were written
   *     as a whole, the oldest first, as history has them
   * @param bookmarks the open ones
   * @param left whether it was left out for its size, so that nothing else in here counts
   */
  public record Answer(
      @Nullable InstanceRow instance,
      List<String> patches,
      List<ActivityRow> activities,
      List<BookmarkRow> bookmarks,
      @Nullable EarlierCommand command,
      @Nullable BookmarkRow bookmark,
      @Nullable InstanceId keyHolder,
      boolean left) {

    /** The instance is too large to be read together with others: it must be asked for alone. */
    public static final Answer LEFT =
        new Answer(null, List.of(), List.of(), List.of(), null, null, null, true);

    public Answer(
        @Nullable InstanceRow instance,
        List<String> patches,
        List<ActivityRow> activities,
        List<BookmarkRow> bookmarks,
        @Nullable EarlierCommand command,
        @Nullable BookmarkRow bookmark,
        @Nullable InstanceId keyHolder) {
      this(instance, patches, activities, bookmarks, command, bookmark, keyHolder, false);
    }

    /** About how many bytes its documents take. */
    public long bytes() {
      long bytes = instance == null ? 0 : length(instance.variables()) + length(instance.extra());
      for (String patch : patches) {
        bytes += patch.length();
      }
      for (ActivityRow activity : activities) {
        bytes += length(activity.data());
      }
      for (BookmarkRow open : bookmarks) {
        bytes += length(open.payload());
      }
      return bytes;
    }

    private static int length(@Nullable String document) {
      return document == null ? 0 : document.length();
    }
  }

  public record EarlierCommand(String id, String fingerprint, InstanceId instance, long version) {}
}
