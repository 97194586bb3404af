package dev.waymark.engine.query;

import dev.waymark.core.instance.InstanceId;
import org.jspecify.annotations.Nullable;

/** A wait that a message would have reached, had it another name or another correlation key. */
public record NearMiss(InstanceId instance, String name, @Nullable String correlation) {}
