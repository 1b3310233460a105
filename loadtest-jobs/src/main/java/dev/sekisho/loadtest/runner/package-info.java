/** A run from start to exit code: virtual users, executors, setup and teardown, thresholds, summary. */
@NullMarked
package dev.sekisho.loadtest.runner;

import org.jspecify.annotations.NullMarked;
