/** A client that never gives a request a second chance, for what must go on while the cluster changes. */
@NullMarked
package dev.sekisho.e2e.load;

import org.jspecify.annotations.NullMarked;
