package dev.waymark.core.approval;

import dev.waymark.core.Limits;
import dev.waymark.core.time.Calendar;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An approval as its definition asks for it: its levels in order, the excluded people, and the
 * substitutes.
 *
 * @param stages the levels that this approval needs; none means that it is approved by rule
 */
public record ApprovalPlan(
    List<Stage> stages, Set<String> excluded, List<Substitution> substitutions) {

  /**
   * One level, with its reminders and its escalation.
   *
   * @param due when it should be decided: a duration from its beginning, or an instant; absent if
   *     the definition does not say
   */
  public record Stage(
      String name,
      List<Seat> seats,
      Mode mode,
      @Nullable Object due,
      List<Rung> ladder,
      Reminders reminders) {

    public Stage {
      seats = List.copyOf(seats);
      ladder = List.copyOf(ladder);
    }

    /** The level with other people in their places; who would come twice has one voice. */
    public Stage as(UnaryOperator<Party> another) {
      List<Seat> changed = new ArrayList<>();
      Set<Party> users = new LinkedHashSet<>();
      for (Seat seat : seats) {
        Party party = another.apply(seat.party());
        if (party.group() || users.add(party)) {
          changed.add(new Seat(party, seat.weight(), seat.veto()));
        }
      }
      return new Stage(name, changed, mode, due, ladder, reminders);
    }

    /** The level without the people who are excluded and those who have decided already. */
    public Level without(Set<String> users) {
      List<Seat> left =
          seats.stream()
              .filter(seat -> seat.party().group() || !users.contains(seat.party().name()))
              .toList();
      return new Level(name, left, mode);
    }

    public @Nullable Instant dueAt(Instant begun, Map<String, Calendar> calendars) {
      return due == null ? null : Given.moment("due", due, begun, calendars);
    }
  }

  public ApprovalPlan {
    stages = List.copyOf(stages);
    excluded = Set.copyOf(excluded);
    substitutions = List.copyOf(substitutions);
  }

  /** Reads an evaluated {@code with}. */
  public static ApprovalPlan of(Map<String, @Nullable Object> with) {
    return new ApprovalPlan(
        stages(with),
        Given.names("exclude", with.get("exclude")).stream()
            .map(Party::person)
            .collect(Collectors.toSet()),
        Given.objects("substitutes", with.get("substitutes")).stream()
            .map(ApprovalPlan::substitution)
            .toList());
  }

  private static Substitution substitution(Map<String, @Nullable Object> given) {
    Substitution rule = Substitution.fromDocument(given);
    return new Substitution(
        Party.person(rule.absent()), Party.person(rule.by()), rule.from(), rule.until());
  }

  /**
   * Checks what only the definition can say: that the calendars which are named are there.
   *
   * @throws IllegalArgumentException naming the first that is not
   */
  public ApprovalPlan checked(Instant now, Map<String, Calendar> calendars) {
    for (Stage stage : stages) {
      var unused = stage.dueAt(now, calendars);
      for (Rung rung : stage.ladder()) {
        var unusedToo = rung.after().after(now, calendars);
      }
    }
    return this;
  }

  private static List<Stage> stages(Map<String, @Nullable Object> with) {
    if (with.get("levels") == null) {
      return List.of(stage(with, 1));
    }
    List<Map<String, @Nullable Object>> levels = Given.objects("levels", with.get("levels"));
    int needed =
        with.get("bands") == null
            ? levels.size()
            : Bands.of(Given.object("bands", with.get("bands"))).levels();
    if (needed > levels.size()) {
      throw new IllegalArgumentException(
          "Expected %d levels, as 'bands' says, but 'levels' has %d"
              .formatted(needed, levels.size()));
    }
    List<Stage> stages = new ArrayList<>();
    for (int i = 0; i < needed; i++) {
      if (!Boolean.FALSE.equals(levels.get(i).get("when"))) {
        stages.add(stage(levels.get(i), i + 1));
      }
    }
    return stages;
  }

  private static Stage stage(Map<String, @Nullable Object> given, int number) {
    Object name = given.get("name");
    return new Stage(
        name == null ? Integer.toString(number) : String.valueOf(name),
        seats(given.get("approvers")),
        mode(given.get("mode")),
        given.get("due"),
        Rung.ladder(given.get("escalate")),
        Reminders.of(given.get("remind")));
  }

  /**
   * The amount that the approvers of a level have, and that its mode wants of them: voices, or
   * weight.
   *
   * @param voices how many there are
   */
  public record Demand(int voices, int there, int wanted) {

    /** Reads values that stand in the text of a definition. */
    public static Demand of(@Nullable Object approvers, @Nullable Object mode) {
      List<Seat> seats = seats(approvers);
      Mode wanted = mode(mode);
      return new Demand(seats.size(), Level.total(seats, wanted), Level.required(seats, wanted));
    }
  }

  private static List<Seat> seats(@Nullable Object approvers) {
    List<Seat> seats = new ArrayList<>();
    Set<Party> users = new LinkedHashSet<>();
    for (Object each : Given.list("approvers", approvers)) {
      if (each == null) {
        continue;
      }
      for (Seat seat : seatsOf(each)) {
        // A person named twice still has one voice; a group has as many as it is named.
        if (seat.party().group() || users.add(seat.party())) {
          seats.add(seat);
        }
      }
    }
    return seats;
  }

  private static List<Seat> seatsOf(Object approver) {
    if (!(approver instanceof Map)) {
      return List.of(Seat.of(Given.text("an approver", approver)));
    }
    Map<String, @Nullable Object> given = Given.object("approvers", approver);
    Party party =
        given.get("group") == null
            ? Party.user(Party.person(Given.text("a user", given.get("user"))))
            : Party.group(Given.text("a group", given.get("group")));
    int weight = given.get("weight") == null ? 1 : Given.integer("weight", given.get("weight"));
    int count = given.get("seats") == null ? 1 : Given.integer("seats", given.get("seats"));
    if (count < 1 || count > Limits.SEATS) {
      throw new IllegalArgumentException(
          "Expected 1 to %,d seats for %s, but got %d".formatted(Limits.SEATS, party, count));
    }
    Seat seat = new Seat(party, weight, Boolean.TRUE.equals(given.get("veto")));
    return java.util.Collections.nCopies(count, seat);
  }

  private static Mode mode(@Nullable Object mode) {
    if (mode instanceof Map<?, ?>) {
      Map<String, @Nullable Object> given = Given.object("mode", mode);
      return given.get("atLeast") == null
          ? new Mode.Weighted(Given.integer("weight", given.get("weight")))
          : new Mode.AtLeast(Given.integer("atLeast", given.get("atLeast")));
    }
    return switch (String.valueOf(mode == null ? "any" : mode)) {
      case "any" -> Mode.ANY;
      case "all" -> Mode.ALL;
      default ->
          throw new IllegalArgumentException(
              "Expected any, all, { atLeast: n } or { weight: n } as 'mode', but got '%s'"
                  .formatted(mode));
    };
  }
}
