@NullMarked
package dev.sekisho.idp.store.redis;

import org.jspecify.annotations.NullMarked;
