package dev.waymark.core.definition.text;

import dev.waymark.core.Limits;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The faults of one text, collected while it is read and checked. */
public final class FaultList {

  private static final int SHOWN_NAMES = 12;

  private final List<DefinitionFault> faults = new ArrayList<>();
  private int more;

  public boolean isEmpty() {
    return faults.isEmpty();
  }

  public int size() {
    return faults.size() + more;
  }

  public void add(TextNode.Place place, String expected, String got) {
    if (isFull()) {
      more++;
      return;
    }
    faults.add(
        new DefinitionFault(
            printable(place.pointer()),
            printable(expected),
            printable(got),
            place.line(),
            place.column()));
  }

  /**
   * A fault is shown and logged, so it must not contain the very characters for which the text was
   * refused.
   */
  private static String printable(String text) {
    StringBuilder out = new StringBuilder(text.length());
    text.codePoints()
        .map(c -> (c < ' ' && c != '\n') || (c >= 0xD800 && c <= 0xDFFF) || c == 0x7F ? 0xFFFD : c)
        .forEach(out::appendCodePoint);
    return out.toString();
  }

  private boolean isFull() {
    return faults.size() == Limits.DEFINITION_FAULTS;
  }

  /** A name that should have been one of those known. */
  public void addUnknown(TextNode.Place place, String what, Iterable<String> known, String got) {
    if (isFull()) {
      // Only so many faults are kept; for the others, to look for the name that was meant would be
      // wasted time.
      more++;
      return;
    }
    add(place, what + " " + listed(known), "'" + cut(got) + "'" + Near.hint(got, known));
  }

  /** Ends the reading: nothing after this fault could be understood. */
  public InvalidDefinition stop(TextNode.Place place, String expected, String got) {
    add(place, expected, got);
    return invalid();
  }

  /** The faults in the order of the text, whatever the order of the checks. */
  public InvalidDefinition invalid() {
    faults.sort(
        Comparator.comparing(DefinitionFault::line, Comparator.nullsFirst(Integer::compare))
            .thenComparing(DefinitionFault::column, Comparator.nullsFirst(Integer::compare)));
    return new InvalidDefinition(faults, more);
  }

  /** A list for a check of a part to report to; its paths are relative to the part. */
  public Faults under(TextNode part) {
    return (path, expected, got) -> {
      if (path.isEmpty()) {
        add(part.place(), expected, got);
        return;
      }
      TextNode nearest = part.below(path);
      TextNode.Place place = part.place();
      for (String segment : path.split("/", -1)) {
        place =
            place.child(
                segment.replace("~1", "/").replace("~0", "~"),
                nearest.place().line(),
                nearest.place().column());
      }
      add(place, expected, got);
    };
  }

  private static String listed(Iterable<String> names) {
    List<String> shown = new ArrayList<>();
    int count = 0;
    for (String name : names) {
      if (count++ < SHOWN_NAMES) {
        shown.add(cut(name));
      }
    }
    return count <= SHOWN_NAMES
        ? shown.toString()
        : "[%s … and %d more]".formatted(String.join(", ", shown), count - SHOWN_NAMES);
  }

  private static String cut(String text) {
    return text.length() <= 80 ? text : text.substring(0, 79) + "…";
  }
}
