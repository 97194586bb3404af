package dev.waymark.engine;

import static dev.waymark.core.Arguments.given;
import static java.util.Objects.requireNonNull;

import dev.waymark.core.step.Operators;
import dev.waymark.engine.activity.Activity;
import dev.waymark.engine.activity.TransactionalActivity;
import dev.waymark.engine.bookmark.Retention;
import dev.waymark.engine.callback.Secret;
import dev.waymark.engine.flow.Flow;
import dev.waymark.engine.internal.body.ActivityRegistry;
import dev.waymark.engine.internal.lifecycle.Assembly;
import dev.waymark.engine.message.Subscription;
import dev.waymark.engine.queue.Binding;
import dev.waymark.engine.queue.MessageQueue;
import dev.waymark.engine.spi.CrashPoints;
import dev.waymark.engine.spi.DocumentCodec;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.spi.PeopleDirectory;
import dev.waymark.engine.spi.Scheduler;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.task.Notification;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Puts an engine together. Everything has a default except the store. */
public final class EngineBuilder {

  private final Store store;
  private final ActivityRegistry activities = new ActivityRegistry();
  private final List<Subscription> subscriptions = new ArrayList<>();
  private final List<Secret> seals = new ArrayList<>();
  private final Map<String, Secret> senders = new HashMap<>();
  private final Map<Binding, MessageQueue> queues = new LinkedHashMap<>();
  private Settings settings = Settings.DEFAULT;
  private @Nullable Scheduler scheduler;
  private @Nullable InstantSource clock;
  private @Nullable IdSource ids;
  private DocumentCodec codec = DocumentCodec.IDENTITY;
  private CrashPoints crash = CrashPoints.NONE;
  private String name = "node";
  private PeopleDirectory directory = PeopleDirectory.NONE;
  private Retention retention = Retention.DEFAULT;
  private Operators operators = Operators.DEFAULT;

  EngineBuilder(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** The code that runs at activities of this type. */
  public EngineBuilder activity(String type, Activity activity) {
    given("type, activity", type, activity);
    activities.add(type, activity);
    return this;
  }

  /** The code that runs at activities of this type, in the transaction of its step. */
  public EngineBuilder transactionalActivity(String type, TransactionalActivity activity) {
    given("type, activity", type, activity);
    activities.add(type, activity);
    return this;
  }

  /** The lambdas of a flow; the flow itself is deployed like a text. */
  public EngineBuilder flow(Flow flow) {
    given("flow", flow);
    flow.bodies().forEach(activities::add);
    flow.transactionalBodies().forEach(activities::add);
    return this;
  }

  /** Listens to events, durably under this name. */
  public EngineBuilder subscribe(
      String subscription, Predicate<String> types, Subscription.Listener listener) {
    given("subscription, types, listener", subscription, types, listener);
    subscriptions.add(new Subscription(subscription, types, listener));
    return this;
  }

  /** The channel that notifications go to, durably under this name. */
  public EngineBuilder notifications(String subscription, Notification.Channel channel) {
    given("subscription, channel", subscription, channel);
    return subscribe(
        subscription, Notification.TYPE::equals, event -> Notification.of(event).through(channel));
  }

  /** A queue whose deliveries become messages for runs. */
  public EngineBuilder queue(MessageQueue queue, Binding binding) {
    given("queue, binding", queue, binding);
    queues.put(binding, queue);
    return this;
  }

  /**
   * The secrets that callback tokens are sealed with. The first seals new ones, all are known: to
   * change a key, put the new one in front and leave the old one until its tokens are used.
   */
  public EngineBuilder callbackSecrets(Secret... secrets) {
    given("secrets", (Object) secrets);
    seals.addAll(List.of(secrets));
    return this;
  }

  /** A secret that a partner signs its callbacks with. */
  public EngineBuilder senderSecret(Secret secret) {
    given("secret", secret);
    senders.put(secret.name(), secret);
    return this;
  }

  /** Sets the application's knowledge about its people: the members of groups, and substitutes. */
  public EngineBuilder directory(PeopleDirectory given) {
    given("directory", given);
    directory = requireNonNull(given, "directory");
    return this;
  }

  /** The time that closed waits are kept. */
  public EngineBuilder retention(Retention given) {
    given("retention", given);
    retention = requireNonNull(given, "retention");
    return this;
  }

  /**
   * The roles that mark an operator, the resolvers of interventions, and the times at which
   * interventions go to a higher level. All nodes of one database should say the same.
   */
  public EngineBuilder operators(Operators given) {
    given("operators", given);
    operators = requireNonNull(given, "operators");
    return this;
  }

  public EngineBuilder settings(Settings newSettings) {
    given("newSettings", newSettings);
    settings = newSettings;
    return this;
  }

  /** Runs bodies only when {@link Instances#runStep} is called. */
  public EngineBuilder stepByStep() {
    settings = settings.stepByStep();
    return this;
  }

  /** A clock to be used as it is; without one the engine follows the database's. */
  public EngineBuilder clock(InstantSource source) {
    given("source", source);
    clock = source;
    return this;
  }

  public EngineBuilder ids(IdSource source) {
    given("source", source);
    ids = source;
    return this;
  }

  public EngineBuilder scheduler(Scheduler given) {
    given("scheduler", given);
    scheduler = given;
    return this;
  }

  public EngineBuilder codec(DocumentCodec given) {
    given("codec", given);
    codec = given;
    return this;
  }

  public EngineBuilder crashPoints(CrashPoints points) {
    given("points", points);
    crash = points;
    return this;
  }

  /** The name by which operators know this process. */
  public EngineBuilder name(String given) {
    given("name", given);
    name = given;
    return this;
  }

  /** Brings the schema up to date, joins the other nodes and begins to work. */
  public Engine start() {
    return Assembly.start(
        new Assembly.EngineOptions(
            store,
            activities,
            List.copyOf(subscriptions),
            new Assembly.Secrets(List.copyOf(seals), Map.copyOf(senders)),
            new LinkedHashMap<>(queues),
            new Assembly.Policies(name, settings, directory, retention, operators, codec),
            new Assembly.Seams(scheduler, clock, ids, crash)));
  }
}
