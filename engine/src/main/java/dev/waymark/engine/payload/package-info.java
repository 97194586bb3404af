/** Contents that are too large for a document, and the references that stand for them. */
@NullMarked
package dev.waymark.engine.payload;

import org.jspecify.annotations.NullMarked;
