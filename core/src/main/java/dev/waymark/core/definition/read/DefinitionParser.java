package dev.waymark.core.definition.read;

import dev.waymark.core.Json;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.Graph;
import dev.waymark.core.definition.MessageStart;
import dev.waymark.core.definition.schema.InputSchema;
import dev.waymark.core.definition.schema.JsonInputSchema;
import dev.waymark.core.definition.schema.Shapes;
import dev.waymark.core.definition.text.Document;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Faults;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.InvalidDefinition;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Expressions;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Turns a text in YAML or JSON into a definition that can run, or tells everything that keeps it
 * from that.
 *
 * <p>The same text gives the same definition, so a stored text may be parsed again on every start.
 * Safe to share between threads.
 */
public final class DefinitionParser {

  private static final Pattern KEY = Pattern.compile(Shapes.KEY_PATTERN);
  private static final Set<Root> LABEL_ROOTS = Set.of(Root.VARIABLES, Root.CONTEXT);
  private static final Set<Root> RESULT_ROOTS = Set.of(Root.VARIABLES, Root.CONTEXT, Root.ENV);

  private final KnownTypes types;
  private final Expressions expressions;

  /**
   * Knows the given types, and no others.
   *
   * @param types the built-in ones and those that the application registers
   * @throws IllegalArgumentException if a type is there twice
   */
  public DefinitionParser(Collection<? extends ActivityType> types, Expressions expressions) {
    this.types = new KnownTypes(types);
    this.expressions = expressions;
  }

  /**
   * Reads texts that were checked when they were deployed. A type that is no longer registered, or
   * whose {@code with} has become stricter, must not stop runs that have begun.
   */
  public DefinitionParser ofDeployed() {
    return new DefinitionParser(types.trusted(), expressions);
  }

  private DefinitionParser(KnownTypes types, Expressions expressions) {
    this.types = types;
    this.expressions = expressions;
  }

  /**
   * Reads a text and checks all of it.
   *
   * @return the definition with id 0 and version 1, until it is deployed
   * @throws InvalidDefinition with every fault of the text
   */
  public Definition parse(String text) {
    FaultList faults = new FaultList();
    Fields fields = new Fields(Document.read(text, faults), Format.DEFINITION.fields(), faults);
    checkFormat(fields);
    ExpressionReader expressionReader = new ExpressionReader(expressions, faults);
    String key =
        fields.requireName("key", "a key of a-z, 0-9, '.', '_', '-', at most 128 characters", KEY);
    String name = name(fields, faults);
    fields.checkText("description");
    InputSchema input = input(fields, faults);
    TextNode.Struct variables = fields.struct("variables");
    Map<String, Template> labels = labels(fields, expressionReader, faults);
    int maxVisits = fields.integer("maxVisits", 1, Limits.VISITS_CEILING, Limits.MAX_VISITS);
    TextNode.Struct mapping = fields.struct("output");
    Template output = mapping == null ? null : expressionReader.template(mapping, RESULT_ROOTS);
    List<MessageStart> starts =
        new MessageStartReader(expressionReader, faults).read(fields.get("startOn"));
    CalendarReader calendars = new CalendarReader(fields.struct("calendars"), faults);
    RootReader rootReader = new RootReader(expressionReader, calendars, faults);
    ReactionReader.ReadReactions reactions = rootReader.reactions(fields);
    Map<String, DefinitionDraft> drafts = drafts(fields, expressionReader, calendars, faults);
    String start = fields.requireText("start", "the id of an activity");
    Graph graph = graph(drafts, start, fields.get("start"), reactions, faults);
    if (key == null || start == null || !faults.isEmpty()) {
      throw faults.invalid();
    }
    return new Definition(
        0,
        key,
        1,
        name == null ? key : name,
        input,
        variables == null ? Map.of() : Json.objectOf(variables.value()),
        labels,
        output,
        starts,
        calendars.calendars(),
        maxVisits,
        start,
        activities(drafts),
        rootReader.root(start, reactions, drafts.values()),
        graph,
        text,
        expressionReader.warnings());
  }

  private static void checkFormat(Fields fields) {
    TextNode format = fields.require("waymark", "1, the version of the format");
    if (format != null && !Long.valueOf(1).equals(format.value())) {
      fields.wrong(format, "1, the version of the format");
    }
  }

  private static @Nullable String name(Fields fields, FaultList faults) {
    String name = fields.text("name");
    if (name != null) {
      checkName("a name", name, Objects.requireNonNull(fields.get("name")), faults);
    }
    return name;
  }

  private static @Nullable InputSchema input(Fields fields, FaultList faults) {
    TextNode.Struct schema = fields.struct("input");
    return schema == null
        ? null
        : JsonInputSchema.compile(Json.objectOf(schema.value()), faults.under(schema));
  }

  private static Map<String, Template> labels(
      Fields fields, ExpressionReader expressions, FaultList faults) {
    TextNode.Struct struct = fields.struct("labels");
    Map<String, Template> labels = new LinkedHashMap<>();
    if (struct == null) {
      return labels;
    }
    if (struct.fields().size() > Limits.LABELS) {
      fields.wrong(struct, "at most %d labels".formatted(Limits.LABELS));
      return labels;
    }
    struct
        .fields()
        .forEach(
            (name, node) -> {
              checkName("a label's name", name, node, faults);
              if (!(node.value() instanceof String)) {
                faults.add(node.place(), "a text with expressions", node.shown());
                return;
              }
              Template template = expressions.template(node, LABEL_ROOTS);
              if (template != null) {
                labels.put(name, template);
              }
            });
    return labels;
  }

  private Map<String, DefinitionDraft> drafts(
      Fields fields, ExpressionReader expressions, CalendarReader calendars, FaultList faults) {
    TextNode.Struct struct = fields.requireStruct("activities", "the activities by id");
    if (struct == null) {
      return Map.of();
    }
    ActivitiesReader reader = new ActivitiesReader(types, struct, expressions, calendars, faults);
    reader.read(struct, null);
    return reader.drafts();
  }

  private static Graph graph(
      Map<String, DefinitionDraft> drafts,
      @Nullable String start,
      @Nullable TextNode place,
      ReactionReader.ReadReactions reactions,
      FaultList faults) {
    FlowCheck check = new FlowCheck(drafts, faults);
    if (!drafts.isEmpty()) {
      List<DefinitionDraft.Way> entries = new ArrayList<>();
      boolean vague = start == null || place == null || reactions.vague();
      if (start != null && place != null) {
        entries.add(new DefinitionDraft.Way(start, place.place()));
      }
      entries.addAll(reactions.errors());
      entries.addAll(reactions.events());
      check.run(entries, vague);
    }
    return check.graph();
  }

  private static Map<String, Activity> activities(Map<String, DefinitionDraft> drafts) {
    Map<String, Activity> activities = LinkedHashMap.newLinkedHashMap(drafts.size());
    drafts.forEach((id, draft) -> activities.put(id, Objects.requireNonNull(draft.activity())));
    return activities;
  }

  private static void checkName(String what, String name, TextNode node, FaultList faults) {
    try {
      var unused = Limits.name(what, name);
    } catch (IllegalArgumentException e) {
      faults.add(
          node.place(),
          "%s of 1 to %d bytes".formatted(what, Limits.NAME_BYTES),
          Faults.shown(name));
    }
  }
}
