package dev.waymark.core.step;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.instance.ActivityInstance;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.HistoryEntry;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One or more consecutive steps of one instance that commit together: the first's version is
 * compared, the last's rows are written, and every history entry of all of them.
 *
 * <p>Steps decided while the last commit was under way travel as one unit. Without this a wide
 * for-each, or fifty clicks at the same instant, would pay one commit each.
 */
public record Unit(List<Step> steps) {

  public Unit {
    steps = List.copyOf(steps);
    for (int i = 1; i < steps.size(); i++) {
      Step previous = steps.get(i - 1);
      Step next = steps.get(i);
      if (next.before() != previous.after().version()
          || !next.after().id().equals(previous.after().id())) {
        throw new IllegalArgumentException(
            "Expected steps that follow each other, but %s@%d is followed by %s@%d"
                .formatted(
                    previous.after().id(),
                    previous.after().version(),
                    next.after().id(),
                    next.before()));
      }
    }
    requireNonNull(steps.get(0), "step");
  }

  public static Unit of(Step step) {
    return new Unit(List.of(step));
  }

  public Unit then(Step step) {
    List<Step> longer = new ArrayList<>(steps);
    longer.add(step);
    return new Unit(longer);
  }

  public InstanceId instance() {
    return after().id();
  }

  /** The version that must still be current. */
  public long before() {
    return steps.get(0).before();
  }

  public Instance after() {
    return steps.get(steps.size() - 1).after();
  }

  public boolean isStart() {
    return before() == 0;
  }

  public boolean variables() {
    return steps.size() == 1 ? steps.get(0).variables() : steps.stream().anyMatch(Step::variables);
  }

  public boolean labels() {
    return steps.size() == 1 ? steps.get(0).labels() : steps.stream().anyMatch(Step::labels);
  }

  public List<HistoryEntry> history() {
    return steps.size() == 1
        ? steps.get(0).history()
        : steps.stream().flatMap(s -> s.history().stream()).toList();
  }

  public List<Message.Key> received() {
    return steps.stream().flatMap(s -> s.received().stream()).toList();
  }

  public List<Message> sent() {
    return steps.size() == 1
        ? steps.get(0).sent()
        : steps.stream().flatMap(s -> s.sent().stream()).toList();
  }

  /** The commands of its steps whose ids must be remembered. */
  public List<Step> remembered() {
    if (steps.size() == 1) {
      return steps.get(0).command().meta().fingerprint() == null ? List.of() : steps;
    }
    return steps.stream().filter(s -> s.command().meta().fingerprint() != null).toList();
  }

  /** Bookmarks that stood before the unit and that it closes. */
  public List<Step.Spend> spends() {
    if (steps.size() == 1) {
      return steps.get(0).spends();
    }
    Map<BookmarkId, Bookmark> own = ownBookmarks();
    Map<BookmarkId, Step.Amend> amends = amends();
    return steps.stream()
        .flatMap(s -> s.spends().stream())
        .filter(s -> !own.containsKey(s.id()))
        .map(s -> asStored(s, amends.get(s.id())))
        .toList();
  }

  // Closing must name the terms that are stored, which are those before the unit changed them.
  private static Step.Spend asStored(Step.Spend spend, Step.@Nullable Amend amend) {
    Bookmark.Closing closing = spend.bookmark().closing();
    return amend == null || closing == null
        ? spend
        : new Step.Spend(
            amend.before().closed(closing.end(), closing.by(), closing.at()),
            spend.guard(),
            spend.fence());
  }

  /** Bookmarks that stood before the unit, stay open, and differ. */
  public List<Step.Amend> amended() {
    if (steps.size() == 1) {
      return steps.get(0).amended();
    }
    Map<BookmarkId, Step.Amend> amends = amends();
    amends.keySet().removeAll(ownBookmarks().keySet());
    steps.forEach(s -> s.spends().forEach(x -> amends.remove(x.id())));
    return List.copyOf(amends.values());
  }

  private Map<BookmarkId, Step.Amend> amends() {
    Map<BookmarkId, Step.Amend> amends = new LinkedHashMap<>();
    for (Step step : steps) {
      for (Step.Amend next : step.amended()) {
        amends.merge(
            next.id(),
            next,
            (first, last) ->
                new Step.Amend(first.before(), last.after(), first.released() || last.released()));
      }
    }
    return amends;
  }

  /** Bookmarks that the unit creates, each in its last state: one may be closed already. */
  public List<Bookmark> created() {
    if (steps.size() == 1) {
      return steps.get(0).created();
    }
    Map<BookmarkId, Bookmark> own = ownBookmarks();
    for (Step step : steps) {
      step.amended().forEach(x -> own.computeIfPresent(x.id(), (id, b) -> x.after()));
      step.spends().forEach(x -> own.computeIfPresent(x.id(), (id, b) -> x.bookmark()));
    }
    return List.copyOf(own.values());
  }

  private Map<BookmarkId, Bookmark> ownBookmarks() {
    Map<BookmarkId, Bookmark> own = new LinkedHashMap<>();
    steps.forEach(s -> s.created().forEach(b -> own.put(b.id(), b)));
    return own;
  }

  /** Visits that the unit begins and that outlive it. */
  public List<ActivityInstance> begun() {
    if (steps.size() == 1) {
      return steps.get(0).begun();
    }
    Set<Long> own = ownVisits();
    return after().activities().values().stream().filter(a -> own.contains(a.visit())).toList();
  }

  /** Visits that stood before the unit, live after it, and differ. */
  public List<ActivityInstance> changed() {
    if (steps.size() == 1) {
      return steps.get(0).changed();
    }
    Set<Long> own = ownVisits();
    Set<Long> touched = new HashSet<>();
    steps.forEach(s -> s.changed().forEach(a -> touched.add(a.visit())));
    return after().activities().values().stream()
        .filter(a -> touched.contains(a.visit()) && !own.contains(a.visit()))
        .toList();
  }

  /** Visits that stood before the unit and end in it. */
  public List<Long> ended() {
    if (steps.size() == 1) {
      return steps.get(0).ended();
    }
    Set<Long> own = ownVisits();
    return steps.stream()
        .flatMap(s -> s.ended().stream())
        .filter(visit -> !own.contains(visit))
        .toList();
  }

  private Set<Long> ownVisits() {
    Set<Long> own = new HashSet<>();
    steps.forEach(s -> s.begun().forEach(a -> own.add(a.visit())));
    return own;
  }
}
