package dev.waymark.proof.request;

import dev.waymark.engine.Definitions;
import dev.waymark.engine.Engine;
import dev.waymark.engine.Instances;
import dev.waymark.engine.Operations;
import dev.waymark.engine.bookmark.BookmarkQueries;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.bookmark.Housekeeping;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.task.Approvals;
import dev.waymark.engine.task.Tasks;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.LinkedHashMap;
import java.util.Map;

/** The verbs of an engine and of its subjects, found by reflection. */
final class Verbs {

  /** They ask no store, each for its reason. */
  private static final Map<String, String> ASKS_NOTHING =
      Map.of(
          "Engine.node", "the name of this process",
          "Engine.load", "counters of this process",
          "Engine.close", "closing again is allowed",
          "Operations.unreadable", "a list in memory",
          "Housekeeping.retention", "a setting");

  /** The subjects of an engine, by the interface that has their verbs. */
  static Map<Class<?>, Object> subjects(Engine engine) {
    Map<Class<?>, Object> subjects = new LinkedHashMap<>();
    subjects.put(Engine.class, engine);
    subjects.put(Definitions.class, engine.definitions());
    subjects.put(Instances.class, engine.instances());
    subjects.put(Operations.class, engine.operations());
    subjects.put(Tasks.class, engine.tasks());
    subjects.put(Approvals.class, engine.approvals());
    subjects.put(Bookmarks.class, engine.bookmarks());
    subjects.put(BookmarkQueries.class, engine.bookmarks().look());
    subjects.put(Housekeeping.class, engine.bookmarks().housekeeping());
    subjects.put(Messages.class, engine.messages());
    subjects.put(Payloads.class, engine.payloads());
    subjects.put(Schedules.class, engine.schedules());
    return subjects;
  }

  /** A verb that gives a subject asks nothing; what it gives is asked itself. */
  static boolean isVerb(Method method, Map<Class<?>, Object> subjects) {
    return !Modifier.isStatic(method.getModifiers())
        && !method.getReturnType().getSimpleName().endsWith("Callbacks")
        && !method.getReturnType().getSimpleName().endsWith("WorkerBuilder")
        && !subjects.containsKey(method.getReturnType())
        && !ASKS_NOTHING.containsKey(name(method));
  }

  static String name(Method verb) {
    return verb.getDeclaringClass().getSimpleName() + "." + verb.getName();
  }

  private Verbs() {}
}
