@NullMarked
package dev.sekisho.idp.oauth;

import org.jspecify.annotations.NullMarked;
