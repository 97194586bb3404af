package dev.waymark.core.instance;

import static java.util.Objects.requireNonNull;

import dev.waymark.core.Limits;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the inbox holds for an instance: from another instance, a partner or an application.
 *
 * <p>It is stored before it is acknowledged, and spent by a step of its addressee, once. A message
 * that comes before anybody waits for it stays.
 */
public record Message(
    Key key,
    InstanceId addressee,
    String name,
    Map<String, @Nullable Object> payload,
    String sender,
    Instant received) {

  /** What makes a message that message: a second delivery of the same key is a duplicate. */
  public record Key(String tenant, String source, String id) implements Comparable<Key> {

    public Key {
      Limits.name("a tenant", tenant);
      Limits.name("a message source", source);
      Limits.name("a message id", id);
    }

    @Override
    public int compareTo(Key other) {
      int byTenant = tenant.compareTo(other.tenant);
      int bySource = byTenant != 0 ? byTenant : source.compareTo(other.source);
      return bySource != 0 ? bySource : id.compareTo(other.id);
    }
  }

  public Message {
    requireNonNull(key, "key");
    requireNonNull(addressee, "addressee");
    Limits.name("a message name", name);
    requireNonNull(received, "received");
  }
}
