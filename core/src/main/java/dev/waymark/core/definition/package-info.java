/**
 * Definitions: the versioned graph of activities, read from YAML or JSON, checked whole before it
 * is deployed.
 */
@NullMarked
package dev.waymark.core.definition;

import org.jspecify.annotations.NullMarked;
