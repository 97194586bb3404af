package dev.waymark.engine.internal.request;

import dev.waymark.core.definition.Activity;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.kind.Kinds;
import dev.waymark.engine.MissingActivity;
import dev.waymark.engine.internal.body.ActivityRegistry;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.StoredInstances.LiveCount;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks whether this process can run what live instances may come to. */
public final class MissingActivities {

  private static final Logger log = LoggerFactory.getLogger(MissingActivities.class);
  private static final int SHOWN = 20;

  private final ThisNode node;
  private final DeployedDefinitions definitions;
  private final ActivityRegistry activities;

  public MissingActivities(
      ThisNode node, DeployedDefinitions definitions, ActivityRegistry activities) {
    this.node = node;
    this.definitions = definitions;
    this.activities = activities;
  }

  /** Logs the missing activities when a process starts; its work begins all the same. */
  public void report() {
    try {
      missing().forEach(one -> log.warn("{}", one));
    } catch (RuntimeException e) {
      log.warn("Could not look for missing activities", e);
    }
  }

  List<MissingActivity> missing() {
    Set<String> builtIn =
        Kinds.builtIn().stream().map(kind -> kind.name()).collect(Collectors.toSet());
    List<MissingActivity> missing = new ArrayList<>();
    for (LiveCount live : node.store().instances().liveByDefinition()) {
      Definition definition = readable(live.definition());
      if (definition == null) {
        continue;
      }
      Set<String> types = new TreeSet<>();
      for (Activity activity : definition.activities().values()) {
        if (!builtIn.contains(activity.type()) && activities.find(activity.type()) == null) {
          types.add(activity.type());
        }
      }
      if (!types.isEmpty()) {
        List<InstanceId> first = first(live.definition());
        types.forEach(
            type ->
                missing.add(
                    new MissingActivity(
                        definition.key(), definition.version(), type, live.instances(), first)));
      }
    }
    return missing;
  }

  /** Absent if this process cannot read it; operators see it among the unreadable rows. */
  private @Nullable Definition readable(long id) {
    try {
      return definitions.byId(id);
    } catch (RuntimeException e) {
      if (StoreException.isPassing(e)) {
        throw e;
      }
      return null;
    }
  }

  private List<InstanceId> first(long definition) {
    DefinitionRow row = node.store().definitions().byId(definition);
    return row == null
        ? List.of()
        : node.store().instances().live(row.tenant(), definition, null, SHOWN);
  }
}
