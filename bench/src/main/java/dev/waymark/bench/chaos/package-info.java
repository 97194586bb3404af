/** Runs that hurt: processes killed, connections cut, and then a look whether anything was lost. */
@NullMarked
package dev.waymark.bench.chaos;

import org.jspecify.annotations.NullMarked;
