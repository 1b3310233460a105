@NullMarked
package dev.sekisho.loadtest.config;

import org.jspecify.annotations.NullMarked;
