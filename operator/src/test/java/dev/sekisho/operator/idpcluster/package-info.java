@NullMarked
package dev.sekisho.operator.idpcluster;

import org.jspecify.annotations.NullMarked;
