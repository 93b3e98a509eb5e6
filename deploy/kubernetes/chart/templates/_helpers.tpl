{{/* Labels that never change: selectors use them. */}}
{{- define "counterfoil.selector" -}}
app.kubernetes.io/name: counterfoil
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "counterfoil.labels" -}}
{{ include "counterfoil.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
{{- end }}

{{- define "counterfoil.image" -}}
image: {{ .Values.image.repository }}{{ if .Values.image.digest }}@{{ .Values.image.digest }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end }}

{{/* The settings of each pod. */}}
{{- define "counterfoil.pod" -}}
automountServiceAccountToken: false
# A Service named `metrics` would set METRICS_PORT to a URL.
enableServiceLinks: false
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
securityContext:
  runAsNonRoot: true
  # The user `node` of the image.
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  # Do not walk through all uploaded files at each start.
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- end }}

{{/* The settings of each container. */}}
{{- define "counterfoil.hardened" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- end }}

{{- define "counterfoil.spread" -}}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "counterfoil.selector" . | nindent 8 }}
{{- end }}

{{- define "counterfoil.config" -}}
envFrom:
  - configMapRef: { name: {{ .Release.Name }} }
{{- end }}

{{/* A variable that ends in _FILE for each secret, which is mounted as a file. */}}
{{- define "counterfoil.secretFiles" -}}
{{- range $name, $key := . }}
{{- if $key }}
- { name: {{ $name }}_FILE, value: /etc/counterfoil/{{ $key }} }
{{- end }}
{{- end }}
{{- end }}

{{- define "counterfoil.runtimeSecrets" -}}
- name: secrets
  # 288 is 0440.
  secret: { secretName: {{ .Values.secrets.runtime.name }}, defaultMode: 288 }
{{- end }}

{{- define "counterfoil.filesVolume" -}}
- name: files
{{- if .Values.config.S3_BUCKET }}
  emptyDir: { sizeLimit: 1Gi }
{{- else }}
  persistentVolumeClaim: { claimName: {{ .Values.files.existingClaim | default (printf "%s-files" .Release.Name) }} }
{{- end }}
{{- end }}

{{/* A new configuration starts new pods. Kustomize gives the ConfigMap another name instead. */}}
{{- define "counterfoil.checksum" -}}
{{- if not .Values.forKustomize }}
annotations:
  checksum/config: {{ .Values.config | toJson | sha256sum }}
{{- end }}
{{- end }}

{{/* Connects to the reader's socket. */}}
{{- define "counterfoil.readerAnswers" -}}
exec:
  command:
    - node
    - -e
    - require('net').connect(process.env.READER_SOCKET).on('connect', () => process.exit(0))
{{- end }}

{{/* Egress of each pod: names, PostgreSQL and Redis. */}}
{{- define "counterfoil.stores" -}}
# Names.
- ports:
    - { protocol: UDP, port: 53 }
    - { protocol: TCP, port: 53 }
# PostgreSQL and Redis.
- ports:
    {{- range .storePorts }}
    - { protocol: TCP, port: {{ . }} }
    {{- end }}
  {{- with .storesAt }}
  to:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}

{{- define "counterfoil.internet" -}}
# Receivers of webhooks, documents at a URL, S3, the tax authority, exchange rates: on any port of public addresses. The
# service itself refuses others, too.
- to:
    - ipBlock:
        cidr: 0.0.0.0/0
        except: [10.0.0.0/8, 100.64.0.0/10, 127.0.0.0/8, 169.254.0.0/16, 172.16.0.0/12, 192.168.0.0/16]
    - ipBlock:
        cidr: ::/0
        except: ['::1/128', fc00::/7, fe80::/10]
{{- end }}
