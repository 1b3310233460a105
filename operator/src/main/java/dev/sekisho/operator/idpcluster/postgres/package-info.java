/** PostgreSQL under Patroni on day two: what members tell, in which order they restart, and who is asked to lead. */
@NullMarked
package dev.sekisho.operator.idpcluster.postgres;

import org.jspecify.annotations.NullMarked;
