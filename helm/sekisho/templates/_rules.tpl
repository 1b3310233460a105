{{/*
What the operator may do, in each namespace that it watches or in all. Plain YAML: the integration tests of the operator
read it from here and run under exactly these rights.
*/}}
{{- define "sekisho.operatorRules" -}}
- apiGroups: [sekisho.dev]
  resources: [idpclusters, tenants, loadtests]
  verbs: [get, list, watch, patch]
- apiGroups: [sekisho.dev]
  resources: [idpclusters/status, tenants/status, loadtests/status]
  verbs: [get, patch]
# Owner references to them, where the API server guards these.
- apiGroups: [sekisho.dev]
  resources: [idpclusters/finalizers, tenants/finalizers, loadtests/finalizers]
  verbs: [update]
- apiGroups: [""]
  resources: [secrets, configmaps]
  verbs: [get, list, watch, create, update, patch, delete]
- apiGroups: [""]
  resources: [services, serviceaccounts]
  verbs: [get, list, watch, create, patch]
# An IdpCluster whose deletionPolicy is Delete takes its volumes along.
- apiGroups: [""]
  resources: [persistentvolumeclaims]
  verbs: [get, list, delete]
- apiGroups: [apps]
  resources: [deployments]
  verbs: [get, list, watch, create, patch]
- apiGroups: [apps]
  resources: [statefulsets]
  verbs: [get, list, watch, create, patch, delete]
- apiGroups: [networking.k8s.io]
  resources: [networkpolicies]
  verbs: [get, list, watch, create, patch]
- apiGroups: [policy]
  resources: [poddisruptionbudgets]
  verbs: [get, list, watch, create, patch, delete]
# Migrations, and a Job for each step of a load test.
- apiGroups: [batch]
  resources: [jobs]
  verbs: [get, list, watch, create, patch, delete]
# A StatefulSet's pod that cannot get ready keeps its set from replacing it: the operator deletes it.
- apiGroups: [""]
  resources: [pods]
  verbs: [get, list, watch, delete]
# Patroni's role. Who grants rights must have them: so update and patch of pods, which the operator itself never does.
- apiGroups: [rbac.authorization.k8s.io]
  resources: [roles, rolebindings]
  verbs: [get, list, watch, create, patch]
- apiGroups: [""]
  resources: [pods]
  verbs: [update, patch]
- apiGroups: [events.k8s.io]
  resources: [events]
  verbs: [create]
{{- end }}
