@NullMarked
package dev.sekisho.operator;

import org.jspecify.annotations.NullMarked;
