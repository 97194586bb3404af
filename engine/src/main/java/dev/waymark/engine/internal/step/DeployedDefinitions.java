package dev.waymark.engine.internal.step;

import dev.waymark.core.Ids;
import dev.waymark.core.Limits;
import dev.waymark.core.definition.Definition;
import dev.waymark.core.definition.MessageStart;
import dev.waymark.core.definition.read.DefinitionParser;
import dev.waymark.core.step.Decision.Rejection;
import dev.waymark.engine.CommandRefused;
import dev.waymark.engine.DeployedVersion;
import dev.waymark.engine.EngineException;
import dev.waymark.engine.internal.node.Patience;
import dev.waymark.engine.internal.row.RowKind;
import dev.waymark.engine.store.Store;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.StoredDefinitions.Text;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Definitions as they run: read from the store once, compiled, and kept. They never change. */
public final class DeployedDefinitions {

  private static final Logger log = LoggerFactory.getLogger(DeployedDefinitions.class);

  private static final int MAX_VERSIONS = 1_000;
  public static final Duration NEWEST_FOR = Duration.ofSeconds(1);

  private final Store store;
  private final DefinitionParser parser;
  private final DefinitionParser deployed;
  private final InstantSource clock;
  private final UnreadableRows unreadable;
  private final ConcurrentMap<Long, Definition> compiled = new ConcurrentHashMap<>();
  private final ConcurrentMap<DefinitionName, Newest> newest = new ConcurrentHashMap<>();

  private final ConcurrentMap<String, Starters> starters = new ConcurrentHashMap<>();
  private final Runnable startersChanged;

  /**
   * Counts the changes that this node has made. What the store answers to a question from before a
   * change may be older than the change, and is not kept.
   */
  private final AtomicLong changes = new AtomicLong();

  /** Definitions as a caller's transaction reads them. */
  public interface JoinedRows {

    @Nullable DefinitionRow byId(long id);

    @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version);
  }

  private record Starters(List<Definition> definitions, Instant seen) {}

  private record DefinitionName(String tenant, String key) {}

  private record Newest(Definition definition, Instant seen) {}

  /**
   * @param startersChanged run when other messages than before may begin runs
   */
  public DeployedDefinitions(
      Store store,
      DefinitionParser parser,
      InstantSource clock,
      UnreadableRows unreadable,
      Runnable startersChanged) {
    this.store = store;
    this.parser = parser;
    this.deployed = parser.ofDeployed();
    this.clock = clock;
    this.unreadable = unreadable;
    this.startersChanged = startersChanged;
  }

  // The same text again is the same version, so a repeat after a lost answer does no harm.
  public Definition deploy(
      String tenant, String text, String by, boolean activate, Patience patience) {
    Definition checked = parser.parse(text);
    checked.warnings().forEach(warning -> log.warn("Definition '{}': {}", checked.key(), warning));
    Text given =
        new Text(
            tenant,
            checked.key(),
            Ids.fingerprint(text),
            text,
            checked.starts().stream().map(MessageStart::name).distinct().toList());
    DefinitionRow row = patience.call(again -> store.definitions().deploy(given, by, activate));
    changed(tenant, checked.key(), patience);
    return compiled.computeIfAbsent(row.id(), id -> checked.deployedAs(id, row.version()));
  }

  public Definition byId(long id) {
    Definition known = compiled.get(id);
    if (known != null) {
      return known;
    }
    return readable(id, store.definitions().byId(id));
  }

  /**
   * The same in a caller's transaction: a version that is not known yet is read on its connection.
   */
  public Definition byId(long id, JoinedRows rows) {
    Definition known = compiled.get(id);
    return known != null ? known : readable(id, rows.byId(id));
  }

  private Definition readable(long id, @Nullable DefinitionRow row) {
    if (row == null) {
      throw new EngineException(
          "Expected definition " + id + " in the store, but it is gone", null);
    }
    return readable(row);
  }

  public @Nullable Definition find(String tenant, String key, @Nullable Integer version) {
    DefinitionRow row = store.definitions().find(tenant, checked(key), version);
    return row == null ? null : readable(row);
  }

  /**
   * The version that a start without one gets. Another node's deployment is seen within {@link
   * #NEWEST_FOR}; asking the store for every start would cost a statement each.
   */
  @Nullable Definition newest(String tenant, String key) {
    DefinitionName name = new DefinitionName(tenant, key);
    Newest known = newest.get(name);
    Instant now = clock.instant();
    if (known != null && isFresh(known.seen(), now)) {
      return known.definition();
    }
    if (known != null && !newest.replace(name, known, new Newest(known.definition(), now))) {
      // Another thread asks the store already. Without this, all starts of that moment would ask.
      return known.definition();
    }
    long before = changes.get();
    Definition found = find(tenant, key, null);
    if (found != null) {
      newest.compute(name, (same, kept) -> changes.get() == before ? new Newest(found, now) : kept);
    }
    return found;
  }

  /** True if {@link #newest} would answer without asking the store. */
  public boolean knowsNewest(String tenant, String key) {
    Newest known = newest.get(new DefinitionName(tenant, key));
    return known != null && isFresh(known.seen(), clock.instant());
  }

  /**
   * True if it was seen less than {@code NEWEST_FOR} ago. A moment later than now is from before
   * the clock was set back: its age is not known.
   */
  private static boolean isFresh(Instant seen, Instant now) {
    return !seen.isAfter(now) && now.isBefore(seen.plus(NEWEST_FOR));
  }

  public void activate(String tenant, String key, int version, Patience patience) {
    String name = checked(key);
    boolean found = patience.call(again -> store.definitions().activate(tenant, name, version));
    found(found, tenant, key, version, patience);
  }

  public void retire(String tenant, String key, int version, Patience patience) {
    String name = checked(key);
    boolean found = patience.call(again -> store.definitions().retire(tenant, name, version));
    found(found, tenant, key, version, patience);
  }

  private void found(boolean found, String tenant, String key, int version, Patience patience) {
    if (!found) {
      throw refused(
          Rejection.Code.NOT_FOUND,
          "Expected a deployed version, but '%s' has no version %d".formatted(key, version));
    }
    changed(tenant, key, patience);
  }

  private void changed(String tenant, String key, Patience patience) {
    changes.incrementAndGet();
    newest.remove(new DefinitionName(tenant, key));
    starters.remove(tenant);
    if (!patience.read(() -> starters(tenant)).isEmpty()) {
      startersChanged.run();
    }
  }

  /**
   * The tenant's active definitions that begin with messages, by key, without those that this node
   * cannot read. As with {@link #newest}, what another node deploys is seen within {@link
   * #NEWEST_FOR}.
   */
  public List<Definition> starters(String tenant) {
    Starters known = starters.get(tenant);
    Instant now = clock.instant();
    if (known != null && isFresh(known.seen(), now)) {
      return known.definitions();
    }
    if (known != null && !starters.replace(tenant, known, new Starters(known.definitions(), now))) {
      return known.definitions();
    }
    long before = changes.get();
    List<Definition> found =
        unreadable.read(
            RowKind.DEFINITION, store.starts().definitions(tenant, Limits.STARTERS), this::compile);
    starters.compute(
        tenant, (same, kept) -> changes.get() == before ? new Starters(found, now) : kept);
    return found;
  }

  /** A definition that begins with messages, and whose it is. */
  public record Starter(String tenant, Definition definition) {}

  /** The active versions of all tenants, as they are in the store. */
  public List<Starter> starters() {
    return unreadable.read(
        RowKind.DEFINITION,
        store.starts().definitions(null, Limits.STARTERS),
        row -> new Starter(row.tenant(), compile(row)));
  }

  private static String checked(String key) {
    return Limits.name("a definition's key", key);
  }

  private static CommandRefused refused(Rejection.Code code, String message) {
    return new CommandRefused(new Rejection(code, message, List.of()));
  }

  /**
   * The definition that a run may begin on: the active version, or the one that is named.
   *
   * @throws CommandRefused if there is none, or it is retired
   */
  public Definition startable(String tenant, String key, @Nullable Integer version) {
    return version == null
        ? active(key, newest(tenant, key))
        : startable(key, version, store.definitions().find(tenant, key, version));
  }

  /**
   * The same in a caller's transaction: a definition that is not known yet is read on its
   * connection. A caller that waits for a second connection while it holds one can wait for ever.
   * The active version is not remembered for others, because the transaction may see an old state
   * of the database.
   */
  public Definition startable(
      String tenant, String key, @Nullable Integer version, JoinedRows rows) {
    if (version == null && knowsNewest(tenant, key)) {
      return startable(tenant, key, null);
    }
    DefinitionRow row = rows.find(tenant, checked(key), version);
    return version == null
        ? active(key, row == null ? null : readable(row))
        : startable(key, version, row);
  }

  private static Definition active(String key, @Nullable Definition active) {
    if (active == null) {
      throw refused(
          Rejection.Code.NOT_FOUND,
          "Expected a deployed definition, but there is no active one with key '%s'"
              .formatted(key));
    }
    return active;
  }

  private Definition startable(String key, int version, @Nullable DefinitionRow row) {
    if (row == null) {
      throw refused(
          Rejection.Code.NOT_FOUND,
          "Expected a deployed definition, but there is none with key '%s' and version %d"
              .formatted(key, version));
    }
    if (row.retired() != null) {
      throw refused(
          Rejection.Code.WRONG_STATE,
          "Expected a version that runs may begin on, but '%s' version %d is retired"
              .formatted(key, version));
    }
    return readable(row);
  }

  public List<DeployedVersion> versions(String tenant, String key) {
    List<DefinitionRow> rows = store.definitions().versions(tenant, checked(key), MAX_VERSIONS);
    DefinitionRow active = store.definitions().find(tenant, key, null);
    return rows.stream()
        .map(
            row ->
                new DeployedVersion(
                    row.key(),
                    row.version(),
                    active != null && active.id() == row.id()
                        ? DeployedVersion.State.ACTIVE
                        : row.retired() != null
                            ? DeployedVersion.State.RETIRED
                            : DeployedVersion.State.DEPLOYED,
                    row.by(),
                    row.at()))
        .toList();
  }

  /** The same for a definition that a caller asks for and that has to be told of the fault. */
  private Definition readable(DefinitionRow row) {
    try {
      return compile(row);
    } catch (RuntimeException e) {
      unreadable.put(RowKind.DEFINITION, row, e);
      throw e;
    }
  }

  private Definition compile(DefinitionRow row) {
    return compiled.computeIfAbsent(
        row.id(), id -> deployed.parse(row.source()).deployedAs(id, row.version()));
  }
}
