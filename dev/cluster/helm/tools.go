//go:build tools

// Package tools pins the Helm command line: `go build helm.sh/helm/v3/cmd/helm` in this folder
// builds exactly the version that go.mod and go.sum name.
package tools

import _ "helm.sh/helm/v3/cmd/helm"
