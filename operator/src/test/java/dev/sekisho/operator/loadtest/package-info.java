@NullMarked
package dev.sekisho.operator.loadtest;

import org.jspecify.annotations.NullMarked;
