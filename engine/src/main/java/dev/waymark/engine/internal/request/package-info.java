/**
 * Commands and questions of callers. A request becomes a command and is handed to the mailbox of
 * its instance; a question is answered from the store. Called by applications through the public
 * interfaces; calls {@code step} and {@code message}.
 */
@NullMarked
package dev.waymark.engine.internal.request;

import org.jspecify.annotations.NullMarked;
