package dev.waymark.engine.internal.request;

import dev.waymark.core.diagram.Svg;
import dev.waymark.core.explain.Explainer;
import dev.waymark.core.explain.Explanation;
import dev.waymark.core.explain.Explanation.Unreceived;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Operators;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.store.Inbox;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Explains why instances, and the children that they wait for, stand where they stand. */
public final class Explanations {

  /** The number of levels of children that an explanation goes into by itself. */
  private static final int DEPTH = 5;

  /** The highest number of unreceived messages that an explanation shows. */
  private static final int UNRECEIVED = 20;

  private final ThisNode node;
  private final DeployedDefinitions definitions;
  private final Operators operators;
  private final InstanceQueries queries;

  public Explanations(
      ThisNode node,
      DeployedDefinitions definitions,
      Operators operators,
      InstanceQueries queries) {
    this.node = node;
    this.definitions = definitions;
    this.operators = operators;
    this.queries = queries;
  }

  @Nullable Explanation of(String tenant, InstanceId instance) {
    return of(tenant, instance, DEPTH);
  }

  private @Nullable Explanation of(String tenant, InstanceId instance, int depth) {
    Instance found = queries.find(tenant, instance);
    if (found == null) {
      return null;
    }
    Explanation own =
        Explainer.explain(
            definitions.byId(found.origin().definition()),
            found,
            node.now(),
            operators,
            SuggestedCalls::of);
    List<Explanation> children = new ArrayList<>();
    for (Explanation.Reason reason : own.reasons()) {
      if (reason.child() != null && depth > 0) {
        Explanation child = of(tenant, reason.child(), depth - 1);
        if (child != null) {
          children.add(child);
        }
      }
    }
    return new Explanation(
        own.instance(),
        own.status(),
        own.summary(),
        own.reasons(),
        unreceived(tenant, instance),
        children);
  }

  /** The engine's own messages are on their way and tell a reader nothing. */
  private List<Unreceived> unreceived(String tenant, InstanceId instance) {
    return node
        .store()
        .inbox()
        .waitingFor(tenant, instance, Inbox.Place.START, UNRECEIVED)
        .rows()
        .stream()
        .filter(row -> !row.name().startsWith("$"))
        .map(row -> new Unreceived(row.name(), row.sender(), row.received()))
        .toList();
  }

  /** An SVG image of where an instance stands in its definition, and of its way there. */
  String diagram(Instance found) {
    return Svg.of(
        definitions.byId(found.origin().definition()), found, queries.completed(found.id()));
  }
}
