@NullMarked
package dev.sekisho.loadtest.js;

import org.jspecify.annotations.NullMarked;
