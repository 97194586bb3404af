package dev.waymark.engine.internal.bookmark;

import dev.waymark.core.Json;
import dev.waymark.core.instance.Bookmark;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.payload.PayloadDoor;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.CommitListener;
import dev.waymark.engine.internal.step.EngineCommands;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The workers that the application has started; they stop with the engine. */
public final class BookmarkWorkers implements CommitListener {

  private final ThisNode node;
  private final ClaimBatcher claims;
  private final EngineCommands commands;
  private final RowReader reader;
  private final RowWriter writer;
  private final StoreCalls calls;
  private final PayloadDoor payloads;
  private final List<EngineBookmarkWorker> started = new CopyOnWriteArrayList<>();
  private final List<EngineBookmarkWorker> listening = new CopyOnWriteArrayList<>();

  public BookmarkWorkers(
      ThisNode node,
      ClaimBatcher claims,
      EngineCommands commands,
      RowReader reader,
      RowWriter writer,
      StoreCalls calls,
      PayloadDoor payloads) {
    this.node = node;
    this.claims = claims;
    this.commands = commands;
    this.reader = reader;
    this.writer = writer;
    this.calls = calls;
    this.payloads = payloads;
  }

  public EngineBookmarkWorker start(EngineBookmarkWorker.WorkerPlan plan) {
    EngineBookmarkWorker worker = new EngineBookmarkWorker(this, plan);
    started.add(worker);
    listening.add(worker);
    worker.start();
    return worker;
  }

  @Override
  public void opened(Bookmark wait) {
    listening.forEach(worker -> worker.opened(wait));
  }

  /** A worker has stopped: new waits are nothing to it. */
  void forget(EngineBookmarkWorker worker) {
    listening.remove(worker);
  }

  /** Lets no worker claim any more; the future completes when their handlers have ended. */
  public List<CompletableFuture<Boolean>> stop() {
    List<CompletableFuture<Boolean>> stopped = new ArrayList<>();
    started.forEach(worker -> stopped.add(worker.stop()));
    return stopped;
  }

  /** Gives back the waits that workers have not finished. */
  public List<CompletableFuture<Boolean>> giveUp() {
    List<CompletableFuture<Boolean>> given = new ArrayList<>();
    started.forEach(worker -> given.add(worker.giveUp()));
    return given;
  }

  // ---- the surroundings of every worker

  ThisNode node() {
    return node;
  }

  ClaimBatcher claims() {
    return claims;
  }

  EngineCommands commands() {
    return commands;
  }

  RowReader reader() {
    return reader;
  }

  StoreCalls calls() {
    return calls;
  }

  PayloadDoor payloads() {
    return payloads;
  }

  /** Stores how far the work on a wait is; false if the fence is no longer current. */
  boolean progress(
      BookmarkId bookmark,
      String tenant,
      long fence,
      Map<String, ? extends @Nullable Object> progress) {
    Map<String, @Nullable Object> given = Json.given(progress);
    payloads.admit(given, tenant);
    String document = writer.document(given);
    return calls
        .patience()
        .call(again -> node.store().leases().progress(bookmark, fence, document));
  }
}
