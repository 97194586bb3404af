/** What is logged while a test runs, kept for the test to read. */
@NullMarked
package dev.waymark.proof.log;

import org.jspecify.annotations.NullMarked;
