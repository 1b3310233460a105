/** How the operator reaches a cluster's runtime: who may, and the calls of its management listener. */
@NullMarked
package dev.sekisho.operator.management;

import org.jspecify.annotations.NullMarked;
