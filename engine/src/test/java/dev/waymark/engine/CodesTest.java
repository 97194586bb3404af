package dev.waymark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Status;
import dev.waymark.engine.internal.row.EnumCodes;
import dev.waymark.engine.schedule.Overlap;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class CodesTest {

  @Test
  void an_enum_is_stored_as_its_position() {
    assertThat(EnumCodes.of(Status.RUNNING)).isZero();
    assertThat(EnumCodes.of(Status.CANCELLED)).isEqualTo(4);
    assertThat(EnumCodes.of(BookmarkKind.APPROVAL)).isEqualTo(4);
    assertThat(EnumCodes.of(Bookmark.End.EXPIRED)).isEqualTo(2);
    assertThat(EnumCodes.of(HistoryEntry.Type.WAIT_HELD)).isEqualTo(34);
  }

  // Schedules hold the names.
  @Test
  void overlap_policies_keep_their_names() {
    assertThat(Arrays.stream(Overlap.values()).map(Enum::name))
        .contains("SKIP", "ALLOW", "BUFFER_ONE", "CANCEL_OTHER");
  }
}
