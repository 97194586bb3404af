package dev.waymark.engine.internal.lifecycle;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.Definitions;
import dev.waymark.engine.Engine;
import dev.waymark.engine.EngineTransaction;
import dev.waymark.engine.Instances;
import dev.waymark.engine.Operations;
import dev.waymark.engine.bookmark.BookmarkWorkerBuilder;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.internal.bookmark.BookmarkWorkers;
import dev.waymark.engine.internal.bookmark.EngineBookmarkWorkerBuilder;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.JoinedTransactions;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.task.Approvals;
import dev.waymark.engine.task.Tasks;
import java.sql.Connection;
import java.util.function.Supplier;

/** The engine as an application holds it: each verb is done by the part that it is named after. */
final class RunningEngine implements Engine {

  private final ThisNode node;
  private final Subjects subjects;
  private final JoinedTransactions transactions;
  private final BookmarkWorkers bookmarkWorkers;
  private final Supplier<Load> load;
  private final Lifecycle life;

  /** The subjects that callers ask for. */
  record Subjects(
      Definitions definitions,
      Instances instances,
      Operations operations,
      WaitVerbs waits,
      Messages messages,
      Callbacks callbacks,
      Payloads payloads,
      Schedules schedules) {}

  /** The subjects that are about waits. */
  record WaitVerbs(Bookmarks bookmarks, Tasks tasks, Approvals approvals) {}

  RunningEngine(
      ThisNode node,
      Subjects subjects,
      JoinedTransactions transactions,
      BookmarkWorkers bookmarkWorkers,
      Supplier<Load> load,
      Lifecycle life) {
    this.node = node;
    this.subjects = subjects;
    this.transactions = transactions;
    this.bookmarkWorkers = bookmarkWorkers;
    this.load = load;
    this.life = life;
  }

  @Override
  public Definitions definitions() {
    return subjects.definitions();
  }

  @Override
  public Instances instances() {
    return subjects.instances();
  }

  @Override
  public Operations operations() {
    return subjects.operations();
  }

  @Override
  public Tasks tasks() {
    return subjects.waits().tasks();
  }

  @Override
  public Approvals approvals() {
    return subjects.waits().approvals();
  }

  @Override
  public Bookmarks bookmarks() {
    return subjects.waits().bookmarks();
  }

  @Override
  public Messages messages() {
    return subjects.messages();
  }

  @Override
  public Callbacks callbacks() {
    return subjects.callbacks();
  }

  @Override
  public Payloads payloads() {
    return subjects.payloads();
  }

  @Override
  public Schedules schedules() {
    return subjects.schedules();
  }

  @Override
  public BookmarkWorkerBuilder worker(BookmarkKind kind) {
    given("kind", kind);
    return new EngineBookmarkWorkerBuilder(
        kind,
        "worker@" + node.id(),
        plan -> {
          life.refuseIfClosed();
          return bookmarkWorkers.start(plan);
        });
  }

  @Override
  public EngineTransaction joining(Connection connection) {
    given("connection", connection);
    life.refuseIfClosed();
    return transactions.joining(connection);
  }

  @Override
  public <T> T inTransaction(JoinedWork<T> work) {
    given("work", work);
    life.refuseIfClosed();
    return transactions.run(work);
  }

  @Override
  public NodeId node() {
    return node.id();
  }

  @Override
  public Load load() {
    return load.get();
  }

  @Override
  public void close() {
    life.close();
  }
}
