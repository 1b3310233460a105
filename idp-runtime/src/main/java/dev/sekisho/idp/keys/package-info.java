/** Signing keys: making them, keeping them encrypted, signing with them, publishing them. */
@NullMarked
package dev.sekisho.idp.keys;

import org.jspecify.annotations.NullMarked;
