/** Tests of the whole on a real cluster, where {@code ./quickstart} has been run; see {@code docs/development.md}. */
@NullMarked
package dev.sekisho.e2e;

import org.jspecify.annotations.NullMarked;
