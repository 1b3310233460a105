/** OpenID Connect Discovery 1.0 and RFC 8414 metadata. */
@NullMarked
package dev.sekisho.idp.oidc;

import org.jspecify.annotations.NullMarked;
