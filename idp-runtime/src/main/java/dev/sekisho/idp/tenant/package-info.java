/** What a tenant is while it is served: the snapshot, its cache and its invalidation. */
@NullMarked
package dev.sekisho.idp.tenant;

import org.jspecify.annotations.NullMarked;
