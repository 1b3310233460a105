/** The identity provider's process: its configuration, its wiring and its two commands. */
@NullMarked
package dev.sekisho.idp;

import org.jspecify.annotations.NullMarked;
