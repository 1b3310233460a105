/** The management API: declarative PUT of tenants. */
@NullMarked
package dev.sekisho.idp.management;

import org.jspecify.annotations.NullMarked;
