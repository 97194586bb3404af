package dev.waymark.examples;

import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Engine;
import dev.waymark.engine.StartRequest;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Task;
import dev.waymark.sqlite.SqliteStore;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A document is reviewed by several people at the same time: two good words are enough, the lawyer
 * can stop it alone, and whoever wants changes sends it back to its author.
 */
public final class DocumentReviewExample {

  static final String REVIEW =
      """
      waymark: 1
      key: document-review
      variables: { version: 1 }
      start: review
      activities:
        review:
          type: approval
          with:
            title: "Review of ${ Variables.document }, version ${ Variables.version }"
            data: { document: "${ Variables.document }", version: "${ Variables.version }" }
            approvers: [ann, bob, { user: lou, veto: true }]
            mode: { atLeast: 2 }
            exclude: ["${ Variables.author }"]
            due: P3D
            remind: { after: P2D }
          output: { outcome: "${ Output.outcome }", decisions: "${ Output.decisions }" }
          next:
            - { when: "Output.outcome == 'changes-requested'", to: revise }
            - { to: done }
        revise:
          type: user-task
          with:
            title: "Change ${ Variables.document }"
            assignee: "${ Variables.author }"
            form: { type: object, required: [version], properties: { version: { type: integer } } }
          next: review
        done: { type: end }
      """;

  private DocumentReviewExample() {}

  public static void main(String[] args) {
    Instance ended = run(SqliteStore.open(Path.of("review.db")), System.out::println);
    System.out.println("It ended as " + ended.variables().get("outcome"));
  }

  static Instance run(Store store, Consumer<String> world) {
    Caller author = Caller.of("eva");
    try (Engine engine = Engine.builder(store).start()) {
      engine.definitions().deploy(REVIEW, author);
      InstanceId id =
          engine
              .instances()
              .start(
                  StartRequest.of("document-review")
                      .input(Map.of("document", "handbook", "author", "eva")),
                  author)
              .orThrow();

      BookmarkId first = taskOf("ann", engine, world);
      engine.approvals().approve(first, "", Caller.of("ann")).orThrow();
      engine
          .approvals()
          .requestChanges(taskOf("bob", engine, world), "Chapter 3?", Caller.of("bob"))
          .orThrow();
      // Too late: the click is told who decided and when.
      if (engine.approvals().approve(first, "", Caller.of("lou"))
          instanceof Answer.Refused refused) {
        world.accept(refused.rejection().message());
      }

      BookmarkId revise = taskOf("eva", engine, world);
      engine.tasks().comment(revise, "Rewritten", author).orThrow();
      engine.tasks().complete(revise, Map.of("version", 2), author).orThrow();

      engine.approvals().approve(taskOf("bob", engine, world), "", Caller.of("bob")).orThrow();
      engine.approvals().approve(taskOf("lou", engine, world), "", Caller.of("lou")).orThrow();
      return engine.instances().awaitEnd(id, Duration.ofSeconds(30), author);
    }
  }

  private static BookmarkId taskOf(String who, Engine engine, Consumer<String> world) {
    Task task = engine.tasks().inbox(1, Caller.of(who)).tasks().get(0);
    world.accept(who + " sees '" + task.title() + "'");
    return task.id();
  }
}
