package dev.sekisho.loadtest.config;

import java.time.Duration;

/**
 * A threshold of a script's options.
 *
 * @param expression such as {@code p(95)<500}
 * @param abortOnFail whether the run ends when it fails
 * @param delayAbortEval how long the run lasts at least before that
 */
public record ThresholdConfig(String expression, boolean abortOnFail, Duration delayAbortEval) {}
