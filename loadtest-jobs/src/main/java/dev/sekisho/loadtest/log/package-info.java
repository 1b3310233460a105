/** The runner's own log. */
@NullMarked
package dev.sekisho.loadtest.log;

import org.jspecify.annotations.NullMarked;
