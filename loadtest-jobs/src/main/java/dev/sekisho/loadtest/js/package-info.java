/** Scripts on GraalJS: one context per virtual user, k6's modules, and nothing that k6's own engine lacks. */
@NullMarked
package dev.sekisho.loadtest.js;

import org.jspecify.annotations.NullMarked;
