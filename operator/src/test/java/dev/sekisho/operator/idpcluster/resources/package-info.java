@NullMarked
package dev.sekisho.operator.idpcluster.resources;

import org.jspecify.annotations.NullMarked;
