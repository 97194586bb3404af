/** The classes that run statements: pools, parameters, plans, faults. */
@NullMarked
package dev.waymark.postgres.internal.sql;

import org.jspecify.annotations.NullMarked;
