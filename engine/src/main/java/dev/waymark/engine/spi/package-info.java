/** Seams of the engine: the interfaces that an application or a test may implement. */
@NullMarked
package dev.waymark.engine.spi;

import org.jspecify.annotations.NullMarked;
