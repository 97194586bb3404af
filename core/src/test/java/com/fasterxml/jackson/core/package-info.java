/** A stand-in for Jackson 2, which Waymark does not depend on. */
@NullMarked
package com.fasterxml.jackson.core;

import org.jspecify.annotations.NullMarked;
