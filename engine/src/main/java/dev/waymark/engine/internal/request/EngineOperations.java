package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Answer;
import dev.waymark.engine.Caller;
import dev.waymark.engine.MigrationReport;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.Operations;
import dev.waymark.engine.UnreadableRow;
import dev.waymark.engine.bookmark.TimerHealth;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.request.Requests.RequestDocument;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.query.OpenTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Carries out the verbs of operators as commands. */
public final class EngineOperations implements Operations {

  private final ThisNode node;
  private final CommandGateway gateway;
  private final StoreCalls calls;
  private final InstanceMigrations migrations;
  private final Supplier<TimerHealth> timers;
  private final UnreadableRows unreadable;

  public EngineOperations(
      ThisNode node,
      CommandGateway gateway,
      StoreCalls calls,
      InstanceMigrations migrations,
      Supplier<TimerHealth> timers,
      UnreadableRows unreadable) {
    this.node = node;
    this.gateway = gateway;
    this.calls = calls;
    this.migrations = migrations;
    this.timers = timers;
    this.unreadable = unreadable;
  }

  @Override
  public MigrationReport checkMigration(MigrationRequest request, Caller caller) {
    given("request, caller", request, caller);
    return migrations.check(request, caller);
  }

  @Override
  public MigrationReport migrate(MigrationRequest request, Caller caller) {
    given("request, caller", request, caller);
    return migrations.migrate(request, caller, report -> {});
  }

  @Override
  public MigrationReport migrate(
      MigrationRequest request, Caller caller, Consumer<MigrationReport> progress) {
    given("request, caller, progress", request, caller, progress);
    return migrations.migrate(request, caller, progress);
  }

  @Override
  public List<UnreadableRow> unreadable() {
    return unreadable.list();
  }

  @Override
  public Answer cancel(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return cancelled(instance, reason, false, caller);
  }

  @Override
  public Answer cancelAndCompensate(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return cancelled(instance, reason, true, caller);
  }

  @Override
  public Answer edit(InstanceId instance, Correction correction, String reason, Caller caller) {
    given("instance, correction, reason, caller", instance, correction, reason, caller);
    return edited(instance, correction, reason, caller);
  }

  @Override
  public Answer fireTimer(BookmarkId timer, String reason, Caller caller) {
    given("timer, reason, caller", timer, reason, caller);
    return edit(timer.instance(), new Correction.FireTimer(timer), reason, caller);
  }

  @Override
  public Answer rescheduleTimer(BookmarkId timer, Instant due, String reason, Caller caller) {
    given("timer, due, reason, caller", timer, due, reason, caller);
    return edit(timer.instance(), new Correction.RescheduleTimer(timer, due), reason, caller);
  }

  @Override
  public List<OpenTimer> timersDueWithin(Duration time, int limit, Caller caller) {
    given("time, caller", time, caller);
    String tenant = caller.actor().tenant();
    int page = Limits.page(limit);
    return asked(
        caller, () -> node.store().duties().timers(tenant, Limits.after(node.now(), time), page));
  }

  @Override
  public TimerHealth timerHealth() {
    return calls.read(timers);
  }

  @Override
  public Answer suspend(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return suspended(instance, reason, caller);
  }

  @Override
  public Answer continueInstance(InstanceId instance, String reason, Caller caller) {
    given("instance, reason, caller", instance, reason, caller);
    return letGo(instance, reason, caller);
  }

  @Override
  public Answer intervene(
      BookmarkId bookmark, InterventionAction action, String reason, Caller caller) {
    return intervene(bookmark, action, Map.of(), reason, caller);
  }

  @Override
  public Answer intervene(
      BookmarkId bookmark,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    given("bookmark, action, values, reason, caller", bookmark, action, values, reason, caller);
    return resolved(bookmark, null, action, values, reason, caller);
  }

  @Override
  public Answer intervene(
      BookmarkId bookmark,
      long fence,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    given("bookmark, action, values, reason, caller", bookmark, action, values, reason, caller);
    return resolved(bookmark, fence, action, values, reason, caller);
  }

  private Answer cancelled(InstanceId instance, String reason, boolean compensate, Caller caller) {
    return gateway.ask(
        instance,
        caller,
        meta -> new Command.Cancel(meta, reason, compensate),
        RequestDocument.of(compensate ? "compensate" : "cancel", reason));
  }

  private Answer edited(InstanceId instance, Correction correction, String reason, Caller caller) {
    return gateway.ask(
        instance,
        caller,
        meta -> new Command.Edit(meta, correction, reason),
        () ->
            Map.of(
                "verb",
                "edit",
                "correction",
                correction.word(),
                "says",
                correction.toDocument(),
                "reason",
                reason));
  }

  private Answer suspended(InstanceId instance, String reason, Caller caller) {
    return gateway.ask(
        instance,
        caller,
        meta -> new Command.Suspend(meta, reason),
        RequestDocument.of("suspend", reason));
  }

  private Answer letGo(InstanceId instance, String reason, Caller caller) {
    return gateway.ask(
        instance,
        caller,
        meta -> new Command.Continue(meta, reason),
        RequestDocument.of("continue", reason));
  }

  private Answer resolved(
      BookmarkId bookmark,
      @Nullable Long fence,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    Map<String, @Nullable Object> given = Json.given(values);
    return gateway.ask(
        bookmark.instance(),
        caller,
        meta -> new Command.Intervene(meta, bookmark, fence, action, given, reason),
        () ->
            Map.of(
                "verb",
                "intervene",
                "bookmark",
                bookmark.toString(),
                "action",
                action.word(),
                "values",
                given,
                "reason",
                reason));
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }
}
