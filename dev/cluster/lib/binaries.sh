# shellcheck shell=bash
# The cluster's own programs, built from pinned Go modules and kept in the build cache.

CLUSTER=$SEKISHO_ROOT/dev/cluster
KUBERNETES_VERSION=1.34.4
HELM_VERSION=3.19.5

# build_all: builds what is missing, and sets TOOLS to a folder with every program.
build_all() {
  need_go
  need_packages etcd=etcd-server
  local version=k8s.io/component-base/version kubernetes coredns helm pause go
  go=$(go env GOVERSION)-$(go env GOARCH)
  kubernetes=$(build kubernetes k8s k8s . "-s -w -X $version.gitVersion=v$KUBERNETES_VERSION \
-X $version.gitMajor=1 -X $version.gitMinor=${KUBERNETES_VERSION:2:2}")
  coredns=$(build coredns coredns coredns . "-s -w")
  helm=$(build helm helm helm helm.sh/helm/v3/cmd/helm \
    "-s -w -X helm.sh/helm/v3/internal/version.version=v$HELM_VERSION")
  pause=$(build pause pause pause . "-s -w")
  TOOLS=$SEKISHO_CACHE/tools/$(hash_of -- "$kubernetes" "$coredns" "$helm" "$pause" "$go" layout-2)
  cached "$TOOLS" lay_out "$kubernetes" "$coredns" "$helm" "$pause"
}

# build NAME FOLDER PROGRAM PACKAGE LDFLAGS: prints the path of the program built from dev/cluster/FOLDER.
build() {
  local name=$1 source=$CLUSTER/$2 program=$3 package=$4 flags=$5 folder
  folder=$SEKISHO_CACHE/go/$name/$(hash_of "$source" -- "$package" "$flags" "$(go env GOVERSION GOARCH)")
  cached "$folder" compile "$name" "$source" "$program" "$package" "$flags"
  printf '%s/%s\n' "$folder" "$program"
}

compile() {
  local name=$1 source=$2 program=$3 package=$4 flags=$5 into=$6
  run_step "building $name from its Go modules (Kubernetes: 6 to 12 min the first time)" \
    "$SEKISHO_LOGS/build-$name.log" "see the log; is the Go module proxy reachable (go env GOPROXY)?" \
    nice env -C "$source" CGO_ENABLED=0 GOFLAGS=-mod=readonly GOTOOLCHAIN=local \
    go build -trimpath -buildvcs=false -ldflags "$flags" -o "$into/$program" "$package"
}

# lay_out KUBERNETES COREDNS HELM PAUSE FOLDER: symbolic links by the names people and tests use.
lay_out() {
  local into=$5 name api_test
  for name in k8s kube-apiserver kube-controller-manager kube-scheduler kubelet kube-proxy kubectl metrics-server \
    volume-provisioner lookup; do
    ln -s "$1" "$into/$name"
  done
  ln -s "$2" "$into/coredns"
  ln -s "$3" "$into/helm"
  ln -s "$4" "$into/pause"
  api_test=$into/kube-api-test/k8s/$KUBERNETES_VERSION-linux-$(go env GOARCH)
  mkdir -p "$api_test"
  ln -s "$(command -v etcd)" "$api_test/etcd"
  ln -s "$1" "$api_test/kube-apiserver"
  ln -s "$1" "$api_test/kubectl"
}
