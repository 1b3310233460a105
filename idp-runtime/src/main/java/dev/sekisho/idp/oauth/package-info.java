/** OAuth 2.0 (RFC 6749): client authentication, grants, access tokens and the catalogue of errors. Knows no HTTP. */
@NullMarked
package dev.sekisho.idp.oauth;

import org.jspecify.annotations.NullMarked;
