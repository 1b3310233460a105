/**
 * Metrics as k6 keeps them: four types, sub-metrics by tag, thresholds.
 *
 * <p>Every sample is kept, so percentiles are exact.
 */
@NullMarked
package dev.sekisho.loadtest.metrics;

import org.jspecify.annotations.NullMarked;
