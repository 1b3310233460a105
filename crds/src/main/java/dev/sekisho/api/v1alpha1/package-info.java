/**
 * The three kinds of {@code sekisho.dev/v1alpha1}: {@code IdpCluster}, {@code Tenant} and {@code LoadTest}.
 *
 * <p>Records and enums only. Defaults stand twice, for two readers: in the schema (the API server applies them) and in
 * the compact constructors (whoever reads YAML without an API server gets the same); a test holds the two together.
 */
@NullMarked
package dev.sekisho.api.v1alpha1;

import org.jspecify.annotations.NullMarked;
