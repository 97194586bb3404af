package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The count of one level. It is decided as soon as the result is certain: when the required voices
 * have approved, or can no longer do so.
 *
 * @param votes the votes of this level, in the order in which they were given
 */
public record Tally(Level level, List<Vote> votes) {

  public Tally {
    requireNonNull(level, "level");
    votes = List.copyOf(votes);
    Set<Integer> used = new HashSet<>();
    for (Vote vote : votes) {
      for (Integer seat : vote.seats()) {
        if (seat < 0 || seat >= level.seats().size() || !used.add(seat)) {
          throw new IllegalStateException(
              "Expected every voice of level '%s' once at most, but %s used %d of %d"
                  .formatted(level.name(), vote.by(), seat, level.seats().size()));
        }
      }
    }
  }

  public Tally plus(Vote vote) {
    List<Vote> more = new ArrayList<>(votes);
    more.add(vote);
    return new Tally(level, more);
  }

  /** The decision; absent while it can still come out either way. */
  public @Nullable Outcome outcome() {
    int approved = 0;
    int open = 0;
    for (Seat seat : openSeats()) {
      open += level.worth(seat);
    }
    for (Vote vote : votes) {
      switch (vote.outcome()) {
        case CHANGES_REQUESTED -> {
          return Outcome.CHANGES_REQUESTED;
        }
        case REJECTED -> {
          if (vote.seats().stream().anyMatch(seat -> level.seats().get(seat).veto())) {
            return Outcome.REJECTED;
          }
        }
        case APPROVED -> approved += worth(vote);
      }
    }
    if (approved >= level.required()) {
      return Outcome.APPROVED;
    }
    return approved + open < level.required() ? Outcome.REJECTED : null;
  }

  private int worth(Vote vote) {
    return vote.seats().stream().mapToInt(seat -> level.worth(level.seats().get(seat))).sum();
  }

  /** The numbers of the voices that are still unused. */
  public List<Integer> open() {
    Set<Integer> used = new HashSet<>();
    votes.forEach(vote -> used.addAll(vote.seats()));
    List<Integer> open = new ArrayList<>();
    for (int seat = 0; seat < level.seats().size(); seat++) {
      if (!used.contains(seat)) {
        open.add(seat);
      }
    }
    return open;
  }

  public List<Seat> openSeats() {
    return open().stream().map(level.seats()::get).toList();
  }

  /** The vote that used a voice; absent if the voice is unused. */
  public @Nullable Vote voteOf(int seat) {
    for (Vote vote : votes) {
      if (vote.seats().contains(seat)) {
        return vote;
      }
    }
    return null;
  }
}
