/**
 * Definitions as pictures, and where a run stands in them. Pure: a text comes out, which a page, a
 * file or a chat shows.
 */
@NullMarked
package dev.waymark.core.diagram;

import org.jspecify.annotations.NullMarked;
