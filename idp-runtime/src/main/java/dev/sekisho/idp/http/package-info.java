/** Listeners, routing, forms, limits and error answers; the only package that knows Helidon. */
@NullMarked
package dev.sekisho.idp.http;

import org.jspecify.annotations.NullMarked;
