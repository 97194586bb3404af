package dev.waymark.proof.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Says a flow in the format of definitions. */
final class Rendering {

  private Rendering() {}

  static Map<String, @Nullable Object> of(Flow flow) {
    Map<String, @Nullable Object> text = new LinkedHashMap<>();
    text.put("waymark", 1L);
    text.put("key", flow.key());
    if (!flow.variables().isEmpty()) {
      text.put("variables", flow.variables());
    }
    if (flow.output() != null) {
      text.put("output", templates(flow.output()));
    }
    if (flow.maxVisits() != Flow.MAX_VISITS) {
      text.put("maxVisits", (long) flow.maxVisits());
    }
    putReactions(text, flow.on());
    putTimeout(text);
    putBlock(text, flow.block());
    return text;
  }

  /** A run's time-out has a place of its own, besides the one among its reactions. */
  private static void putTimeout(Map<String, @Nullable Object> text) {
    if (text.get("on") instanceof Map<?, ?> on && on.get("timeout") instanceof Map<?, ?> timeout) {
      Map<Object, Object> others = new LinkedHashMap<>(on);
      others.remove("timeout");
      text.put("timeout", timeout.containsKey("fail") ? timeout.get("after") : timeout);
      text.remove("on");
      if (!others.isEmpty()) {
        text.put("on", others);
      }
    }
  }

  private static void putBlock(Map<String, @Nullable Object> text, Block block) {
    Map<String, @Nullable Object> activities = new LinkedHashMap<>();
    block.activities().forEach((id, activity) -> activities.put(id, activity(activity)));
    text.put("start", block.start());
    text.put("activities", activities);
  }

  private static Map<String, @Nullable Object> activity(Activity activity) {
    Map<String, @Nullable Object> text = new LinkedHashMap<>();
    text.put("type", typeOf(activity.kind()));
    Map<String, @Nullable Object> with = with(activity.kind());
    if (!with.isEmpty()) {
      text.put("with", with);
    }
    putInside(text, activity.kind());
    if (activity.output() != null) {
      text.put("output", templates(activity.output()));
    }
    if (activity.retry() != null) {
      text.put("retry", retry(activity.retry()));
    }
    if (activity.guard() != null) {
      text.put("guard", Map.of("when", activity.guard().text()));
    }
    putReactions(text, activity.on());
    if (activity.compensate() != null) {
      text.put("compensate", activity.compensate());
    }
    if (!activity.next().isEmpty()) {
      text.put("next", next(activity.next()));
    }
    return text;
  }

  private static String typeOf(Kind kind) {
    return switch (kind) {
      case Kind.Probe k -> "probe";
      case Kind.Set k -> "set";
      case Kind.End k -> "end";
      case Kind.Terminate k -> "terminate";
      case Kind.Misfit k -> "timer";
      case Kind.Raise k -> "raise";
      case Kind.Fork k -> "fork";
      case Kind.Split k -> "split";
      case Kind.Join k -> "join";
      case Kind.Timer k -> "timer";
      case Kind.Wait k -> "wait";
      case Kind.Race k -> "race";
      case Kind.Scope k -> "scope";
      case Kind.ForEach k -> "for-each";
      case Kind.SubWorkflow k -> "sub-workflow";
      case Kind.Signal k -> "signal";
      case Kind.Send k -> "send";
      case Kind.Emit k -> "emit";
      case Kind.Compensate k -> "compensate";
    };
  }

  private static Map<String, @Nullable Object> with(Kind kind) {
    Map<String, @Nullable Object> with = new LinkedHashMap<>();
    switch (kind) {
      case Kind.Probe probe -> {
        with.put("label", probe.label().template());
        if (probe.failures() > 0) {
          with.put("failures", probe.failures());
        }
        if (probe.fatal() != null) {
          with.put("fatal", probe.fatal());
        }
        if (probe.holds()) {
          with.put("holds", true);
        }
        if (!probe.result().isEmpty()) {
          with.put("result", templates(probe.result()));
        }
      }
      case Kind.Set set -> with.putAll(templates(set.values()));
      case Kind.Terminate terminate -> {
        if (terminate.failed()) {
          with.put("status", "failed");
          with.put("code", terminate.code());
        } else if (terminate.status().equals("CANCELLED")) {
          with.put("status", "cancelled");
        }
      }
      case Kind.Misfit misfit -> with.put("after", new Term.Var(misfit.variable()).template());
      case Kind.Raise raise -> {
        with.put("code", raise.code());
        with.put("message", "raised");
      }
      case Kind.Fork fork -> with.put("branches", fork.branches());
      case Kind.Join join -> {
        if (join.many() > 0) {
          with.put("wait", join.many() == 1 ? "any" : (Object) (long) join.many());
        }
        if (join.cancelRest()) {
          with.put("rest", "cancel");
        }
      }
      case Kind.Waiting waiting -> with.putAll(waiting(waiting));
      case Kind.Race race -> with.put("waits", rivals(race));
      case Kind.ForEach each -> {
        with.put("items", each.items().template());
        if (each.parallel() > 1) {
          with.put("parallel", (long) each.parallel());
        }
      }
      case Kind.SubWorkflow sub -> {
        with.put("definition", sub.definition());
        with.put("input", templates(sub.input()));
        if (!sub.await()) {
          with.put("wait", false);
        }
        if (sub.goOnWhenChildFails()) {
          with.put("whenChildFails", "continue");
        }
        if (sub.leaveWhenParentEnds()) {
          with.put("whenParentEnds", "leave");
        }
      }
      case Kind.Signal signal -> {
        with.put("name", signal.name());
        with.put("payload", templates(signal.payload()));
      }
      case Kind.Send send -> {
        with.put("to", "${ Context.instance }");
        with.put("name", send.name());
        with.put("payload", templates(send.payload()));
      }
      case Kind.Emit emit -> {
        with.put("type", emit.type());
        with.put("data", Map.of());
      }
      case Kind.Compensate compensate -> {
        if (compensate.activity() != null) {
          with.put("activity", compensate.activity());
        }
      }
      case Kind.End end -> {}
      case Kind.Split split -> {}
      case Kind.Scope scope -> {}
    }
    return with;
  }

  private static Map<String, @Nullable Object> waiting(Kind.Waiting waiting) {
    Map<String, @Nullable Object> text = new LinkedHashMap<>();
    switch (waiting) {
      case Kind.Timer timer -> text.put("after", duration(timer.seconds()));
      case Kind.Wait wait -> {
        text.put("for", wait.source().text);
        text.put("key", wait.key().template());
      }
    }
    return text;
  }

  private static Map<String, @Nullable Object> rivals(Kind.Race race) {
    Map<String, @Nullable Object> rivals = new LinkedHashMap<>();
    race.waits()
        .forEach(
            (name, rival) -> {
              Map<String, @Nullable Object> text = waiting(rival.waiting());
              if (rival.when() != null) {
                text.put("when", "${ " + rival.when().text() + " }");
              }
              if (rival.to() != null) {
                text.put("to", rival.to());
              }
              rivals.put(name, text);
            });
    return rivals;
  }

  private static void putInside(Map<String, @Nullable Object> text, Kind kind) {
    if (kind instanceof Kind.Scope scope) {
      if (!scope.variables().isEmpty()) {
        text.put("variables", templates(scope.variables()));
      }
      putBlock(text, scope.block());
    } else if (kind instanceof Kind.ForEach each) {
      text.put("item", each.item());
      text.put("index", each.index());
      if (!each.variables().isEmpty()) {
        text.put("variables", templates(each.variables()));
      }
      putBlock(text, each.block());
      text.put("collect", each.collect().template());
      if (each.until() != null) {
        text.put("until", each.until().text());
      }
    }
  }

  private static void putReactions(Map<String, @Nullable Object> text, List<Reaction> reactions) {
    Map<String, List<Object>> on = new LinkedHashMap<>();
    for (Reaction reaction : reactions) {
      Map<String, @Nullable Object> said = new LinkedHashMap<>();
      String name =
          switch (reaction.trigger()) {
            case Reaction.OnError error -> {
              if (error.code() != null) {
                said.put("match", new Condition.ErrorIs(error.code()).text());
              }
              yield "error";
            }
            case Reaction.OnTimeout timeout -> {
              said.put("after", duration(timeout.seconds()));
              yield "timeout";
            }
            case Reaction.OnMessage message -> {
              said.put("name", message.name());
              yield "message";
            }
            case Reaction.OnSignal signal -> {
              said.put("name", signal.name());
              yield "signal";
            }
          };
      if (reaction.to() == null) {
        said.put("fail", true);
      } else {
        said.put("to", reaction.to());
      }
      if (!reaction.interrupt()) {
        said.put("interrupt", false);
      }
      if (reaction.compensate()) {
        said.put("compensate", true);
      }
      if (reaction.output() != null) {
        said.put("output", templates(reaction.output()));
      }
      on.computeIfAbsent(name, n -> new ArrayList<>()).add(said);
    }
    if (!on.isEmpty()) {
      Map<String, Object> said = new LinkedHashMap<>();
      on.forEach((name, all) -> said.put(name, all.size() == 1 ? all.getFirst() : all));
      text.put("on", said);
    }
  }

  private static Map<String, @Nullable Object> retry(Activity.Retry retry) {
    Map<String, @Nullable Object> text = new LinkedHashMap<>();
    text.put("attempts", (long) retry.attempts());
    text.put("backoff", duration(retry.backoff()));
    text.put("maxBackoff", duration(retry.maxBackoff()));
    text.put("jitter", 0L);
    return text;
  }

  private static Object next(List<Activity.Way> ways) {
    if (ways.size() == 1 && ways.getFirst().when() == null) {
      return ways.getFirst().to();
    }
    List<Object> list = new ArrayList<>();
    for (Activity.Way way : ways) {
      Map<String, Object> text = new LinkedHashMap<>();
      if (way.when() != null) {
        text.put("when", way.when().text());
      }
      text.put("to", way.to());
      list.add(text);
    }
    return list;
  }

  private static Map<String, @Nullable Object> templates(Map<String, Term> terms) {
    Map<String, @Nullable Object> text = new LinkedHashMap<>();
    terms.forEach((name, term) -> text.put(name, term.template()));
    return text;
  }

  private static String duration(long seconds) {
    return "PT" + seconds + "S";
  }
}
