package dev.waymark.core.instance;

import dev.waymark.core.Json;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payload of a wait, read into a type of its own for each kind. A payload that an activity of
 * the application wrote may say anything; what does not fit is absent here, and still there in the
 * payload.
 */
public sealed interface Details {

  /**
   * Work for a person.
   *
   * @param title the bookmark's key if it has none
   * @param form the JSON Schema of the answer; empty if anything goes
   */
  record Task(
      String title,
      String description,
      Map<String, @Nullable Object> data,
      Map<String, @Nullable Object> form)
      implements Details {

    /** One value of what people are shown, as a type of yours. */
    public <T> T data(String name, Class<T> type, T otherwise) {
      return data.get(name) == null ? otherwise : Json.convert(data.get(name), type);
    }
  }

  /**
   * A level of an approval.
   *
   * @param name of the level
   * @param required how much approval is enough, in voices or in weight
   * @param approvers as definitions name them
   */
  record Approval(
      String title,
      String description,
      Map<String, @Nullable Object> data,
      int level,
      int levels,
      String name,
      int required,
      List<String> approvers)
      implements Details {

    public Approval {
      approvers = List.copyOf(approvers);
    }

    /** One value of what people are shown, as a type of yours. */
    public <T> T data(String name, Class<T> type, T otherwise) {
      return data.get(name) == null ? otherwise : Json.convert(data.get(name), type);
    }
  }

  /**
   * A moment.
   *
   * @param occurrence which one of a cron timer, from 1
   * @param scheduled the occurrence's own time, also where an operator gave it another due time
   * @param does the effect of a timer beside a task or an approval: {@code ESCALATE}, {@code
   *     REMIND}, {@code COMPLETE} and so on; absent for a timer that the run itself waits for
   */
  record Timer(
      Instant due, @Nullable Long occurrence, @Nullable Instant scheduled, @Nullable String does)
      implements Details {}

  /**
   * A message.
   *
   * @param correlation the key that the message must name; absent if it must name the run
   */
  record Awaited(String name, @Nullable String correlation) implements Details {}

  record Signal(String name) implements Details {}

  /**
   * A partner's callback.
   *
   * @param report the last report of the partner
   * @param reported the moment of that report
   */
  record Webhook(String name, @Nullable StatusUpdate report, @Nullable Instant reported)
      implements Details {}

  /** The end of a child. */
  record Child(InstanceId instance) implements Details {}

  /**
   * A visit failed, and an operator must look.
   *
   * @param activity the one that failed, at this visit
   * @param actions the possible actions, such as {@code retry-activity}
   * @param level how far up it has gone, from 1
   */
  record Intervention(
      @Nullable Fault error, String activity, List<String> actions, int level, String requiredRole)
      implements Details {

    public Intervention {
      actions = List.copyOf(actions);
    }
  }
}
