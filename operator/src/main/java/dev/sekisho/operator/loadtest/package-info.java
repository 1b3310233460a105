/**
 * Load tests: a persisted state machine.
 *
 * <p>Where a run stands is derived from the LoadTest's status and from Jobs of deterministic names, never from memory,
 * so an operator that restarts at any point goes on. {@link dev.sekisho.operator.loadtest.Planner} decides what is next
 * and is pure; {@link dev.sekisho.operator.loadtest.LoadTestReconciler} observes, acts and writes the status.
 */
@NullMarked
package dev.sekisho.operator.loadtest;

import org.jspecify.annotations.NullMarked;
