package dev.waymark.core.approval;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * One round of voices, and the number that must approve. Levels are decided one after another.
 *
 * @param name the name that people see; the first level of an approval that names none is {@code 1}
 */
public record Level(String name, List<Seat> seats, Mode mode) {

  public Level {
    Limits.name("a level", name);
    seats = List.copyOf(seats);
    requireNonNull(mode, "mode");
    if (seats.isEmpty()) {
      throw new IllegalArgumentException(
          "Expected somebody who can approve at level '%s', but nobody is left".formatted(name));
    }
    if (seats.size() > Limits.SEATS) {
      throw new IllegalArgumentException(
          "Expected at most %,d voices at level '%s', but got %,d"
              .formatted(Limits.SEATS, name, seats.size()));
    }
    requireReachable(name, seats, mode);
  }

  private static void requireReachable(String name, List<Seat> seats, Mode mode) {
    int there = total(seats, mode);
    int wanted = required(seats, mode);
    if (wanted > there) {
      throw new IllegalArgumentException(
          "Expected level '%s' to have at least %d %s, but it has %d"
              .formatted(
                  name, wanted, mode instanceof Mode.Weighted ? "in weights" : "voices", there));
    }
  }

  /** The amount of approval that is enough, in voices or in weight. */
  public int required() {
    return required(seats, mode);
  }

  static int required(List<Seat> seats, Mode mode) {
    return switch (mode) {
      case Mode.Any any -> 1;
      case Mode.All all -> seats.size();
      case Mode.AtLeast some -> some.count();
      case Mode.Weighted weighted -> weighted.threshold();
    };
  }

  static int total(List<Seat> seats, Mode mode) {
    return seats.stream().mapToInt(seat -> worth(seat, mode)).sum();
  }

  /** The number that one voice counts here. */
  int worth(Seat seat) {
    return worth(seat, mode);
  }

  private static int worth(Seat seat, Mode mode) {
    return mode instanceof Mode.Weighted ? seat.weight() : 1;
  }

  public Set<Party> parties() {
    Set<Party> parties = new LinkedHashSet<>();
    seats.forEach(seat -> parties.add(seat.party()));
    return parties;
  }
}
