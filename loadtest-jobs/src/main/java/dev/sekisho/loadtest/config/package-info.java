/** What a run is asked to do: command line, environment and the script's options, in one typed form. */
@NullMarked
package dev.sekisho.loadtest.config;

import org.jspecify.annotations.NullMarked;
