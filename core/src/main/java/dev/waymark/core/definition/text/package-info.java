/** Definitions as text, YAML or JSON, and all that is wrong with one, with its line. */
@NullMarked
package dev.waymark.core.definition.text;

import org.jspecify.annotations.NullMarked;
