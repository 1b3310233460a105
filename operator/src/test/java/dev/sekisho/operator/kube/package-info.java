@NullMarked
package dev.sekisho.operator.kube;

import org.jspecify.annotations.NullMarked;
