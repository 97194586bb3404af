/** The callbacks of partners: tokens that name a wait, and signatures that name a sender. */
@NullMarked
package dev.waymark.engine.callback;

import org.jspecify.annotations.NullMarked;
