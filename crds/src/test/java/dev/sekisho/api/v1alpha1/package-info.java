@NullMarked
package dev.sekisho.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
