@NullMarked
package dev.sekisho.operator.status;

import org.jspecify.annotations.NullMarked;
