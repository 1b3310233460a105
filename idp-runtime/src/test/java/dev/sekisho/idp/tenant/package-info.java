@NullMarked
package dev.sekisho.idp.tenant;

import org.jspecify.annotations.NullMarked;
