/** What judges a workflow and a store: contracts, scenarios and a clock that is turned by hand. */
@NullMarked
package dev.waymark.testkit;

import org.jspecify.annotations.NullMarked;
