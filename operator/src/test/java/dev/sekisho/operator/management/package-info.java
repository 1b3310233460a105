@NullMarked
package dev.sekisho.operator.management;

import org.jspecify.annotations.NullMarked;
