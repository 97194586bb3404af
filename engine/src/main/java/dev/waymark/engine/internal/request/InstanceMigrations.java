package dev.waymark.engine.internal.request;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Decision.NoChange;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.engine.Caller;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.MigrationReport;
import dev.waymark.engine.MigrationRequest;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.node.StoreCalls;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.EngineCommands;
import dev.waymark.engine.internal.step.PendingCommand;
import dev.waymark.engine.internal.step.UnreadableRows;
import dev.waymark.engine.spi.IdSource;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows.InstanceRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Moves runs from one version of a definition to another, page by page, each in one step of its
 * own.
 *
 * <p>A run that has moved is no longer among those to be moved, so a migration that a crash has cut
 * off is finished by asking for it again. A dry run decides exactly as the real one would, and
 * commits nothing.
 */
public final class InstanceMigrations {

  /** Instances named for each reason. */
  static final int LISTED = 1_000;

  private static final int PAGE = 500;
  private static final Duration PAGE_TIMEOUT = Duration.ofMinutes(5);

  private static final NoChange GONE = new NoChange("The instance is gone", 0);

  private final ThisNode node;
  private final StoreCalls calls;
  private final EngineCommands commands;
  private final DeployedDefinitions definitions;
  private final RowReader reader;
  private final UnreadableRows unreadable;
  private final IdSource ids;

  public InstanceMigrations(
      ThisNode node,
      StoreCalls calls,
      EngineCommands commands,
      DeployedDefinitions definitions,
      RowReader reader,
      UnreadableRows unreadable,
      IdSource ids) {
    this.node = node;
    this.calls = calls;
    this.commands = commands;
    this.definitions = definitions;
    this.reader = reader;
    this.unreadable = unreadable;
    this.ids = ids;
  }

  MigrationReport check(MigrationRequest request, Caller caller) {
    return run(request, caller, this::decideAll, report -> {});
  }

  MigrationReport migrate(
      MigrationRequest request, Caller caller, Consumer<MigrationReport> progress) {
    return run(request, caller, this::commitAll, progress);
  }

  /** Decides on a page of instances, in their order. */
  private interface Judge {
    List<Decision> judge(List<InstanceId> page, Command.Migrate command, Patience patience);
  }

  private MigrationReport run(
      MigrationRequest request, Caller caller, Judge judge, Consumer<MigrationReport> progress) {
    String tenant = caller.actor().tenant();
    Patience stated = calls.patience(caller);
    Definition from = stated.read(() -> version(tenant, request.key(), request.from()));
    Definition to = stated.read(() -> version(tenant, request.key(), request.to()));
    Command.Meta meta =
        new Command.Meta(
            "migrate:" + ids.next(), caller.actor(), node.now(), null, caller.traceParent(), null);
    Command.Migrate command = new Command.Migrate(meta, from, to, request.plan());
    MigrationTally tally = new MigrationTally();
    InstanceId after = null;
    while (true) {
      // A caller that says how long it waits says so for all pages together.
      Patience patience = caller.timeout() == null ? calls.patience(PAGE_TIMEOUT) : stated;
      InstanceId last = after;
      List<InstanceId> page =
          patience.read(() -> node.store().instances().live(tenant, from.id(), last, PAGE));
      if (page.isEmpty()) {
        return tally.report();
      }
      List<Decision> decisions = judge.judge(page, command, patience);
      for (int i = 0; i < page.size(); i++) {
        tally.add(page.get(i), decisions.get(i));
      }
      progress.accept(tally.report());
      after = page.get(page.size() - 1);
    }
  }

  private Definition version(String tenant, String key, int version) {
    Definition definition = definitions.find(tenant, key, version);
    if (definition == null) {
      throw new CommandRefused(
          new Rejection(
              Rejection.Code.NOT_FOUND,
              "Expected a deployed version, but '%s' has no version %d".formatted(key, version),
              List.of()));
    }
    return definition;
  }

  private List<Decision> decideAll(
      List<InstanceId> page, Command.Migrate command, Patience patience) {
    return patience.read(() -> decisions(page, command));
  }

  private List<Decision> decisions(List<InstanceId> page, Command.Migrate command) {
    List<Decision> decisions = new ArrayList<>(page.size());
    List<Load> questions = page.stream().map(Load::of).toList();
    List<Load.Answer> answers = node.store().loadTogether(questions);
    for (int i = 0; i < answers.size(); i++) {
      Load.Answer answer = answers.get(i);
      if (answer.left()) {
        answer = node.store().load(List.of(questions.get(i))).get(0);
      }
      InstanceRow row = answer.instance();
      decisions.add(row == null ? GONE : decide(row, answer, command));
    }
    return decisions;
  }

  private Decision decide(InstanceRow row, Load.Answer answer, Command.Migrate command) {
    try {
      Instance instance = reader.instance(answer);
      return instance == null
          ? GONE
          : Decider.decide(
              definitions.byId(instance.origin().definition()),
              instance,
              StoredFacts.NONE,
              command);
    } catch (RuntimeException e) {
      if (StoreException.isPassing(e)) {
        throw e;
      }
      unreadable.put(RowKind.INSTANCE, row, e);
      return cannotBeRead(e);
    }
  }

  /** One run that cannot be read is an obstacle like any other; those behind it are moved. */
  private static Rejection cannotBeRead(@Nullable Throwable why) {
    return new Rejection(
        Rejection.Code.CANNOT_MIGRATE,
        "Expected a run that can be read, but " + (why == null ? "it cannot" : why.getMessage()),
        List.of());
  }

  private List<Decision> commitAll(
      List<InstanceId> page, Command.Migrate command, Patience patience) {
    return patience.await(() -> committed(page, command));
  }

  private CompletableFuture<List<Decision>> committed(
      List<InstanceId> page, Command.Migrate command) {
    List<CompletableFuture<Decision>> answers = new ArrayList<>(page.size());
    for (InstanceId instance : page) {
      CompletableFuture<Decision> answer = new CompletableFuture<>();
      answers.add(answer);
      commands.post(
          instance, PendingCommand.internal(command, outcome -> complete(answer, outcome)));
    }
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(done -> answers.stream().map(CompletableFuture::resultNow).toList());
  }

  private static void complete(CompletableFuture<Decision> answer, PendingCommand.Outcome outcome) {
    if (outcome.decision() != null) {
      answer.complete(outcome.decision());
    } else if (StoreException.isPassing(outcome.fault())) {
      answer.completeExceptionally(EngineException.unwrap(outcome.fault()));
    } else {
      answer.complete(cannotBeRead(outcome.fault()));
    }
  }

  /** The counts of a migration so far. */
  private static final class MigrationTally {
    private long examined;
    private long moved;
    private long gone;
    private final Map<String, List<InstanceId>> instances = new LinkedHashMap<>();
    private final Map<String, Long> counts = new LinkedHashMap<>();

    void add(InstanceId instance, @Nullable Decision decision) {
      examined++;
      switch (decision) {
        case Step step -> moved++;
        case NoChange no -> gone++;
        case Rejection rejection -> {
          counts.merge(rejection.message(), 1L, Long::sum);
          List<InstanceId> listed =
              instances.computeIfAbsent(rejection.message(), reason -> new ArrayList<>());
          if (listed.size() < LISTED) {
            listed.add(instance);
          }
        }
        case null -> throw new IllegalStateException("Expected a decision, but got none");
      }
    }

    MigrationReport report() {
      List<MigrationReport.Obstacle> obstacles = new ArrayList<>();
      counts.forEach(
          (reason, count) ->
              obstacles.add(
                  new MigrationReport.Obstacle(
                      reason, count, List.copyOf(instances.getOrDefault(reason, List.of())))));
      return new MigrationReport(examined, moved, gone, obstacles);
    }
  }
}
