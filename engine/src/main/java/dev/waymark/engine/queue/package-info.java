/** Inbound queues: what brokers bring becomes messages, acknowledged only once they are durable. */
@NullMarked
package dev.waymark.engine.queue;

import org.jspecify.annotations.NullMarked;
