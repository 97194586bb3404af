package dev.waymark.engine.store;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deployed definitions: immutable texts, numbered by version within tenant and key. */
public interface Definitions {

  record DefinitionRow(
      long id, String tenant, String key, int version, String source, String by, Instant at) {}

  /**
   * Stores a text as the next version of its key, or finds the version that already has this text.
   * Two nodes deploying the same text at once get the same version.
   */
  DefinitionRow deploy(String tenant, String key, String fingerprint, String source, String by);

  @Nullable DefinitionRow byId(long id);

  /** The given version, or the newest if it is absent. */
  @Nullable DefinitionRow find(String tenant, String key, @Nullable Integer version);

  List<DefinitionRow> list(String tenant, @Nullable String afterKey, int limit);
}
