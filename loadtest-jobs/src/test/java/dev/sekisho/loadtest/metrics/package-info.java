@NullMarked
package dev.sekisho.loadtest.metrics;

import org.jspecify.annotations.NullMarked;
