/** Readers of definitions: each reads one part of the text and tells every fault in it. */
@NullMarked
package dev.waymark.core.definition.read;

import org.jspecify.annotations.NullMarked;
