package dev.waymark.core.explain;

import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Lease;
import dev.waymark.core.instance.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reasons why a run stands where it stands, and the commands that would move it.
 *
 * @param summary one sentence about the whole
 * @param reasons one for each thing that it waits for
 * @param unreceived messages that were addressed to it and that it has not received, the oldest
 *     first; one with a misspelt name is seen here
 * @param children the explanations of the children that it waits for
 */
public record Explanation(
    InstanceId instance,
    Status status,
    String summary,
    List<Reason> reasons,
    List<Unreceived> unreceived,
    List<Explanation> children) {

  public Explanation {
    reasons = List.copyOf(reasons);
    unreceived = List.copyOf(unreceived);
    children = List.copyOf(children);
  }

  /** The kind of thing that a run waits for. */
  public enum Kind {
    /** An operator holds the whole run. */
    HELD,
    /** Something failed, and a person must look. */
    INTERVENTION,
    USER_ACTION,
    APPROVAL,
    MESSAGE,
    SIGNAL,
    TIMER,
    CHILD,
    /** A body runs on a node. */
    RUNNING,
    /** A body is to run, now or at a moment. */
    READY,
    /** Other branches have yet to arrive. */
    JOIN,
    /** Visits inside it have yet to end. */
    INSIDE
  }

  /**
   * One thing that a run waits for.
   *
   * @param activity the activity at which it waits; absent for the whole run
   * @param reaction whether it stands beside the activity's own work: a reaction of it, or a timer
   *     that reminds, escalates or ends it
   * @param why the reason in words
   * @param due the moment by which a person should have acted, or at which it happens by itself
   * @param expires the moment from which no person may act any more
   * @param who the people who may move it: {@code anybody}, {@code user:…}, {@code group:…}, {@code
   *     role:…}, or a node; {@code not:…} may never; and {@code only with …} is asked of all of
   *     them
   * @param lease the lease of its holder, if it is still live
   * @param child the run that it waits for
   * @param moves the commands that would move it
   */
  public record Reason(
      Kind kind,
      @Nullable String activity,
      long visit,
      boolean reaction,
      String why,
      Instant since,
      @Nullable Instant due,
      @Nullable Instant expires,
      List<String> who,
      @Nullable Lease lease,
      @Nullable InstanceId child,
      List<Move> moves) {

    public Reason {
      who = List.copyOf(who);
      moves = List.copyOf(moves);
    }
  }

  /**
   * A suggestion, with the words in which it can be carried out.
   *
   * @param java the call, as one would write it
   * @param line the same for the command line of the server, which there is not yet; so the text
   *     does not show it
   */
  public record Move(Suggestion suggestion, String java, String line) {

    public String what() {
      return suggestion.what();
    }
  }

  /** A message that waits for a run to wait for it. */
  public record Unreceived(String name, String sender, Instant received) {}

  /** For people to read. */
  public String toText() {
    StringBuilder text = new StringBuilder();
    write(text, "");
    return text.toString();
  }

  private void write(StringBuilder text, String indent) {
    text.append(indent).append(summary).append('\n');
    for (Reason reason : reasons) {
      text.append(indent).append("- ").append(reason.why());
      text.append(", since ").append(reason.since());
      if (reason.due() != null) {
        text.append(", due ").append(reason.due());
      }
      if (reason.expires() != null) {
        text.append(", expires ").append(reason.expires());
      }
      text.append('\n');
      if (!reason.who().isEmpty()) {
        text.append(indent).append("    by: ").append(String.join(", ", reason.who())).append('\n');
      }
      if (reason.lease() != null) {
        text.append(indent)
            .append("    in the hands of ")
            .append(reason.lease().holder())
            .append(" until ")
            .append(reason.lease().until())
            .append('\n');
      }
      for (Move move : reason.moves()) {
        text.append(indent).append("    ").append(move.what()).append(": ").append(move.java());
        text.append('\n');
      }
    }
    for (Unreceived message : unreceived) {
      text.append(indent)
          .append(
              "! message '%s' of %s, sent %s, is not received: no wait takes it now"
                  .formatted(message.name(), message.sender(), message.received()))
          .append('\n');
    }
    children.forEach(child -> child.write(text, indent + "  "));
  }
}
