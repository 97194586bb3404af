package dev.waymark.engine.store.check;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Invariant;
import dev.waymark.engine.store.check.Findings.RuleFinding;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks whether every parent that waits for a child will get its result: the child lives, or is
 * still to be started, or its message about the end is on the way. Only the key of the parent's
 * bookmark names the child, and the two databases write ids differently as text; so SQL alone
 * cannot do it.
 */
final class FamilyCheck {

  // Most of them have a child that lives, or a message from it that waits, and SQL can see that.
  private static final String WAITING_PARENTS =
      """
      select b.instance_id, b.visit, b.key
        from wm_bookmark b
       where b.state = 0
         and b.kind = 2
         and b.key like '$ended:%'
         and not exists (select 1 from wm_inbox m
                          where m.instance_id = b.instance_id
                            and m.name = b.key
                            and m.state = 0)
         and not exists (select 1 from wm_instance child
                          where child.parent_id = b.instance_id
                            and child.parent_visit = b.visit
                            and child.status < 2)
      """;

  private static final String STATUS =
      """
      select i.status from wm_instance i where i.id = :child
      """;

  private static final String REQUEST =
      """
      select m.id from wm_inbox m where m.instance_id = :child and m.name = '$start' and m.state = 0
      """;

  private final Inquiry inquiry;
  private final Findings findings;

  FamilyCheck(Inquiry inquiry, Findings findings) {
    this.inquiry = inquiry;
    this.findings = findings;
  }

  private record ChildWait(@Nullable UUID parent, long visit, String key) {}

  void run() throws SQLException {
    List<ChildWait> waits =
        inquiry.ask(
            WAITING_PARENTS,
            Map.of(),
            row -> new ChildWait(row.id("instance_id"), row.number("visit"), row.text("key")));
    for (ChildWait wait : waits) {
      String trouble = trouble(wait);
      if (trouble != null) {
        findings.add(
            Invariant.I5, new RuleFinding(wait.parent(), "visit " + wait.visit(), trouble));
      }
    }
  }

  private @Nullable String trouble(ChildWait wait) throws SQLException {
    InstanceId id;
    try {
      id = Message.child(wait.key());
    } catch (IllegalArgumentException e) {
      return "waits for '%s', which is no child".formatted(wait.key());
    }
    Map<String, Object> child = Map.of("child", id.value());
    List<Long> status = inquiry.ask(STATUS, child, row -> row.number("status"));
    if (status.isEmpty()) {
      return inquiry.ask(REQUEST, child, row -> row.text("id")).isEmpty()
          ? "waits for child %s, which is neither there nor asked for".formatted(id)
          : null;
    }
    return status.get(0) < 2
        ? null
        : "waits for child %s, which has ended without a word".formatted(id);
  }
}
