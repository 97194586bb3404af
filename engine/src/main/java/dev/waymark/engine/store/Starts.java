package dev.waymark.engine.store;

import dev.waymark.core.instance.Message;
import dev.waymark.engine.store.Correlations.Place;
import dev.waymark.engine.store.StoredDefinitions.DefinitionRow;
import dev.waymark.engine.store.UnitRows.MessageRow;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that begin runs: which definitions want some, and which messages are free for them. A
 * correlated message is free while it waits and no run waits for its name and key.
 */
public interface Starts {

  /**
   * The active versions that begin with messages, by tenant and key.
   *
   * @param tenant absent for those of all tenants
   */
  List<DefinitionRow> definitions(@Nullable String tenant, int limit);

  /**
   * Those of these messages that are free. If there are more than a page holds, nothing is said yet
   * about the messages that the page leaves out.
   */
  Page<MessageRow> free(Collection<Message.Key> messages);

  /** The full look: a tenant's free messages with one of these names, behind a place. */
  Page<MessageRow> free(String tenant, Collection<String> names, Place after, int limit);
}
