@NullMarked
package dev.sekisho.operator.tenant;

import org.jspecify.annotations.NullMarked;
