package dev.waymark.core.definition.read;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.ActivityType;
import dev.waymark.core.definition.Block;
import dev.waymark.core.definition.Guard;
import dev.waymark.core.definition.Reaction;
import dev.waymark.core.definition.RetryPolicy;
import dev.waymark.core.definition.text.FaultList;
import dev.waymark.core.definition.text.Fields;
import dev.waymark.core.definition.text.TextNode;
import dev.waymark.core.expression.Template;
import dev.waymark.core.expression.value.Root;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the activities of a definition, each by itself. */
final class ActivityReader {

  private static final Set<Root> BEFORE = Set.of(Root.VARIABLES, Root.CONTEXT, Root.ENV);
  private static final Set<Root> UNDOING =
      Set.of(Root.VARIABLES, Root.INPUT, Root.OUTPUT, Root.CONTEXT, Root.ENV);
  static final Set<Root> AFTER =
      Set.of(Root.VARIABLES, Root.INPUT, Root.OUTPUT, Root.CONTEXT, Root.ENV);

  private final TypeReader types;
  private final NextReader ways;
  private final ReactionReader reactions;
  private final GuardReader guards;
  private final BlockReader blocks;
  private final ExpressionReader expressions;
  private final Set<String> handlers;
  private final FaultList faults;

  /**
   * @param handlers the activities that undo others: they see what those were given and gave
   */
  ActivityReader(
      TypeReader types,
      ReactionReader reactions,
      ExpressionReader expressions,
      Set<String> handlers,
      FaultList faults) {
    this.types = types;
    this.ways = new NextReader(expressions, faults);
    this.reactions = reactions;
    this.guards = new GuardReader(expressions, faults);
    this.blocks = new BlockReader(expressions, faults);
    this.expressions = expressions;
    this.handlers = handlers;
    this.faults = faults;
  }

  DefinitionDraft read(String id, @Nullable String scope, TextNode node, ActivitiesReader members) {
    if (!(node instanceof TextNode.Struct struct)) {
      faults.add(node.place(), "an object", node.shown());
      return new DefinitionDraft(
          id, scope, node.place(), null, DefinitionDraft.Ways.NONE, true, null);
    }
    int before = faults.size();
    Fields fields = new Fields(struct, Format.ACTIVITY.fields(), faults);
    TypeReader.Typed typed = types.read(fields);
    NextReader.Next next = ways.read(fields, typed.type());
    Activity activity = activity(id, scope, fields, typed, next);
    ReactionReader.ReadReactions reacting = reactions.read(fields.struct("on"), hasInside(typed));
    BlockReader.ReadBlock inside = blocks.read(fields, typed.type(), members, id);
    DefinitionDraft.Way handler = handler(fields);
    DefinitionDraft.Ways leads =
        new DefinitionDraft.Ways(
            next.ways(),
            typed.targets(),
            reacting.errors(),
            reacting.events(),
            handler,
            inside.start());
    // A fault of the activity keeps the definition from being made, so its draft need not be whole.
    boolean whole = faults.size() == before;
    return new DefinitionDraft(
        id,
        scope,
        node.place(),
        typed.type(),
        leads,
        next.vague()
            || typed.vague()
            || reacting.vague()
            || (hasInside(typed) && leads.inside() == null),
        whole && activity != null
            ? completed(activity, reacting.list(), handler, inside.block())
            : null);
  }

  private static boolean hasInside(TypeReader.Typed typed) {
    return typed.type() == null || typed.type().inside() != ActivityType.Inside.NOTHING;
  }

  private DefinitionDraft.@Nullable Way handler(Fields fields) {
    TextNode node = fields.get("compensate");
    String to = node == null ? null : fields.text("compensate");
    return node == null || to == null ? null : new DefinitionDraft.Way(to, node.place());
  }

  private @Nullable Activity activity(
      String id,
      @Nullable String scope,
      Fields fields,
      TypeReader.Typed typed,
      NextReader.Next next) {
    Template with = expressions.template(typed.with(), handlers.contains(id) ? UNDOING : BEFORE);
    TextNode.Struct mapping = fields.struct("output");
    Template output = mapping == null ? null : expressions.template(mapping, AFTER);
    RetryPolicy retry = retry(fields.struct("retry"));
    Duration timeout = fields.duration("timeout", Limits.SHORTEST_TIMEOUT);
    boolean repeatable = fields.truth("repeatable", true);
    Guard guard = guards.read(fields.struct("guard"));
    fields.checkText("description");
    return with == null || typed.type() == null
        ? null
        : new Activity(
            id,
            typed.type().name(),
            scope,
            with,
            with.isConstant() ? null : typed.schema(),
            output,
            next.transitions(),
            retry,
            timeout == null ? Limits.ACTIVITY_TIMEOUT : timeout,
            repeatable,
            List.of(),
            guard,
            null,
            null);
  }

  private static Activity completed(
      Activity read,
      List<Reaction> reactions,
      DefinitionDraft.@Nullable Way handler,
      @Nullable Block block) {
    return new Activity(
        read.id(),
        read.type(),
        read.scope(),
        read.with(),
        read.schema(),
        read.output(),
        read.next(),
        read.retry(),
        read.timeout(),
        read.repeatable(),
        reactions,
        read.guard(),
        handler == null ? null : handler.to(),
        block);
  }

  /**
   * Reads a policy. Parts that are left out come from the default, bent so that backoff ≤
   * maxBackoff still holds.
   */
  private RetryPolicy retry(TextNode.@Nullable Struct struct) {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    if (struct == null) {
      return usual;
    }
    Fields fields = new Fields(struct, Format.RETRY.fields(), faults);
    int attempts = fields.integer("attempts", 1, RetryPolicy.MAX_ATTEMPTS, usual.attempts());
    double jitter = fields.share("jitter", usual.jitter());
    Duration backoff = fields.duration("backoff", Duration.ZERO);
    Duration maxBackoff = fields.duration("maxBackoff", Duration.ZERO);
    TextNode most = fields.get("maxBackoff");
    if (backoff != null && maxBackoff != null && most != null) {
      if (maxBackoff.compareTo(backoff) < 0) {
        faults.add(most.place(), "at least the backoff of " + backoff, most.shown());
        return usual;
      }
      return new RetryPolicy(attempts, backoff, maxBackoff, jitter);
    }
    if (backoff != null) {
      return new RetryPolicy(attempts, backoff, longer(backoff, usual.maxBackoff()), jitter);
    }
    Duration limit = maxBackoff == null ? usual.maxBackoff() : maxBackoff;
    return new RetryPolicy(attempts, shorter(usual.backoff(), limit), limit, jitter);
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) >= 0 ? one : other;
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) <= 0 ? one : other;
  }
}
