/** PostgreSQL: row-level security in one round trip, and the migrations. The only package that knows SQL. */
@NullMarked
package dev.sekisho.idp.store.postgres;

import org.jspecify.annotations.NullMarked;
