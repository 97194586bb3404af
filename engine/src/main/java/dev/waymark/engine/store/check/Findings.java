package dev.waymark.engine.store.check;

import dev.waymark.engine.store.Checker.Violation;
import dev.waymark.engine.store.Invariant;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The violations that a check has found so far, up to its bound. */
final class Findings {

  private final int most;
  private final List<Violation> violations = new ArrayList<>();

  Findings(int most) {
    this.most = most;
  }

  /** One row of a rule. */
  record RuleFinding(@Nullable UUID instance, String item, String detail) {}

  static RuleFinding read(Inquiry.InquiryRow row) throws SQLException {
    return new RuleFinding(row.id("instance_id"), row.text("item"), row.text("detail"));
  }

  void addAll(Invariant invariant, List<RuleFinding> rows) {
    rows.forEach(row -> add(invariant, row));
  }

  void add(Invariant invariant, RuleFinding row) {
    if (!isFull()) {
      String key = row.instance() == null ? row.item() : row.instance() + ", " + row.item();
      violations.add(new Violation(invariant, key, row.detail()));
    }
  }

  int room() {
    return most - violations.size();
  }

  boolean isFull() {
    return room() == 0;
  }

  List<Violation> list() {
    return List.copyOf(violations);
  }
}
