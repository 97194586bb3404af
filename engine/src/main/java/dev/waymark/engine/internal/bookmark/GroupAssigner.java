package dev.waymark.engine.internal.bookmark;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.step.Assignment;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.TaskAction;
import dev.waymark.core.step.Unit;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.spi.PeopleDirectory;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns tasks to members of groups, by turns or to the member with the fewest. The turn is taken
 * in a short transaction of its own; the assignment is a step like any other.
 *
 * <p>One group's tasks are handled one after another, each once the one before is committed: else a
 * burst of them would all go to the member who had the fewest before it. After a crash or a fault
 * the task's own timer asks again, on the node that fires it.
 */
public final class GroupAssigner implements CommitListener {

  private static final Logger log = LoggerFactory.getLogger(GroupAssigner.class);
  private static final int MAX_QUEUED = 10_000;

  private record Group(String tenant, String name) {}

  private final ThisNode node;
  private final EngineCommands commands;
  private final PeopleDirectory directory;

  /**
   * The assignments that are to be made, by group; a group is in it while one of its tasks is under
   * way.
   */
  private final Map<Group, Deque<Assignment>> queues = new HashMap<>();

  public GroupAssigner(ThisNode node, EngineCommands commands, PeopleDirectory directory) {
    this.node = node;
    this.commands = commands;
    this.directory = directory;
  }

  @Override
  public void committed(Unit unit) {
    for (Assignment wanted : Assignment.wantedBy(unit)) {
      offer(new Group(wanted.tenant(), wanted.group()), wanted);
    }
  }

  private void offer(Group group, Assignment wanted) {
    synchronized (this) {
      Deque<Assignment> queue = queues.get(group);
      if (queue != null) {
        if (queue.size() < MAX_QUEUED) {
          queue.add(wanted);
        }
        return;
      }
      queues.put(group, new ArrayDeque<>(List.of(wanted)));
    }
    node.scheduler().executeUserCode(() -> next(group));
  }

  /** Assigns the next task of a group. The one after it follows also if this one fails. */
  private void next(Group group) {
    Assignment wanted = take(group);
    if (wanted == null) {
      return;
    }
    Runnable then = () -> node.scheduler().executeUserCode(() -> next(group));
    try {
      assign(wanted, then);
    } catch (RuntimeException | Error e) {
      Trace.log(
          e,
          thrown ->
              log.warn(
                  "Could not find out who of group '{}' is next; it is asked again",
                  group,
                  thrown));
      then.run();
    }
  }

  private synchronized @Nullable Assignment take(Group group) {
    Deque<Assignment> queue = queues.get(group);
    Assignment wanted = queue == null ? null : queue.poll();
    if (wanted == null) {
      queues.remove(group);
    }
    return wanted;
  }

  private void assign(Assignment wanted, Runnable then) {
    String member = member(wanted);
    if (member == null) {
      then.run();
      return;
    }
    Command.Meta meta =
        new Command.Meta(
            "assign:" + Long.toHexString(wanted.bookmark().tag()) + "@" + node.id(),
            new Actor("waymark", wanted.tenant(), Set.of(), Set.of("operator")),
            node.now(),
            null,
            null,
            null);
    commands.post(
        wanted.bookmark().instance(),
        PendingCommand.internal(
            new Command.Attend(meta, wanted.bookmark(), new TaskAction.Assign(member, true)),
            outcome -> then.run()));
  }

  /** The member of the group who gets the task; absent if the directory names none who may. */
  private @Nullable String member(Assignment wanted) {
    List<String> members =
        directory.members(wanted.tenant(), wanted.group()).stream()
            .filter(member -> isName(member) && !wanted.excluded().contains(member))
            .toList();
    if (members.isEmpty()) {
      log.warn("The directory names nobody of group '{}' who may do a task", wanted.group());
      return null;
    }
    long turn = node.store().turns().next(wanted.tenant(), wanted.group());
    int first = (int) ((turn - 1) % members.size());
    if (!wanted.leastLoaded()) {
      return members.get(first);
    }
    Map<String, Long> loads = node.store().turns().loads(wanted.tenant(), members);
    String least = members.get(first);
    // The order begins with the member whose turn it is: so of members with equal numbers each gets
    // one.
    for (int i = 1; i < members.size(); i++) {
      String other = members.get((first + i) % members.size());
      if (loads.getOrDefault(other, 0L) < loads.getOrDefault(least, 0L)) {
        least = other;
      }
    }
    return least;
  }

  /** A directory is user code: a name that cannot be one is passed over, and the others count. */
  private static boolean isName(@Nullable String member) {
    try {
      Limits.name("a member", requireNonNull(member, "member"));
      return true;
    } catch (RuntimeException e) {
      log.warn("The directory names a member that is none: {}", e.getMessage());
      return false;
    }
  }
}
