/** Real services for tests: PostgreSQL, Redis and the runtime itself. */
@NullMarked
package dev.sekisho.idp.testing;

import org.jspecify.annotations.NullMarked;
