package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.instance.BookmarkKind;
import dev.waymark.core.instance.NodeId;
import dev.waymark.engine.bookmark.BookmarkWorkerBuilder;
import dev.waymark.engine.bookmark.Bookmarks;
import dev.waymark.engine.callback.Callbacks;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.payload.Payloads;
import dev.waymark.engine.schedule.Schedules;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Approvals;
import dev.waymark.engine.task.Tasks;
import java.sql.Connection;

/**
 * A durable workflow engine in your process. Everything it acknowledges is committed.
 *
 * <p>Its verbs are grouped by their subject. Made by {@link EngineBuilder}; closed when the process
 * ends, so that other nodes need not wait for its lease to lapse.
 */
public interface Engine extends AutoCloseable {

  static EngineBuilder builder(Store store) {
    given("store", store);
    return new EngineBuilder(store);
  }

  /** Definitions and their versions. */
  Definitions definitions();

  /** Runs of definitions: started, found, listed, explained and awaited. */
  Instances instances();

  /** The verbs of operators: runs are held, cancelled, corrected, migrated and let go again. */
  Operations operations();

  /** The work of people. */
  Tasks tasks();

  /** The decisions of people. */
  Approvals approvals();

  /** Waits in the hands of people and programs: claims, leases, answers, and questions. */
  Bookmarks bookmarks();

  /** Messages and signals from outside, and the messages that are kept. */
  Messages messages();

  /** The answers of partners to waits for a webhook. */
  Callbacks callbacks();

  /** Contents that are too large for variables and messages, which hold references to them. */
  Payloads payloads();

  /** Definitions that are started again and again, on a cron expression or at an interval. */
  Schedules schedules();

  /**
   * A program that answers waits of a kind, for all tenants in turns: {@code
   * engine.worker(kind).concurrency(10).handle(work -> …)}.
   */
  BookmarkWorkerBuilder worker(BookmarkKind kind);

  /** Takes part in a transaction of yours, on your connection; autocommit must be off. */
  EngineTransaction joining(Connection connection);

  /**
   * Runs your work and the engine's in one transaction of the engine's store. On SQLite this is the
   * only way: the engine's writer is the one writer.
   */
  <T> T inTransaction(JoinedWork<T> work);

  /** Work in a transaction that the engine takes part in. */
  @FunctionalInterface
  interface JoinedWork<T> {
    T run(EngineTransaction engine) throws Exception;
  }

  /** The id of this process among the nodes; another one after it was declared dead. */
  NodeId node();

  /** Commands that wait to be written, bodies that run, instances this node is busy with. */
  Load load();

  /**
   * The load of this engine.
   *
   * @param queued steps that wait to be written
   * @param bodies bodies that run
   * @param instances instances that have work here
   * @param hanging threads that still run bodies which were stopped, because their time was over or
   *     their visit was cancelled or taken over; one that ignores its interrupt stays until the
   *     process ends
   */
  record Load(int queued, int bodies, int instances, int hanging) {}

  /**
   * Stops taking work, lets what runs finish for a while and gives the rest back, marks this node
   * as ended, and closes the store.
   */
  @Override
  void close();
}
