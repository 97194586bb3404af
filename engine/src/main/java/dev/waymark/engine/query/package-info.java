/**
 * The nouns of questions and of their answers: places to go on from, periods, counts. Users and
 * stores both use them, so they depend only on the core.
 */
@NullMarked
package dev.waymark.engine.query;

import org.jspecify.annotations.NullMarked;
