package dev.waymark.engine;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.flow.Flow;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Definitions and their versions: deployed, activated, retired, found. */
public interface Definitions {

  /**
   * Checks a definition and stores it as a version of its key. The same text again is the same
   * version.
   *
   * @throws dev.waymark.core.definition.text.InvalidDefinition with every fault and its path
   */
  Definition deploy(String text, Caller caller);

  /**
   * The same for a version that new runs do not get before it is activated.
   *
   * @param activate whether new runs get it from now on, if it is a new version
   */
  Definition deploy(String text, boolean activate, Caller caller);

  /** New runs that name no version get this one from now on. Also brings a retired one back. */
  void activate(String key, int version, Caller caller);

  /** No run begins on this version any more; those that have begun stay on it. */
  void retire(String key, int version, Caller caller);

  /** The versions of a definition, the newest first. */
  List<DeployedVersion> versions(String key, Caller caller);

  /**
   * Deploys a definition that was written in Java, as its text in YAML. Its lambdas must be known
   * to this engine: see {@link EngineBuilder#flow}.
   */
  Definition deploy(Flow flow, Caller caller);

  Optional<Definition> find(String key, @Nullable Integer version, Caller caller);

  /** The definition of an instance, in the version that it runs on now. */
  Optional<Definition> of(InstanceId instance, Caller caller);

  /**
   * The activity types that live runs of any tenant may come to and this process has no code for.
   */
  List<MissingActivity> missingActivities();
}
