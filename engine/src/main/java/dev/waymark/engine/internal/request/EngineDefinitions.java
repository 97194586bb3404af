package dev.waymark.engine.internal.request;

import static dev.waymark.core.Arguments.given;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.engine.Caller;
import dev.waymark.engine.Definitions;
import dev.waymark.engine.DeployedVersion;
import dev.waymark.engine.MissingActivity;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Deploys and finds definitions for callers. */
public final class EngineDefinitions implements Definitions {

  private final DeployedDefinitions deployed;
  private final StoreCalls calls;
  private final InstanceQueries queries;
  private final MissingActivities missing;

  public EngineDefinitions(
      DeployedDefinitions deployed,
      StoreCalls calls,
      InstanceQueries queries,
      MissingActivities missing) {
    this.deployed = deployed;
    this.calls = calls;
    this.queries = queries;
    this.missing = missing;
  }

  @Override
  public Definition deploy(String text, Caller caller) {
    return deploy(text, true, caller);
  }

  @Override
  public Definition deploy(String text, boolean activate, Caller caller) {
    given("text, caller", text, caller);
    String tenant = caller.actor().tenant();
    return deployed.deploy(tenant, text, caller.actor().id(), activate, calls.patience(caller));
  }

  @Override
  public void activate(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    deployed.activate(caller.actor().tenant(), key, version, calls.patience(caller));
  }

  @Override
  public void retire(String key, int version, Caller caller) {
    given("key, caller", key, caller);
    deployed.retire(caller.actor().tenant(), key, version, calls.patience(caller));
  }

  @Override
  public List<DeployedVersion> versions(String key, Caller caller) {
    given("key, caller", key, caller);
    return asked(caller, () -> deployed.versions(caller.actor().tenant(), key));
  }

  @Override
  public Definition deploy(Flow flow, Caller caller) {
    given("flow, caller", flow, caller);
    return deploy(flow.toYaml(), caller);
  }

  @Override
  public Optional<Definition> find(String key, @Nullable Integer version, Caller caller) {
    given("key, caller", key, caller);
    return asked(
        caller, () -> Optional.ofNullable(deployed.find(caller.actor().tenant(), key, version)));
  }

  @Override
  public Optional<Definition> of(InstanceId instance, Caller caller) {
    given("instance, caller", instance, caller);
    return asked(
        caller,
        () ->
            Optional.ofNullable(queries.find(caller.actor().tenant(), instance))
                .map(found -> deployed.byId(found.origin().definition())));
  }

  @Override
  public List<MissingActivity> missingActivities() {
    return calls.read(missing::missing);
  }

  private <T> T asked(Caller caller, Supplier<T> question) {
    return calls.patience(caller).read(question);
  }
}
