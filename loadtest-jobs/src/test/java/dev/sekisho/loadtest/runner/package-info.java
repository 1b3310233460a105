@NullMarked
package dev.sekisho.loadtest.runner;

import org.jspecify.annotations.NullMarked;
