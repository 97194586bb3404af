package dev.waymark.engine.store;

import dev.waymark.core.Json;
import java.sql.Connection;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deployed definitions: immutable texts, numbered by version within tenant and key. */
public interface StoredDefinitions {

  /**
   * One version.
   *
   * @param activated since when new runs get it, unless another was activated later; absent if it
   *     never was. If the clock stands or was set back, it is the moment after the greatest of its
   *     key, so that the order of these moments is the order of the activations
   * @param retired since when no run may begin on it; those that have begun stay
   */
  record DefinitionRow(
      long id,
      String tenant,
      String key,
      int version,
      String source,
      String by,
      Instant at,
      @Nullable Instant activated,
      @Nullable Instant retired) {}

  /**
   * Stores a text as the next version of its key, or finds the version that already has this text.
   * Two nodes deploying the same text at once get the same version. A version that is found stays
   * as active or retired as it is: an old node that starts again must not turn the clock back.
   *
   * @param activate whether new runs get it from now on, if it is a new version
   */
  DefinitionRow deploy(Text text, String by, boolean activate);

  /**
   * A text to deploy.
   *
   * @param starts the names of the messages that begin a run of it
   */
  record Text(String tenant, String key, String fingerprint, String source, List<String> starts) {

    /** The names as they are stored; absent if there are none. */
    public @Nullable String startsDocument() {
      return starts.isEmpty() ? null : Json.write(starts);
    }
  }

  default DefinitionRow deploy(
      String tenant, String key, String fingerprint, String source, String by, boolean activate) {
    return deploy(new Text(tenant, key, fingerprint, source, List.of()), by, activate);
  }

  @Nullable DefinitionRow byId(long id);

  /** The same on the caller's connection, inside its transaction. */
  @Nullable DefinitionRow byIdOn(Connection connection, long id);

  /** The given version, or the active one if it is absent: activated last, and not retired. */
  @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version);

  /** The same on the caller's connection, inside its transaction. */
  @Nullable DefinitionRow findOn(
      Connection connection, String tenant, String key, @Nullable Integer version);

  /** New runs get this version from now on; false if there is no such version. */
  boolean activate(String tenant, String key, int version);

  /** No run may begin on this version any more; false if there is no such version. */
  boolean retire(String tenant, String key, int version);

  /** All versions of a key, the newest first. */
  List<DefinitionRow> versions(String tenant, String key, int limit);

  List<DefinitionRow> list(String tenant, @Nullable String afterKey, int limit);
}
