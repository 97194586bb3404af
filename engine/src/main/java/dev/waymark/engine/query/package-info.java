/**
 * The nouns of questions and of their answers: places to go on from, periods, counts. Users and
 * stores speak of them alike, so they know nothing but the core.
 */
@NullMarked
package dev.waymark.engine.query;

import org.jspecify.annotations.NullMarked;
