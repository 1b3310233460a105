@NullMarked
package dev.sekisho.idp.observe;

import org.jspecify.annotations.NullMarked;
