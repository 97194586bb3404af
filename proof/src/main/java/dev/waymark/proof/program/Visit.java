package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One visit to an activity, and everything that is alive inside it. The whole of a run and each
 * item of a for-each are such places too, without an activity of their own.
 */
final class Visit {

  /** How a visit ended. */
  enum End {
    COMPLETED,
    CANCELLED,
    /** A group whose last branch is gone: nobody asks how. */
    OVER
  }

  /** Something on its way to an activity. */
  record Token(
      String to,
      Visit parent,
      Event cause,
      @Nullable Undo undoing,
      @Nullable Consumer<Event> done) {}

  /**
   * Something completed that can be undone: a visit with a handler, or a scope by what is in it.
   */
  record Undo(Visit undone, Event completed, List<Undo> inside) {}

  final Course course;
  final @Nullable Visit parent;
  final @Nullable Activity activity;

  /** What its own expressions see, and what those inside it see. */
  final Frame frame;

  final Frame inside;
  final Event begun;
  final long beganAt;
  final Set<Visit> children = new LinkedHashSet<>();
  final List<Token> tokens = new ArrayList<>();

  /** The ends of what was inside. */
  final List<Event> ends = new ArrayList<>();

  final List<Undo> undos = new ArrayList<>();
  Map<String, @Nullable Object> input = Map.of();
  Map<String, @Nullable Object> output = Map.of();
  String label;
  boolean parked;
  boolean deaf;
  boolean undoing;
  @Nullable End end;
  @Nullable Event ended;
  long endedAt;
  @Nullable Consumer<Event> done;

  /** Of a group: the joins that have gone on, and how branches ended that came to none. */
  final Set<String> joined = new HashSet<>();

  final List<Visit> lost = new ArrayList<>();

  /** Who came: to a join, one after another. */
  List<Event> arrivals = List.of();

  /** Of a for-each: how far it is; of an item: which it is. */
  Items.@Nullable Progress progress;

  int index;

  Visit(
      Course course, @Nullable Visit parent, @Nullable Activity activity, Places places, Time at) {
    this.course = course;
    this.parent = parent;
    this.activity = activity;
    this.frame = places.frame();
    this.inside = places.inside();
    this.begun = at.event();
    this.beganAt = at.now();
    this.label = activity == null ? "" : activity.id();
  }

  /** Where its expressions look. */
  record Places(Frame frame, Frame inside) {}

  /** When it began. */
  record Time(Event event, long now) {}

  boolean alive() {
    return end == null;
  }

  boolean empty() {
    return children.isEmpty() && tokens.isEmpty();
  }

  boolean isGroup() {
    return activity != null
        && (activity.kind() instanceof Kind.Fork || activity.kind() instanceof Kind.Split);
  }

  /** Whether it has variables, errors and things to undo of its own. */
  boolean isScope() {
    return activity == null || activity.kind() instanceof Kind.Scope;
  }

  Visit scope() {
    Visit visit = this;
    while (!visit.isScope() && visit.parent != null) {
      visit = visit.parent;
    }
    return visit;
  }
}
