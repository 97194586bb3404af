package dev.waymark.engine.internal.body;

import dev.waymark.core.definition.Definition;
import dev.waymark.core.instance.Fault;
import dev.waymark.core.instance.Instance;
import dev.waymark.core.instance.InstanceId;
import dev.waymark.core.step.Attempt;
import dev.waymark.core.step.Command;
import dev.waymark.core.step.Decision;
import dev.waymark.core.step.Step;
import dev.waymark.core.step.StoredFacts;
import dev.waymark.core.step.Unit;
import dev.waymark.core.step.decide.Decider;
import dev.waymark.engine.activity.ActivityContext;
import dev.waymark.engine.activity.TransactionalActivity;
import dev.waymark.engine.internal.node.ThisNode;
import dev.waymark.engine.internal.node.Trace;
import dev.waymark.engine.internal.row.RowReader;
import dev.waymark.engine.internal.step.Committer;
import dev.waymark.engine.internal.step.DeployedDefinitions;
import dev.waymark.engine.internal.step.Mailboxes;
import dev.waymark.engine.store.CommitResult;
import dev.waymark.engine.store.Load;
import dev.waymark.engine.store.StoreException;
import dev.waymark.engine.store.UnitRows;
import dev.waymark.engine.store.sql.BorrowedConnection;
import java.sql.Connection;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs bodies inside the transactions of their steps: the application's rows and the step commit
 * together.
 *
 * <p>A step that loses a race is rolled back with the body's rows, and both are done again on the
 * newer state. A failure of the body is a step of its own, after the rollback.
 */
public final class TransactionalBodies {

  private static final Logger log = LoggerFactory.getLogger(TransactionalBodies.class);
  private static final int TRIES = 10;

  private final ThisNode node;
  private final DeployedDefinitions definitions;
  private final RowReader reader;
  private final Committer committer;
  private final Mailboxes mailboxes;
  private final Runnable audit;
  private final Runnable missed;

  /** Ends the transaction without committing it. */
  private static final class RolledBack extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient @Nullable Command failure;
    private final boolean again;

    private RolledBack(@Nullable Command failure, boolean again) {
      super(null, null, false, false);
      this.failure = failure;
      this.again = again;
    }
  }

  /**
   * @param audit finds visits that name this node in the store and do not run here
   * @param missed looks for steps of which this process was not told
   */
  public TransactionalBodies(
      ThisNode node,
      DeployedDefinitions definitions,
      RowReader reader,
      Committer committer,
      Mailboxes mailboxes,
      Runnable audit,
      Runnable missed) {
    this.node = node;
    this.definitions = definitions;
    this.reader = reader;
    this.committer = committer;
    this.mailboxes = mailboxes;
    this.audit = audit;
    this.missed = missed;
  }

  void run(
      BodyCall body,
      TransactionalActivity activity,
      BooleanSupplier mayEnd,
      Consumer<Command> ended) {
    InstanceId instance = body.instance().id();
    long visit = body.visit().visit();
    for (int i = 0; i < TRIES; i++) {
      try {
        Unit unit = node.store().inTransaction(connection -> once(body, activity, connection));
        var unused = mayEnd.getAsBoolean();
        node.scheduler().enter(() -> mailboxes.committedElsewhere(unit));
        return;
      } catch (RolledBack e) {
        if (e.failure != null && mayEnd.getAsBoolean()) {
          ended.accept(e.failure);
        }
        if (!e.again) {
          return;
        }
      } catch (StoreException e) {
        log.warn("Instance {}: the transaction of visit {} broke", instance, visit, e);
        if (e.kind() == StoreException.Kind.PERMANENT) {
          // Nothing was written: a failure of the body like any other, counted and in the end
          // parked.
          if (mayEnd.getAsBoolean()) {
            ended.accept(notStorable(body, e));
          }
        } else {
          // The audit finds out whether it has committed: it looks for visits that name this node
          // and do not run here.
          node.scheduler().execute(audit);
          missed.run();
        }
        return;
      }
    }
    log.warn("Instance {}: visit {} lost {} races in a row", instance, visit, TRIES);
    node.scheduler().execute(audit);
  }

  private Unit once(BodyCall body, TransactionalActivity activity, Connection connection) {
    if (!body.begin(() -> BorrowedConnection.cancel(connection))) {
      throw new RolledBack(null, false);
    }
    try {
      return begun(body, activity, connection);
    } finally {
      body.gaveBack();
    }
  }

  private Unit begun(BodyCall body, TransactionalActivity activity, Connection connection) {
    ActivityContext context = body.context();
    Command command =
        mailboxes.asOfNow(
            body.callJoined(
                () -> activity.execute(context, connection),
                (hashes, until) ->
                    node.store().payloads().keepOn(connection, context.tenant(), hashes, until)));
    if (command instanceof Attempt.Fail) {
      throw new RolledBack(command, false);
    }
    Instance current =
        reader.instance(node.store().loadOn(connection, Load.of(body.instance().id())));
    if (current == null) {
      throw new RolledBack(null, false);
    }
    Definition definition = definitions.byId(current.origin().definition());
    Unit unit = decide(body, definition, current, command);
    CommitResult result = committer.commitOn(connection, node.id(), rows(body, unit));
    return switch (result.outcome()) {
      case COMMITTED -> unit;
      case FAILED -> throw new RolledBack(notStorable(body, result.cause()), false);
      case STALE, BUSY, NOT_SPENDABLE, EXISTS, NODE_NOT_ALIVE -> throw new RolledBack(null, true);
    };
  }

  private Unit decide(BodyCall body, Definition definition, Instance current, Command command) {
    Decision decision;
    try {
      decision = Decider.decide(definition, current, StoredFacts.NONE, command);
    } catch (RuntimeException | StackOverflowError e) {
      throw new RolledBack(notStorable(body, e), false);
    }
    if (!(decision instanceof Step step)) {
      // Superseded: the body's rows must go, and no caller waits for an answer.
      throw new RolledBack(null, false);
    }
    return Unit.of(step);
  }

  private UnitRows rows(BodyCall body, Unit unit) {
    try {
      return committer.rows(unit);
    } catch (RuntimeException | StackOverflowError e) {
      throw new RolledBack(notStorable(body, e), false);
    }
  }

  private static Command notStorable(BodyCall body, @Nullable Throwable cause) {
    String why = cause == null ? "unknown" : Trace.message(cause);
    return body.failure(
        new Fault(
            Fault.Type.ACTIVITY, "NOT_STORABLE", "The transaction cannot commit: " + why, true));
  }
}
