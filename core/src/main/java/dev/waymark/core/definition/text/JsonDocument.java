package dev.waymark.core.definition.text;

import dev.waymark.core.Limits;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** A definition written in JSON. */
final class JsonDocument {

  // The length of the whole text is bounded before; Document makes the other checks, since it can
  // tell the path.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNameLength(Limits.DEFINITION_CHARS)
                  .maxNumberLength(Limits.DEFINITION_CHARS)
                  .build())
          .build();

  private final String text;
  private final Document document;

  JsonDocument(String text, Document document) {
    this.text = text;
    this.document = document;
  }

  TextNode read() {
    try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), text)) {
      JsonToken first = parser.nextToken();
      TextNode root = node(parser, first, TextNode.Place.ROOT);
      if (parser.nextToken() != null) {
        document.fault(at(parser, TextNode.Place.ROOT), "the end of the text", "more after it");
      }
      return root;
    } catch (JacksonException e) {
      TokenStreamLocation location = e.getLocation();
      throw document.syntaxError(
          "JSON",
          e.getOriginalMessage(),
          location == null ? 1 : location.getLineNr(),
          location == null ? 1 : location.getColumnNr());
    }
  }

  private TextNode node(JsonParser parser, @Nullable JsonToken token, TextNode.Place place) {
    return switch (token) {
      case START_OBJECT -> struct(parser, place);
      case START_ARRAY -> items(parser, place);
      case VALUE_STRING -> document.text(place, parser.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> document.number(place, parser.getString());
      case VALUE_TRUE -> new TextNode.Scalar(place, true);
      case VALUE_FALSE -> new TextNode.Scalar(place, false);
      case VALUE_NULL -> new TextNode.Scalar(place, null);
      case null, default -> throw document.stop(at(parser, place), "a value", "" + token);
    };
  }

  private TextNode.Struct struct(JsonParser parser, TextNode.Place place) {
    document.enter(place);
    Map<String, TextNode> fields = new LinkedHashMap<>();
    for (String key = parser.nextName(); key != null; key = parser.nextName()) {
      TextNode.Place below = at(parser, place.missing(key));
      document.put(fields, key, node(parser, parser.nextToken(), below));
    }
    return new TextNode.Struct(place, fields);
  }

  private TextNode.Sequence items(JsonParser parser, TextNode.Place place) {
    document.enter(place);
    List<TextNode> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      TextNode.Place below = at(parser, place.missing(Integer.toString(items.size())));
      items.add(node(parser, token, below));
    }
    return new TextNode.Sequence(place, items);
  }

  private static TextNode.Place at(JsonParser parser, TextNode.Place place) {
    TokenStreamLocation location = parser.currentTokenLocation();
    return place.at(location.getLineNr(), location.getColumnNr());
  }
}
