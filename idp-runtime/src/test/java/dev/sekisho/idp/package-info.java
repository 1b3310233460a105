@NullMarked
package dev.sekisho.idp;

import org.jspecify.annotations.NullMarked;
