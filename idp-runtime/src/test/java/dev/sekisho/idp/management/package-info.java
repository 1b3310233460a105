@NullMarked
package dev.sekisho.idp.management;

import org.jspecify.annotations.NullMarked;
