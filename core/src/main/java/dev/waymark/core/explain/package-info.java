/** Why a run stands where it stands, and what would move it on. */
@NullMarked
package dev.waymark.core.explain;

import org.jspecify.annotations.NullMarked;
