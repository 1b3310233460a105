/** A runner for k6 scripts: for tests of scripts, thresholds and the operator, never for figures of performance. */
@NullMarked
package dev.sekisho.loadtest;

import org.jspecify.annotations.NullMarked;
