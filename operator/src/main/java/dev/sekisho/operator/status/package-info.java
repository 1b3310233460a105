/** Conditions, Events, and the guard that keeps status writes to changes. */
@NullMarked
package dev.sekisho.operator.status;

import org.jspecify.annotations.NullMarked;
