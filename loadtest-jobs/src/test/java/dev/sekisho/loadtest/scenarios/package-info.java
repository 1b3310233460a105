@NullMarked
package dev.sekisho.loadtest.scenarios;

import org.jspecify.annotations.NullMarked;
