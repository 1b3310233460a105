/** What the operator and the runtime say to each other over the runtime's management listener. */
@NullMarked
package dev.sekisho.api.management;

import org.jspecify.annotations.NullMarked;
