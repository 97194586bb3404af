/** Runs random programs on an engine, and holds what comes against what must come. */
@NullMarked
package dev.waymark.proof.program.run;

import org.jspecify.annotations.NullMarked;
