/** Forms that values must have: those of a definition, and those that it gives itself. */
@NullMarked
package dev.waymark.core.definition.schema;

import org.jspecify.annotations.NullMarked;
