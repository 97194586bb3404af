/** Tasks and approvals: the kinds of activities that people do. */
@NullMarked
package dev.waymark.core.step.people;

import org.jspecify.annotations.NullMarked;
