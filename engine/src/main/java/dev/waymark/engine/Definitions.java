package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.flow.Flow;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Definitions and their versions: deployed, activated, retired, found. */
public final class Definitions {

  private final Deployments deployed;
  private final StoreCalls calls;
  private final Archive archive;
  private final Implementations missing;

  Definitions(Deployments deployed, StoreCalls calls, Archive archive, Implementations missing) {
    this.deployed = deployed;
    this.calls = calls;
    this.archive = archive;
    this.missing = missing;
  }

  /**
   * Checks a definition and stores it as a version of its key. The same text again is the same
   * version.
   *
   * @throws dev.waymark.core.definition.InvalidDefinition with every fault and its path
   */
  public Definition deploy(String text, Caller caller) {
    return deploy(text, true, caller);
  }

  /**
   * The same for a version that new runs do not get before it is activated.
   *
   * @param activate whether new runs get it from now on, if it is a new version
   */
  public Definition deploy(String text, boolean activate, Caller caller) {
    given("text, caller", text, caller);
    String tenant = caller.actor().tenant();
    return deployed.deploy(tenant, text, caller.actor().id(), activate, calls.patience(caller));
  }

  /** New runs that name no version get this one from now on. Also brings a retired one back. */
  public void activate(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    deployed.activate(caller.actor().tenant(), key, version, calls.patience(caller));
  }

  /** No run begins on this version any more; those that have begun stay on it. */
  public void retire(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    deployed.retire(caller.actor().tenant(), key, version, calls.patience(caller));
  }

  /** The versions of a definition, the newest first. */
  public List<DeployedVersion> versions(String key, Caller caller) {
    given("key, caller", key, caller);
    return asked(caller, () -> deployed.versions(caller.actor().tenant(), key));
  }

  /**
   * Deploys a definition that was written in Java, as its text in YAML. Its lambdas must be known
   * to this engine: see {@link EngineBuilder#flow}.
   */
  public Definition deploy(Flow flow, Caller caller) {
    given("flow, caller", flow, caller);
    return deploy(flow.toYaml(), caller);
  }

  public Optional<Definition> find(String key, @Nullable Integer version, Caller caller) {
    given("key, caller", key, caller);
    return asked(
        caller, () -> Optional.ofNullable(deployed.find(caller.actor().tenant(), key, version)));
  }

  /** The definition of an instance, in the version that it runs on now. */
  public Optional<Definition> of(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(caller, () -> Optional.ofNullable(archive.find(caller.actor().tenant(), instance)))
        .map(found -> deployed.byId(found.origin().definition()));
  }

  /** What live runs of any tenant may come to and this process has no code for. */
  public List<MissingActivity> missingActivities() {
    return missing.missing();
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }
}
