package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Condition;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import dev.waymark.core.time.Due;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the {@code on} of an activity or of a whole run: its reactions. */
final class ReactionReader {

  private static final Set<Root> BEFORE = Set.of(Root.VARIABLES, Root.CONTEXT, Root.ENV);
  private static final Set<Root> ON_ERROR =
      Set.of(Root.VARIABLES, Root.INPUT, Root.ERROR, Root.CONTEXT, Root.ENV);

  /**
   * @param errors where reactions to errors lead
   * @param events where the others lead
   * @param vague whether there may be more of them
   */
  record ReadReactions(
      List<Reaction> list,
      List<DefinitionDraft.Way> errors,
      List<DefinitionDraft.Way> events,
      boolean vague) {}

  private final ExpressionReader expressions;
  private final CalendarReader calendars;
  private final FaultList faults;

  ReactionReader(ExpressionReader expressions, CalendarReader calendars, FaultList faults) {
    this.expressions = expressions;
    this.calendars = calendars;
    this.faults = faults;
  }

  /**
   * @param block whether what reacts has an inside that could be compensated
   */
  ReadReactions read(TextNode.@Nullable Struct on, boolean block) {
    Reading reading = new Reading(block);
    if (on != null) {
      Fields fields = new Fields(on, Format.ON.fields(), faults);
      for (Reaction.On kind : Reaction.On.values()) {
        TextNode node = fields.get(kind.name().toLowerCase(Locale.ROOT));
        if (node instanceof TextNode.Sequence items) {
          items.items().forEach(item -> reading.read(kind, item));
        } else if (node != null) {
          reading.read(kind, node);
        }
      }
      reading.checkSize(on);
    }
    return reading.result();
  }

  /** The {@code timeout} of a whole run: a duration after which it fails, or a reaction. */
  ReadReactions readTimeout(TextNode timeout) {
    Reading reading = new Reading(true);
    if (timeout instanceof TextNode.Struct) {
      reading.read(Reaction.On.TIMEOUT, timeout);
    } else {
      reading.shorthand(timeout);
    }
    return reading.result();
  }

  /** One {@code on} while it is read. */
  private final class Reading {
    private final boolean block;
    private final List<Reaction> list = new ArrayList<>();
    private final List<DefinitionDraft.Way> errors = new ArrayList<>();
    private final List<DefinitionDraft.Way> events = new ArrayList<>();
    private boolean vague;

    Reading(boolean block) {
      this.block = block;
    }

    ReadReactions result() {
      return new ReadReactions(list, errors, events, vague);
    }

    void checkSize(TextNode on) {
      if (list.size() > Limits.REACTIONS) {
        faults.add(
            on.place(),
            "at most %d reactions".formatted(Limits.REACTIONS),
            Integer.toString(list.size()));
      }
    }

    void shorthand(TextNode timeout) {
      if (!isDuration(timeout.value())) {
        faults.add(timeout.place(), "a duration such as P30D, or an object", timeout.shown());
        return;
      }
      Template trigger =
          expressions.template(
              new TextNode.Struct(timeout.place(), Map.of("after", timeout)), BEFORE);
      if (trigger != null) {
        list.add(new Reaction(Reaction.On.TIMEOUT, null, trigger, null, true, false, null));
      }
    }

    void read(Reaction.On on, TextNode node) {
      if (!(node instanceof TextNode.Struct struct)) {
        faults.add(node.place(), "an object, or a list of objects", node.shown());
        vague = true;
        return;
      }
      int before = faults.size();
      Fields fields = new Fields(struct, format(on).fields(), faults);
      TextNode target = fields.get("to");
      String to = target == null ? null : fields.text("to");
      if (to != null && target != null) {
        (on == Reaction.On.ERROR ? errors : events)
            .add(new DefinitionDraft.Way(to, target.place()));
      }
      boolean fail = fields.truth("fail", false);
      boolean interrupt = fields.truth("interrupt", true);
      boolean compensate = fields.truth("compensate", false);
      checkEnd(on, fields, fail, interrupt, compensate);
      TextNode condition = fields.get("match");
      Condition match =
          condition == null || fields.text("match") == null
              ? null
              : expressions.condition(
                  condition, on == Reaction.On.ERROR ? ON_ERROR : ActivityReader.AFTER);
      Template trigger = trigger(on, fields);
      TextNode.Struct mapping = fields.struct("output");
      Template output =
          mapping == null
              ? null
              : expressions.template(
                  mapping, on == Reaction.On.ERROR ? ON_ERROR : ActivityReader.AFTER);
      if (faults.size() == before && trigger != null) {
        list.add(new Reaction(on, match, trigger, to, interrupt, compensate, output));
      } else {
        vague |= to == null;
      }
    }

    private void checkEnd(
        Reaction.On on, Fields fields, boolean fail, boolean interrupt, boolean compensate) {
      boolean leads = fields.get("to") != null;
      if (leads == fail) {
        boolean mayFail = on == Reaction.On.ERROR || on == Reaction.On.TIMEOUT;
        faults.add(
            fields.node().place(),
            mayFail ? "exactly one of 'to' and 'fail: true'" : "'to', the id of an activity",
            leads ? "both" : mayFail ? "neither" : "nothing");
      }
      TextNode asked = fields.get("interrupt");
      if (asked != null && !interrupt && (fail || compensate)) {
        fields.wrong(asked, "true, since it %s".formatted(fail ? "fails" : "compensates"));
      }
      TextNode undo = fields.get("compensate");
      if (undo != null && compensate && !block) {
        fields.wrong(undo, "nothing: only a scope, a for-each or the whole run can compensate");
      }
    }

    private @Nullable Template trigger(Reaction.On on, Fields fields) {
      Map<String, TextNode> parts = new LinkedHashMap<>();
      switch (on) {
        case ERROR -> {}
        case TIMEOUT -> time(fields, parts);
        case MESSAGE, SIGNAL -> {
          if (fields.requireText("name", "the name of the " + on.name().toLowerCase(Locale.ROOT))
              != null) {
            put("name", fields, parts);
            put("correlate", fields, parts);
            checkName(fields);
          }
        }
      }
      return expressions.template(new TextNode.Struct(fields.node().place(), parts), BEFORE);
    }

    private void time(Fields fields, Map<String, TextNode> parts) {
      put("after", fields, parts);
      put("until", fields, parts);
      if (parts.size() != 1) {
        faults.add(
            fields.node().place(),
            "exactly one of 'after' and 'until'",
            parts.isEmpty() ? "neither" : "both");
        return;
      }
      parts.forEach(
          (name, node) -> {
            boolean known = name.equals("after") ? isDue(node) : isInstant(node);
            if (!known && !isExpression(node.value())) {
              fields.wrong(
                  node,
                  name.equals("after")
                      ? "a duration such as PT30M, 0 to 36,500 days, or"
                          + " { working: PT8H, calendar: … }"
                      : "an instant such as 2026-01-31T12:00:00Z");
            }
            calendars.checkUse(node);
          });
    }

    private static boolean isDue(TextNode node) {
      if (!(node instanceof TextNode.Struct struct)) {
        return isDuration(node.value());
      }
      TextNode working = struct.fields().get(Due.WORKING);
      TextNode calendar = struct.fields().get(Due.CALENDAR);
      return struct.fields().size() == 2
          && working != null
          && (isDuration(working.value()) || isExpression(working.value()))
          && calendar != null
          && calendar.value() instanceof String;
    }

    private void put(String name, Fields fields, Map<String, TextNode> parts) {
      TextNode node = fields.get(name);
      if (node != null) {
        parts.put(name, node);
      }
    }

    private void checkName(Fields fields) {
      TextNode name = fields.get("name");
      if (name != null && name.value() instanceof String text && text.startsWith("$")) {
        if (!isExpression(text)) {
          fields.wrong(name, "a name that does not begin with '$', as the engine's own do");
        }
      }
    }
  }

  private static Format format(Reaction.On on) {
    return switch (on) {
      case ERROR -> Format.ON_ERROR;
      case TIMEOUT -> Format.ON_TIMEOUT;
      case MESSAGE -> Format.ON_MESSAGE;
      case SIGNAL -> Format.ON_SIGNAL;
    };
  }

  static boolean isExpression(@Nullable Object value) {
    return value instanceof String text && text.contains("${");
  }

  private static boolean isDuration(@Nullable Object value) {
    try {
      Duration duration = Duration.parse(String.valueOf(value));
      return !duration.isNegative() && duration.compareTo(Limits.DURATION) <= 0;
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isInstant(TextNode node) {
    try {
      var unused = Instant.parse(String.valueOf(node.value()));
      return true;
    } catch (DateTimeException e) {
      return false;
    }
  }
}
