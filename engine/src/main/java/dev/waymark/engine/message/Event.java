package dev.waymark.engine.message;

import dev.waymark.core.instance.InstanceId;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Something that a step did, as the outbox publishes it.
 *
 * @param id stable: a second delivery of the same event has the same
 * @param type {@code waymark.activity.completed} and the like, or a type that an activity chose
 */
public record Event(
    String id,
    String type,
    InstanceId instance,
    long version,
    int ordinal,
    Map<String, @Nullable Object> data) {}
