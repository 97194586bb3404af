package dev.waymark.core.definition.text;

import org.jspecify.annotations.Nullable;

/** Finds the name that was probably meant: the known one fewest slips of the finger away. */
public final class Near {

  /** Longer names are not compared, so that a fault costs no more than it is worth. */
  private static final int LONGEST = 64;

  private Near() {}

  public static String hint(String got, Iterable<String> known) {
    String meant = of(got, known);
    return meant == null ? "" : " (did you mean '" + meant + "'?)";
  }

  /**
   * The nearest known name, if it is near enough: one slip in a short name, two in a longer one.
   */
  public static @Nullable String of(String got, Iterable<String> known) {
    if (got.length() > LONGEST) {
      return null;
    }
    int[][] rows = new int[3][LONGEST + 1];
    String nearest = null;
    int best = (got.length() <= 4 ? 1 : 2) + 1;
    for (String name : known) {
      if (Math.abs(got.length() - name.length()) < best && name.length() <= LONGEST) {
        int slips = got.equalsIgnoreCase(name) ? 1 : slips(got, name, rows);
        if (slips < best && slips < name.length()) {
          best = slips;
          nearest = name;
        }
      }
    }
    return nearest;
  }

  /**
   * Letters added, lost, replaced, or swapped with their neighbour.
   *
   * @param rows memory for the last three rows of the table, whatever they hold
   */
  private static int slips(String left, String right, int[][] rows) {
    for (int j = 0; j <= right.length(); j++) {
      rows[0][j] = j;
    }
    for (int i = 1; i <= left.length(); i++) {
      int[] row = rows[i % 3];
      int[] above = rows[(i + 2) % 3];
      int[] twoAbove = rows[(i + 1) % 3];
      row[0] = i;
      for (int j = 1; j <= right.length(); j++) {
        boolean same = left.charAt(i - 1) == right.charAt(j - 1);
        row[j] = Math.min(Math.min(above[j], row[j - 1]) + 1, above[j - 1] + (same ? 0 : 1));
        boolean swapped =
            i > 1
                && j > 1
                && left.charAt(i - 1) == right.charAt(j - 2)
                && left.charAt(i - 2) == right.charAt(j - 1);
        row[j] = swapped ? Math.min(row[j], twoAbove[j - 2] + 1) : row[j];
      }
    }
    return rows[left.length() % 3][right.length()];
  }
}
