@NullMarked
package dev.sekisho.loadtest;

import org.jspecify.annotations.NullMarked;
