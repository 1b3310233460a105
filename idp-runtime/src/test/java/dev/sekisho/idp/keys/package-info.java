@NullMarked
package dev.sekisho.idp.keys;

import org.jspecify.annotations.NullMarked;
