@NullMarked
package dev.sekisho.idp.store.postgres;

import org.jspecify.annotations.NullMarked;
