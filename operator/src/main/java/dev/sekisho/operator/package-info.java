/**
 * The operator: makes {@code IdpCluster}, {@code Tenant} and {@code LoadTest} real.
 *
 * <p>What should exist is computed by pure functions; reconcilers only compare and apply. {@link
 * dev.sekisho.operator.Main} wires everything by hand.
 */
@NullMarked
package dev.sekisho.operator;

import org.jspecify.annotations.NullMarked;
