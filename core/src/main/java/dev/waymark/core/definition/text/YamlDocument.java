package dev.waymark.core.definition.text;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * A definition written in YAML 1.2, limited to the part that JSON can express: no anchors, no
 * aliases, no tags, one document.
 *
 * <p>It reads the events of snakeyaml-engine itself. Jackson's YAML parser on top of the same
 * library reads {@code 010} as 8, as YAML 1.1 did, and does not tell where a document ends.
 */
final class YamlDocument {

  private static final LoadSettings SETTINGS =
      LoadSettings.builder()
          .setLabel("definition")
          .setCodePointLimit(Limits.DEFINITION_CHARS + 1)
          .build();

  // The core schema of YAML 1.2, chapter 10.3.2.
  private static final Pattern DECIMAL =
      Pattern.compile("[-+]?(\\.[0-9]++|[0-9]++(\\.[0-9]*+)?)([eE][-+]?[0-9]++)?");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]++");
  private static final Pattern HEXADECIMAL = Pattern.compile("0x[0-9a-fA-F]++");
  private static final Pattern NOT_FINITE =
      Pattern.compile("[-+]?\\.(inf|Inf|INF)|\\.(nan|NaN|NAN)");

  private final String text;
  private final Document document;

  YamlDocument(String text, Document document) {
    this.text = text;
    this.document = document;
  }

  /** Absent if the text holds no document. */
  @Nullable TextNode read() {
    try {
      Iterator<Event> events = new Parse(SETTINGS).parseString(text).iterator();
      TextNode root = null;
      while (events.hasNext()) {
        Event event = events.next();
        switch (event.getEventId()) {
          case StreamStart, StreamEnd, DocumentEnd, Comment -> {}
          case DocumentStart -> {
            if (root != null) {
              document.fault(at(event, TextNode.Place.ROOT), "one document", "a second one");
              return root;
            }
          }
          default -> root = node(events, event, TextNode.Place.ROOT);
        }
      }
      return root;
    } catch (MarkedYamlEngineException e) {
      Optional<Mark> mark = e.getProblemMark();
      throw document.syntaxError(
          "YAML",
          e.getContext() == null ? e.getProblem() : e.getProblem() + " " + e.getContext(),
          mark.map(Mark::getLine).orElse(0) + 1,
          mark.map(Mark::getColumn).orElse(0) + 1);
    } catch (YamlEngineException e) {
      throw document.syntaxError("YAML", e.getMessage(), 1, 1);
    }
  }

  private TextNode node(Iterator<Event> events, Event event, TextNode.Place place) {
    refuseReuse(event, place);
    return switch (event) {
      case MappingStartEvent start -> struct(events, tagged(start.getTag(), place));
      case SequenceStartEvent start -> items(events, tagged(start.getTag(), place));
      case ScalarEvent scalar -> scalar(scalar, tagged(scalar.getTag(), place));
      default -> throw document.stop(at(event, place), "a value", event.getEventId().toString());
    };
  }

  private TextNode.Struct struct(Iterator<Event> events, TextNode.Place place) {
    document.enter(place);
    Map<String, TextNode> fields = new LinkedHashMap<>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.MappingEnd;
        event = events.next()) {
      refuseReuse(event, place);
      if (!(event instanceof ScalarEvent key)) {
        throw document.stop(at(event, place), "a text as a key", "a list or an object");
      }
      TextNode.Place below = tagged(key.getTag(), at(event, place.missing(key.getValue())));
      TextNode value = node(events, events.next(), below);
      if (key.isPlain() && key.getValue().equals("<<")) {
        document.fault(below, "a key", "'<<' (objects cannot be merged: write the fields out)");
      } else {
        document.put(fields, key.getValue(), value);
      }
    }
    return new TextNode.Struct(place, fields);
  }

  private TextNode.Sequence items(Iterator<Event> events, TextNode.Place place) {
    document.enter(place);
    List<TextNode> items = new ArrayList<>();
    for (Event event = events.next();
        event.getEventId() != Event.ID.SequenceEnd;
        event = events.next()) {
      TextNode.Place below = at(event, place.missing(Integer.toString(items.size())));
      items.add(node(events, event, below));
    }
    return new TextNode.Sequence(place, items);
  }

  private TextNode.Scalar scalar(ScalarEvent scalar, TextNode.Place place) {
    String value = scalar.getValue();
    if (!scalar.isPlain()) {
      return document.text(place, value);
    }
    return switch (value) {
      case "", "~", "null", "Null", "NULL" -> new TextNode.Scalar(place, null);
      case "true", "True", "TRUE" -> new TextNode.Scalar(place, true);
      case "false", "False", "FALSE" -> new TextNode.Scalar(place, false);
      default -> plain(value, place);
    };
  }

  private TextNode.Scalar plain(String value, TextNode.Place place) {
    if (DECIMAL.matcher(value).matches()) {
      return document.number(place, value);
    }
    boolean octal = OCTAL.matcher(value).matches();
    if (octal || HEXADECIMAL.matcher(value).matches()) {
      String digits = value.substring(2);
      boolean tooLong = digits.length() > Json.MAX_NUMBER_CHARS;
      return document.number(
          place, tooLong ? digits : new BigInteger(digits, octal ? 8 : 16).toString());
    }
    if (NOT_FINITE.matcher(value).matches()) {
      document.fault(place, "a finite number", value);
    }
    return document.text(place, value);
  }

  /**
   * An alias repeats the value of its anchor, so ten lines can mean a billion values. The parser
   * could read it without expanding, but a person who reads the definition should see all of it,
   * too.
   */
  private void refuseReuse(Event event, TextNode.Place place) {
    if (event instanceof AliasEvent alias) {
      throw document.stop(
          at(event, place), "no aliases (write the value out)", "*" + alias.getAlias());
    }
    if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
      throw document.stop(
          at(event, place), "no anchors (write the value out)", "&" + node.getAnchor().get());
    }
  }

  private TextNode.Place tagged(Optional<String> tag, TextNode.Place place) {
    tag.ifPresent(name -> document.fault(place, "no tags", "'" + name + "'"));
    return place;
  }

  private static TextNode.Place at(Event event, TextNode.Place place) {
    return event
        .getStartMark()
        .map(mark -> place.at(mark.getLine() + 1, mark.getColumn() + 1))
        .orElse(place);
  }
}
