@NullMarked
package dev.sekisho.operator.idpcluster.postgres;

import org.jspecify.annotations.NullMarked;
