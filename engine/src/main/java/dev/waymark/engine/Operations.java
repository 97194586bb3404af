package dev.waymark.engine;

import dev.waymark.core.Json;
import dev.waymark.core.instance.BookmarkId;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Correction;
import dev.waymark.core.step.InterventionAction;
import dev.waymark.engine.Requests.Body;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operators do to single runs; how it is called, and why, is said at {@link Engine}. */
final class Operations {

  private final FrontDesk desk;

  Operations(FrontDesk desk) {
    this.desk = desk;
  }

  Answer cancel(InstanceId instance, String reason, boolean compensate, Caller caller) {
    return desk.ask(
        instance,
        caller,
        meta -> new Command.Cancel(meta, reason, compensate),
        Body.of(compensate ? "compensate" : "cancel", reason));
  }

  Answer edit(InstanceId instance, Correction correction, String reason, Caller caller) {
    return desk.ask(
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

  Answer suspend(InstanceId instance, String reason, Caller caller) {
    return desk.ask(
        instance, caller, meta -> new Command.Suspend(meta, reason), Body.of("suspend", reason));
  }

  Answer letGo(InstanceId instance, String reason, Caller caller) {
    return desk.ask(
        instance, caller, meta -> new Command.Continue(meta, reason), Body.of("continue", reason));
  }

  Answer intervene(
      BookmarkId bookmark,
      @Nullable Long fence,
      InterventionAction action,
      Map<String, ? extends @Nullable Object> values,
      String reason,
      Caller caller) {
    Map<String, @Nullable Object> given = Json.given(values);
    return desk.ask(
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
}
