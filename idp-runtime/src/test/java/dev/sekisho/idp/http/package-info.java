@NullMarked
package dev.sekisho.idp.http;

import org.jspecify.annotations.NullMarked;
