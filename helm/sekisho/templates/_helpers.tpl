{{/* The name of all that belongs to this release. */}}
{{- define "sekisho.fullname" -}}
{{- if contains "sekisho" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}
{{- else }}{{ printf "%s-sekisho" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{/* Selectors are immutable, so they hold nothing that a new version would change. */}}
{{- define "sekisho.selectorLabels" -}}
app.kubernetes.io/name: sekisho
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/component: operator
{{- end }}

{{- define "sekisho.labels" -}}
{{ include "sekisho.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (.Chart.Version | replace "+" "_") }}
{{- end }}

{{- define "sekisho.serviceAccountName" -}}
{{- if .Values.serviceAccount.create }}{{ default (include "sekisho.fullname" .) .Values.serviceAccount.name }}
{{- else }}{{ required "serviceAccount.name is needed when serviceAccount.create is false" .Values.serviceAccount.name }}{{ end }}
{{- end }}

{{- define "sekisho.image" -}}
{{- with .Values.image }}
{{- if .digest }}{{ printf "%s@%s" .repository .digest }}
{{- else }}{{ printf "%s:%s" .repository (default $.Chart.AppVersion .tag) }}{{ end }}
{{- end }}
{{- end }}

{{/* Cluster-wide names carry the namespace, so that two releases of one name in two namespaces do not meet. */}}
{{- define "sekisho.clusterName" -}}
{{ printf "%s-%s" .Release.Namespace (include "sekisho.fullname" .) | trunc 63 | trimSuffix "-" }}
{{- end }}
