{{- define "chain-webhooks.name" -}}
{{ contains .Chart.Name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name .Chart.Name) | trunc 50 | trimSuffix "-" }}
{{- end }}

{{- define "chain-webhooks.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "chain-webhooks.labels" -}}
{{ include "chain-webhooks.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{- define "chain-webhooks.secret" -}}
{{ .Values.secret.existing | default (include "chain-webhooks.name" .) }}
{{- end }}

{{- define "chain-webhooks.account" -}}
{{ .Values.serviceAccount.existing | default (include "chain-webhooks.name" .) }}
{{- end }}
