package dev.waymark.core.definition;

import dev.waymark.core.Limits;
import dev.waymark.core.expression.Root;
import dev.waymark.core.expression.Template;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads the activities of a definition, each by itself. */
final class ActivityReader {

  private static final List<String> FIELDS =
      List.of("type", "with", "output", "next", "retry", "timeout", "repeatable", "description");
  private static final Set<String> LATER = Set.of("on", "compensate", "guard");
  private static final List<String> RETRY_FIELDS =
      List.of("attempts", "backoff", "maxBackoff", "jitter");

  private static final Set<Root> BEFORE = Set.of(Root.VARIABLES, Root.CONTEXT, Root.ENV);
  static final Set<Root> AFTER =
      Set.of(Root.VARIABLES, Root.INPUT, Root.OUTPUT, Root.CONTEXT, Root.ENV);

  private final TypeReader types;
  private final NextReader ways;
  private final ExpressionReader expressions;
  private final FaultList faults;

  ActivityReader(TypeReader types, ExpressionReader expressions, FaultList faults) {
    this.types = types;
    this.ways = new NextReader(expressions, faults);
    this.expressions = expressions;
    this.faults = faults;
  }

  Draft read(String id, Node node) {
    if (!(node instanceof Node.Struct struct)) {
      faults.add(node.place(), "an object", node.shown());
      return new Draft(id, node.place(), null, List.of(), List.of(), true, null);
    }
    int before = faults.size();
    Fields fields = new Fields(struct, FIELDS, LATER, faults);
    TypeReader.Typed typed = types.read(fields);
    NextReader.Next next = ways.read(fields, typed.type());
    Activity activity = activity(id, fields, typed, next);
    // A fault of the activity keeps the definition from being made, so its draft need not be whole.
    boolean whole = faults.size() == before;
    return new Draft(
        id,
        node.place(),
        typed.type(),
        next.ways(),
        typed.targets(),
        next.vague() || typed.vague(),
        whole ? activity : null);
  }

  private @Nullable Activity activity(
      String id, Fields fields, TypeReader.Typed typed, NextReader.Next next) {
    Template with = expressions.template(typed.with(), BEFORE);
    Node.Struct mapping = fields.struct("output");
    Template output = mapping == null ? null : expressions.template(mapping, AFTER);
    RetryPolicy retry = retry(fields.struct("retry"));
    Duration timeout = fields.duration("timeout", Limits.SHORTEST_TIMEOUT);
    boolean repeatable = fields.truth("repeatable", true);
    fields.checkText("description");
    return with == null || typed.type() == null
        ? null
        : new Activity(
            id,
            typed.type().name(),
            with,
            output,
            next.transitions(),
            retry,
            timeout == null ? Limits.ACTIVITY_TIMEOUT : timeout,
            repeatable);
  }

  /** What is left out comes from the default, bent so that backoff ≤ maxBackoff still holds. */
  private RetryPolicy retry(Node.@Nullable Struct struct) {
    RetryPolicy usual = RetryPolicy.DEFAULT;
    if (struct == null) {
      return usual;
    }
    Fields fields = new Fields(struct, RETRY_FIELDS, faults);
    int attempts = fields.integer("attempts", 1, RetryPolicy.MAX_ATTEMPTS, usual.attempts());
    double jitter = fields.share("jitter", usual.jitter());
    Duration backoff = fields.duration("backoff", Duration.ZERO);
    Duration maxBackoff = fields.duration("maxBackoff", Duration.ZERO);
    Node most = fields.get("maxBackoff");
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
