/**
 * Decisions by several people: their voices, the rules that count them, and substitutes. Nothing
 * here knows of runs or stores; {@code core.step} counts with it inside its steps.
 */
@NullMarked
package dev.waymark.core.approval;

import org.jspecify.annotations.NullMarked;
