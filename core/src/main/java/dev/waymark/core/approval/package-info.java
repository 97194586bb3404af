/**
 * Decisions by several people: who has a voice, when it is decided, who may speak for whom. Nothing
 * here knows of runs or stores; {@code core.step} counts with it inside its steps.
 */
@NullMarked
package dev.waymark.core.approval;

import org.jspecify.annotations.NullMarked;
