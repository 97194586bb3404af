package dev.waymark.core.step.people;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.schema.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The parts of {@code with} that tasks and approvals have in common. */
final class TaskSchemas {

  static final Shape PRIORITY =
      Shape.anyOf(
          "low, normal, high, urgent or an integer",
          Shape.oneOf("low", "normal", "high", "urgent"),
          Shape.integer(-1_000, 1_000));

  static final Shape MOMENT =
      Shape.anyOf(
          "a duration such as P3D, { working: PT16H, calendar: … }, or an instant such as"
              + " 2026-01-31T12:00:00Z",
          Shape.duration(),
          Shape.working(),
          Shape.instant(),
          Shape.exactly(null));

  /** One person: no group, and no role. */
  static final Shape USER = nameUnlike("^(group|role):|^user:$").told("the name of a user");

  static final Shape PARTY =
      nameUnlike("^role:|^(group|user):$").told("a user, or a group as group:name");

  static final Shape USERS =
      Shape.anyOf(
          "the name of a user, or a list of such names",
          USER,
          Shape.list(USER).size(0, Limits.CANDIDATES),
          Shape.exactly(null));

  static final Shape PARTIES =
      Shape.anyOf(
          "a user, a group as group:name, or a list of these",
          PARTY,
          Shape.list(PARTY).size(0, Limits.CANDIDATES),
          Shape.exactly(null));

  static final Shape ESCALATE =
      Shape.list(
              Shape.object()
                  .required("after", Shape.due())
                  .required("to", PARTIES.describe("Users, and groups as group:name.")))
          .size(0, Limits.RUNGS)
          .describe("Who else is asked after so long, counted from when it began.");

  static final Shape REMIND =
      Shape.object()
          .field("after", Shape.duration())
          .field("every", Shape.duration())
          .field("times", Shape.integer(1, Limits.REMINDERS))
          .describe("When those who have yet to act are told again.");

  private TaskSchemas() {}

  private static Shape nameUnlike(String pattern) {
    return Shape.name().with("not", Shape.text().with("pattern", pattern).document());
  }

  /**
   * The places where a task or a level of an approval says when, for its calendars to be checked.
   */
  static List<String> dues(String prefix, @Nullable Object given) {
    List<String> dues = new ArrayList<>();
    for (String name : List.of("due", "followUp", "autoComplete/after")) {
      dues.add(prefix + name);
    }
    if (given instanceof Map<?, ?> fields && fields.get("escalate") instanceof List<?> rungs) {
      for (int i = 0; i < rungs.size(); i++) {
        dues.add(prefix + "escalate/" + i + "/after");
      }
    }
    return dues;
  }

  /** A priority as the stores order by it. */
  static int priority(@Nullable Object given) {
    return switch (given) {
      case null -> 0;
      case Number number -> number.intValue();
      case String word ->
          switch (word) {
            case "low" -> -10;
            case "high" -> 10;
            case "urgent" -> 50;
            default -> 0;
          };
      default -> 0;
    };
  }

  /** The fields that every wait for people has. */
  static Shape common() {
    return Shape.object()
        .field("title", Shape.text().orNull().describe("What people see in their inbox."))
        .field("description", Shape.text().orNull())
        .field("data", Shape.open().orNull().describe("What they are shown to decide on."))
        .field("key", Shape.word().orNull().describe("Under which name; default its id."))
        .field("priority", PRIORITY)
        .field(
            "exclude", USERS.describe("Users who may never act: the requester, under four eyes."))
        .field("notify", Shape.text().orNull().describe("What they are told when it begins."));
  }
}
