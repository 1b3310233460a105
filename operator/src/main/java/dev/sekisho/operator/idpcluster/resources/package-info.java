/** What should exist for an {@code IdpCluster}: pure functions, one class per child. They know no client. */
@NullMarked
package dev.sekisho.operator.idpcluster.resources;

import org.jspecify.annotations.NullMarked;
