package dev.waymark.core.step;

import dev.waymark.core.Limits;
import dev.waymark.core.approval.Party;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An action on a task or an approval that does not answer it. */
public sealed interface TaskAction {

  /** The arguments as history keeps them. */
  Map<String, @Nullable Object> toDocument();

  /** The act's name as history stores it. It stays when a record is renamed. */
  default String word() {
    return switch (this) {
      case Assign assign -> "assign";
      case Return back -> "return";
      case Delegate delegate -> "delegate";
      case Resolve resolve -> "resolve";
      case Reschedule reschedule -> "reschedule";
      case HandOver handOver -> "handover";
      case Comment comment -> "comment";
      case Attach attach -> "attach";
    };
  }

  /**
   * Assigns a task to one person.
   *
   * @param onlyIfFree true if nothing happens where a person has it already: the assignment by
   *     turns uses it
   */
  record Assign(String to, boolean onlyIfFree) implements TaskAction {

    public Assign {
      to = Party.person(Limits.name("an assignee", to));
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("to", to);
    }
  }

  /** Gives a task back to all who may do it. */
  record Return() implements TaskAction {

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of();
    }
  }

  /**
   * Lets another person work on a task, which comes back when it is resolved; or lets them speak
   * for the actor in an approval.
   *
   * @param from for approvals: since when; absent, at once
   * @param until for approvals: until when; absent, as long as it is open
   */
  record Delegate(String to, @Nullable Instant from, @Nullable Instant until)
      implements TaskAction {

    public Delegate {
      to = Party.person(Limits.name("a delegate", to));
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      Map<String, @Nullable Object> document = new LinkedHashMap<>();
      document.put("to", to);
      if (from != null) {
        document.put("from", from.toString());
      }
      if (until != null) {
        document.put("until", until.toString());
      }
      return document;
    }
  }

  /** Ends a delegation: the task goes back to who delegated it. */
  record Resolve(String comment) implements TaskAction {

    public Resolve {
      Limits.comment("a comment", comment);
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return comment.isEmpty() ? Map.of() : Map.of("comment", comment);
    }
  }

  /**
   * Gives a task or an approval another due date.
   *
   * @param due absent if it is due no more
   */
  record Reschedule(@Nullable Instant due, String reason) implements TaskAction {

    public Reschedule {
      if (due != null) {
        Limits.due("a due date", due);
      }
      Limits.comment("a reason", reason);
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      Map<String, @Nullable Object> document = new LinkedHashMap<>();
      document.put("due", due == null ? null : due.toString());
      document.put("reason", reason);
      return document;
    }
  }

  /** Gives the work of one person to another: a task, or a voice in an approval. */
  record HandOver(String from, String to, String reason) implements TaskAction {

    public HandOver {
      Limits.name("who has it", from);
      to = Party.person(Limits.name("who gets it", to));
      Limits.comment("a reason", reason);
      if (from.equals(to)) {
        throw new IllegalArgumentException(
            "Expected somebody other than %s to get it, but got the same".formatted(from));
      }
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("from", from, "to", to, "reason", reason);
    }
  }

  record Comment(String text) implements TaskAction {

    public Comment {
      if (text.isBlank()) {
        throw new IllegalArgumentException("Expected a comment, but got an empty text");
      }
      Limits.comment("a comment", text);
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      return Map.of("text", text);
    }
  }

  /**
   * Names a document that belongs to a task; the document itself is kept elsewhere.
   *
   * @param size in bytes, as who attached it said
   */
  record Attach(String name, String uri, long size) implements TaskAction {

    public Attach {
      Limits.name("an attachment's name", name);
      if (uri.isBlank() || uri.length() > Limits.URI_CHARS) {
        throw new IllegalArgumentException(
            "Expected a URI of 1 to %,d characters, but got %,d"
                .formatted(Limits.URI_CHARS, uri.length()));
      }
      Limits.wellFormed("a URI", uri);
      if (size < 0) {
        throw new IllegalArgumentException("Expected a size of 0 or more, but got " + size);
      }
    }

    @Override
    public Map<String, @Nullable Object> toDocument() {
      Map<String, @Nullable Object> document = new LinkedHashMap<>();
      document.put("name", name);
      document.put("uri", uri);
      document.put("size", size);
      return document;
    }
  }
}
