@NullMarked
package dev.sekisho.loadtest.http;

import org.jspecify.annotations.NullMarked;
