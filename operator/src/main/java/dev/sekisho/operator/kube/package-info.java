/** Small helpers around Kubernetes: labels, names, clients. They know nothing of any reconciler. */
@NullMarked
package dev.sekisho.operator.kube;

import org.jspecify.annotations.NullMarked;
