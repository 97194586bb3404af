package dev.waymark.engine.internal.message;

import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.MessageStart;
import dev.waymark.core.instance.Actor;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.instance.Message;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.Unit;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.row.RowWriter;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.PendingCommand.Outcome;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.message.Messages;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.Page;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Begins runs with messages that no run waits for.
 *
 * <p>The run's id derives from the message, and its first step spends it: so one message begins one
 * run, however many nodes find it. Of several definitions that want it, the first by key gets it
 * whose {@code match} and {@code input} it fits. A message that fits none goes on waiting. So does
 * one that would begin a second run under a business key: until the first run waits for it, or
 * ends.
 */
public final class MessageStarts {

  private static final Logger log = LoggerFactory.getLogger(MessageStarts.class);

  private final ThisNode node;
  private final EngineCommands commands;
  private final DeployedDefinitions definitions;
  private final RowReader reader;
  private final RowWriter writer;
  private final UnreadableRows unreadable;

  public MessageStarts(
      ThisNode node,
      EngineCommands commands,
      DeployedDefinitions definitions,
      RowReader reader,
      RowWriter writer,
      UnreadableRows unreadable) {
    this.node = node;
    this.commands = commands;
    this.definitions = definitions;
    this.reader = reader;
    this.writer = writer;
    this.unreadable = unreadable;
  }

  /** These messages were stored, and no instance was found that waits for them. */
  CompletableFuture<Boolean> look(Collection<Message.Key> messages) {
    // No statement where no definition begins with messages, which is nearly everywhere.
    Set<Message.Key> wanted =
        messages.stream()
            .filter(key -> !definitions.starters(key.tenant()).isEmpty())
            .collect(Collectors.toCollection(HashSet::new));
    if (wanted.isEmpty()) {
      return CompletableFuture.completedFuture(true);
    }
    Pages<MessageRow> pages =
        () -> {
          Page<MessageRow> page = node.store().starts().free(wanted);
          page.forEach(row -> wanted.remove(row.key()));
          return page;
        };
    return PagedLook.untilRead(node.scheduler(), pages, this::begin);
  }

  /** Runs of these tenants have left business keys, which messages may have waited for. */
  CompletableFuture<Boolean> freed(Set<String> tenants) {
    Map<String, Set<String>> names = new HashMap<>();
    for (String tenant : tenants) {
      Set<String> keyed =
          definitions.starters(tenant).stream()
              .flatMap(definition -> definition.starts().stream())
              .filter(start -> start.businessKey() != null)
              .map(MessageStart::name)
              .collect(Collectors.toSet());
      if (!keyed.isEmpty()) {
        names.put(tenant, keyed);
      }
    }
    return PagedLook.untilRead(node.scheduler(), free(names), this::begin);
  }

  /**
   * The full look: messages that a crash has left, and messages that were kept until a definition
   * wants them. Completes when the starts for all of them have an outcome.
   */
  CompletableFuture<Boolean> sweep() {
    Map<String, Set<String>> names =
        definitions.starters().stream()
            .collect(
                Collectors.groupingBy(
                    DeployedDefinitions.Starter::tenant,
                    Collectors.flatMapping(
                        starter -> starter.definition().starts().stream().map(MessageStart::name),
                        Collectors.toSet())));
    return PagedLook.untilEnded(node.scheduler(), free(names), this::begin);
  }

  /**
   * Free messages, one tenant after another.
   *
   * @param names of the messages, by tenant
   */
  private Pages<MessageRow> free(Map<String, Set<String>> names) {
    return Pages.oneAfterAnother(
        names.entrySet().stream().map(entry -> free(entry.getKey(), entry.getValue())).iterator());
  }

  private Pages<MessageRow> free(String tenant, Set<String> names) {
    return Pages.behind(
        Place.startOf(tenant),
        after -> node.store().starts().free(tenant, names, after, Limits.MESSAGES_PER_PAGE),
        Place::of);
  }

  private void begin(MessageRow row, Runnable ended) {
    Message message = unreadable.readOne(RowKind.MESSAGE, row, reader::message);
    if (message == null) {
      ended.run();
      return;
    }
    for (Definition definition : definitions.starters(row.key().tenant())) {
      Fit fit =
          isNamed(definition, message)
              ? unreadable.readOne(RowKind.MESSAGE, row, any -> fit(definition, message))
              : null;
      if (fit instanceof Fit.Begins(String businessKey)) {
        begin(definition, message, businessKey, ended);
        return;
      }
    }
    ended.run();
  }

  private void begin(
      Definition definition, Message message, @Nullable String businessKey, Runnable ended) {
    Command.Start start = start(message, businessKey);
    commands.post(
        start.instance(),
        new PendingCommand(
            start,
            definition,
            null,
            outcome -> {
              hear(definition, message, outcome);
              ended.run();
            }));
  }

  private static InstanceId run(Message message, @Nullable String businessKey) {
    String key = businessKey == null ? message.correlation() : businessKey;
    return InstanceId.begunBy(message.key(), message.received())
        .routedBy(message.key().tenant(), key);
  }

  private Command.Start start(Message message, @Nullable String businessKey) {
    InstanceId run = run(message, businessKey);
    String tenant = message.key().tenant();
    Command.Meta meta = commands.metaHere(tenant, "begin:" + run);
    return new Command.Start(
        new Command.Meta(meta.id(), Actor.engine(tenant), meta.at(), null, null, null),
        run,
        message.payload(),
        businessKey,
        message.correlation(),
        Map.of(),
        Command.Start.Request.of(message));
  }

  // A fault of the world is covered by the next full look, as a crash is. A run that has the key
  // is nothing to warn of: the message waits for it, or for its end.
  private static void hear(Definition definition, Message message, Outcome outcome) {
    if (outcome.decision() instanceof Rejection rejection
        && rejection.code() != Rejection.Code.KEY_TAKEN) {
      log.warn("Message {} begins no {}: {}", message.key(), definition, rejection.message());
    }
  }

  private static boolean isNamed(Definition definition, Message message) {
    return definition.starts().stream().anyMatch(start -> start.name().equals(message.name()));
  }

  /** The result of trying a message on a definition that begins with messages of its name. */
  private sealed interface Fit {

    record Begins(@Nullable String businessKey) implements Fit {}

    record Refuses(String why) implements Fit {}
  }

  private static Fit fit(Definition definition, Message message) {
    List<String> refusals = new ArrayList<>();
    for (MessageStart start : definition.starts()) {
      if (start.name().equals(message.name())) {
        String refusal = start.refusal(message.payload());
        if (refusal == null) {
          return fit(definition, start, message);
        }
        refusals.add(refusal);
      }
    }
    return new Fit.Refuses(String.join("; ", refusals));
  }

  private static Fit fit(Definition definition, MessageStart start, Message message) {
    Rejection input = Decider.refusal(definition, message.payload());
    if (input != null) {
      return new Fit.Refuses(input.message());
    }
    try {
      return new Fit.Begins(start.keyOf(message.payload(), message.correlation()));
    } catch (IllegalArgumentException e) {
      return new Fit.Refuses(String.valueOf(e.getMessage()));
    }
  }

  /**
   * The definitions that begin with messages of this name, and the reasons why this one begins none
   * of them.
   */
  List<Messages.NotBegun> notBegun(Message.Key key) {
    List<Messages.NotBegun> refused = new ArrayList<>();
    for (MessageRow row : node.store().starts().free(List.of(key))) {
      Message message = reader.message(row);
      for (Definition definition : definitions.starters(key.tenant())) {
        String refusal = isNamed(definition, message) ? refusal(definition, message) : null;
        if (refusal != null) {
          refused.add(new Messages.NotBegun(definition.key(), definition.version(), refusal));
        }
      }
    }
    return refused;
  }

  private @Nullable String refusal(Definition definition, Message message) {
    return switch (fit(definition, message)) {
      case Fit.Refuses refuses -> refuses.why();
      case Fit.Begins begins -> {
        String taken = begins.businessKey() == null ? null : taken(begins.businessKey(), message);
        yield taken == null ? tooMuch(definition, message, begins.businessKey()) : taken;
      }
    };
  }

  /** The reason why the run that a message would begin cannot be stored; absent if it can. */
  private @Nullable String tooMuch(
      Definition definition, Message message, @Nullable String businessKey) {
    Command start = commands.asOfNow(start(message, businessKey));
    try {
      if (Decider.decide(definition, null, StoredFacts.NONE, start) instanceof Step step) {
        var unused = writer.write(Unit.of(step));
      }
      return null;
    } catch (RuntimeException | StackOverflowError e) {
      return "Expected a run that can be stored, but: " + Trace.message(e);
    }
  }

  /** The refusal that names the run that has the key; absent if none has. */
  private @Nullable String taken(String businessKey, Message message) {
    InstanceId run = run(message, businessKey);
    Load question = new Load(run, message.key().tenant(), null, null, null, businessKey);
    InstanceId holder = node.store().load(List.of(question)).get(0).keyHolder();
    return holder == null ? null : Rejection.keyTaken(businessKey, holder).message();
  }
}
