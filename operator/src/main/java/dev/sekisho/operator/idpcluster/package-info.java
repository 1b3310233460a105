/** Makes an {@code IdpCluster} real. What should exist is computed in {@code resources}; here it is compared and applied. */
@NullMarked
package dev.sekisho.operator.idpcluster;

import org.jspecify.annotations.NullMarked;
