package dev.waymark.engine.internal.row;

import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.Candidates;
import dev.waymark.core.instance.Details;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.store.UnitRows.CandidateRow;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * In whose inboxes a unit shows waits, and from whose it takes them. Only what differs: a row that
 * stays is not written again.
 */
final class CandidateRows {

  private CandidateRows() {}

  static List<CandidateRow> named(Unit unit) {
    List<CandidateRow> named = new ArrayList<>(0);
    for (Bookmark bookmark : unit.created()) {
      if (bookmark.isOpen()) {
        named.addAll(rows(bookmark));
      }
    }
    for (Step.Amend amend : unit.amended()) {
      named.addAll(difference(amend.after(), amend.before()));
    }
    return named;
  }

  static List<CandidateRow> dismissed(Unit unit) {
    List<CandidateRow> dismissed = new ArrayList<>(0);
    for (Step.Spend spend : unit.spends()) {
      dismissed.addAll(rows(spend.bookmark()));
    }
    for (Step.Amend amend : unit.amended()) {
      dismissed.addAll(difference(amend.before(), amend.after()));
    }
    return dismissed;
  }

  private static Set<CandidateRow> difference(Bookmark of, Bookmark without) {
    Set<CandidateRow> rows = new LinkedHashSet<>(rows(of));
    rows.removeAll(rows(without));
    return rows;
  }

  private static Set<CandidateRow> rows(Bookmark bookmark) {
    Candidates candidates = bookmark.terms().candidates();
    if (candidates.isOpen() && candidates.excluded().isEmpty()) {
      return Set.of();
    }
    Set<CandidateRow> rows = new LinkedHashSet<>();
    for (String who : candidates.marks()) {
      rows.add(new CandidateRow(bookmark.id().tag(), who, bookmark.due()));
    }
    if (bookmark.kind() == BookmarkKind.MANUAL_INTERVENTION
        && bookmark.details() instanceof Details.Intervention intervention
        && intervention.error() != null) {
      rows.add(
          new CandidateRow(
              bookmark.id().tag(), Candidates.about(intervention.error().code()), bookmark.due()));
    }
    return rows;
  }
}
