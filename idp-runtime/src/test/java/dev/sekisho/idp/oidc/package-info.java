@NullMarked
package dev.sekisho.idp.oidc;

import org.jspecify.annotations.NullMarked;
