package dev.waymark.engine.internal.row;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.store.UnitRows.HistoryRow;
import java.util.List;

/**
 * Says how a unit writes the variables: as a whole, as changes that its history tells anyway, or
 * not at all.
 *
 * <p>A step that sets one number in a document of 100 KB would write all of it, and the number once
 * more in history. So the stored document stays, and a load applies the changes since. At some
 * versions the document is written whole, also by a unit that leaves it alone, so that a load reads
 * the history of at most {@link Limits#PATCHES} versions. The rule looks at nothing but the unit:
 * no node remembers anything of an instance for it, and all nodes decide alike.
 */
final class PatchRule {

  /** What the row of the instance gets. */
  enum Form {
    WHOLE,
    CHANGES,
    UNCHANGED
  }

  private static final int CHARS_PER_VERSION = 1_000;

  private PatchRule() {}

  static Form formOf(Unit unit, List<HistoryRow> history) {
    if (unit.isStart()) {
      return Form.WHOLE;
    }
    if (!isPatched(unit.after())) {
      return unit.variables() ? Form.WHOLE : Form.UNCHANGED;
    }
    long pace = pace(Json.lengthOf(unit.after().variables()));
    if (unit.before() / pace != unit.after().version() / pace) {
      return Form.WHOLE;
    }
    if (!unit.variables()) {
      return Form.UNCHANGED;
    }
    return charsOf(history) <= Limits.PATCH_CHARS ? Form.CHANGES : Form.WHOLE;
  }

  /** True if steps write changes of such variables, and not all of them. */
  private static boolean isPatched(Instance instance) {
    int length = Json.lengthOf(instance.variables());
    return length >= Limits.PATCHED_FROM
        && length <= Limits.PATCHED_UP_TO
        && Json.heightOf(instance.variables()) <= Json.MAX_DEPTH;
  }

  /**
   * After so many versions a document of this length is written whole. A power of two: a document
   * whose length changes from step to step is written whole at each multiple of the longest pace.
   */
  private static long pace(int length) {
    return Math.min(Limits.PATCHES, Integer.highestOneBit(length / CHARS_PER_VERSION));
  }

  private static int charsOf(List<HistoryRow> history) {
    int chars = 0;
    for (HistoryRow row : history) {
      chars += row.changes() == null ? 0 : row.changes().length();
    }
    return chars;
  }
}
