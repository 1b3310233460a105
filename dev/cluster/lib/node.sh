# shellcheck shell=bash
# The control plane and the node: one function a process, each with its configuration.

DNS_ADDRESS=10.96.0.10
METRICS_PORT=10262
CONTAINERD_SOCKET=$RUNTIME/containerd/containerd.sock

k8s() { "$TOOLS/kubectl" --kubeconfig "$KUBECONFIG" --request-timeout=10s "$@"; }
containers() { ctr -a "$CONTAINERD_SOCKET" -n k8s.io "$@"; }

start_etcd() {
  # Without fsync: a power cut may cost the development cluster, a killed process does not.
  start etcd etcd --name "$NODE" --data-dir "$STATE/etcd" --unsafe-no-fsync --logger zap \
    --listen-client-urls https://127.0.0.1:12379 --advertise-client-urls https://127.0.0.1:12379 \
    --listen-peer-urls http://127.0.0.1:12380 --initial-advertise-peer-urls http://127.0.0.1:12380 \
    --initial-cluster "$NODE=http://127.0.0.1:12380" \
    --client-cert-auth --trusted-ca-file "$PKI/etcd-ca.crt" \
    --cert-file "$PKI/etcd.crt" --key-file "$PKI/etcd.key"
}

start_apiserver() {
  mkdir -p "$STATE/audit"
  start kube-apiserver "$TOOLS/kube-apiserver" --secure-port="$API_PORT" --bind-address=0.0.0.0 \
    --advertise-address="$NODE_ADDRESS" --service-cluster-ip-range="$SERVICE_NET" --allow-privileged=true \
    --etcd-servers=https://127.0.0.1:12379 --etcd-cafile="$PKI/etcd-ca.crt" \
    --etcd-certfile="$PKI/etcd-client.crt" --etcd-keyfile="$PKI/etcd-client.key" \
    --client-ca-file="$PKI/ca.crt" --tls-cert-file="$PKI/apiserver.crt" --tls-private-key-file="$PKI/apiserver.key" \
    --authorization-mode=Node,RBAC --enable-admission-plugins=NodeRestriction --profiling=false \
    --service-account-issuer=https://kubernetes.default.svc --service-account-key-file="$PKI/service-accounts.key" \
    --service-account-signing-key-file="$PKI/service-accounts.key" \
    --kubelet-client-certificate="$PKI/kubelet-client.crt" --kubelet-client-key="$PKI/kubelet-client.key" \
    --kubelet-certificate-authority="$PKI/ca.crt" --kubelet-preferred-address-types=InternalIP,Hostname \
    --requestheader-client-ca-file="$PKI/front-proxy-ca.crt" --requestheader-allowed-names=front-proxy \
    --requestheader-username-headers=X-Remote-User --requestheader-group-headers=X-Remote-Group \
    --requestheader-extra-headers-prefix=X-Remote-Extra- \
    --proxy-client-cert-file="$PKI/front-proxy.crt" --proxy-client-key-file="$PKI/front-proxy.key" \
    --audit-policy-file="$CLUSTER/manifests/audit-policy.yaml" --audit-log-path="$AUDIT_LOG" \
    --audit-log-maxsize=100 --audit-log-maxbackup=2
}

start_controllers() {
  start kube-controller-manager "$TOOLS/kube-controller-manager" --kubeconfig="$PKI/controller-manager.kubeconfig" \
    --bind-address=127.0.0.1 --leader-elect=false --use-service-account-credentials --node-monitor-period=1s \
    --service-account-private-key-file="$PKI/service-accounts.key" --root-ca-file="$PKI/ca.crt" --profiling=false \
    --flex-volume-plugin-dir="$STATE/volume-plugins"
  start kube-scheduler "$TOOLS/kube-scheduler" --kubeconfig="$PKI/scheduler.kubeconfig" \
    --bind-address=127.0.0.1 --leader-elect=false --profiling=false
  mkdir -p "$STATE/volumes"
  start volume-provisioner "$TOOLS/volume-provisioner" --kubeconfig="$PKI/volume-provisioner.kubeconfig" \
    --root="$STATE/volumes"
}

start_containerd() {
  if running containerd; then return; fi
  mkdir -p "$STATE/cni"
  cat >"$STATE/cni/10-sekisho.conflist" <<END
{
  "cniVersion": "0.4.0",
  "name": "sekisho",
  "plugins": [{
    "type": "bridge",
    "bridge": "$POD_BRIDGE",
    "isGateway": true,
    "ipMasq": false,
    "hairpinMode": true,
    "ipam": {
      "type": "host-local",
      "dataDir": "$STATE/addresses",
      "ranges": [[{"subnet": "$POD_NET"}]],
      "routes": [{"dst": "0.0.0.0/0"}]
    }
  }]
}
END
  cat >"$STATE/containerd.toml" <<END
version = 2
root = "$STATE/containerd"
state = "$RUNTIME/containerd"
[grpc]
  address = "$CONTAINERD_SOCKET"
[plugins."io.containerd.internal.v1.opt"]
  path = "$STATE/containerd-opt"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "sekisho.local/pause:dev"
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  disable_tcp_service = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
    conf_dir = "$STATE/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd]
    default_runtime_name = "runc"
    snapshotter = "overlayfs"
    [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
        Root = "$RUNTIME/runc"
END
  rm -f "$CONTAINERD_SOCKET"
  start containerd containerd --config "$STATE/containerd.toml"
}

start_kubelet() {
  if running kubelet; then return; fi
  : >"$STATE/resolv.conf" # empty: pods get only the cluster's DNS
  cat >"$STATE/kubelet.yaml" <<END
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: $NODE_ADDRESS
containerRuntimeEndpoint: unix://$CONTAINERD_SOCKET
cgroupDriver: cgroupfs
failCgroupV1: false
failSwapOn: false
authentication:
  anonymous: {enabled: false}
  webhook: {enabled: true}
  x509: {clientCAFile: $PKI/ca.crt}
authorization: {mode: Webhook}
tlsCertFile: $PKI/kubelet.crt
tlsPrivateKeyFile: $PKI/kubelet.key
clusterDNS: [$DNS_ADDRESS]
clusterDomain: cluster.local
resolvConf: $STATE/resolv.conf
podLogsDir: $STATE/pod-logs
volumePluginDir: $STATE/volume-plugins
imageGCHighThresholdPercent: 100
evictionHard: {memory.available: 100Mi, nodefs.available: 2%, imagefs.available: 2%}
maxPods: 200
END
  start kubelet "$TOOLS/kubelet" --config="$STATE/kubelet.yaml" --kubeconfig="$PKI/kubelet.kubeconfig" \
    --hostname-override="$NODE" --node-ip="$NODE_ADDRESS" --root-dir="$STATE/kubelet"
}

start_proxy() {
  # It ends itself when its configuration file is written.
  if running kube-proxy; then return; fi
  cat >"$STATE/kube-proxy.yaml" <<END
apiVersion: kubeproxy.config.k8s.io/v1alpha1
kind: KubeProxyConfiguration
clientConnection: {kubeconfig: $PKI/proxy.kubeconfig}
mode: iptables
iptables: {minSyncPeriod: 100ms, localhostNodePorts: true}
clusterCIDR: $POD_NET
hostnameOverride: $NODE
healthzBindAddress: 127.0.0.1:10256
metricsBindAddress: 127.0.0.1:10249
conntrack: {maxPerCore: 0}
END
  start kube-proxy "$TOOLS/kube-proxy" --config="$STATE/kube-proxy.yaml"
}

start_metrics() {
  # Where kubectl top and HorizontalPodAutoscalers get what pods use. Nothing waits for it.
  start metrics-server "$TOOLS/metrics-server" --kubeconfig="$PKI/metrics-server.kubeconfig" \
    --authentication-kubeconfig="$PKI/metrics-server.kubeconfig" \
    --authorization-kubeconfig="$PKI/metrics-server.kubeconfig" \
    --bind-address="$NODE_ADDRESS" --secure-port="$METRICS_PORT" --profiling=false \
    --tls-cert-file="$PKI/metrics-server.crt" --tls-private-key-file="$PKI/metrics-server.key" \
    --kubelet-certificate-authority="$PKI/ca.crt" --kubelet-use-node-status-port \
    --kubelet-preferred-address-types=InternalIP --kubelet-request-timeout=5s --metric-resolution=10s
}

# Every component, in the order in which it can be stopped.
# shellcheck disable=SC2034 # used by the script that sources this
COMPONENTS=(kubelet volume-provisioner metrics-server kube-proxy kube-scheduler kube-controller-manager containerd kube-apiserver etcd)

# load_image TAR: imports a Docker or OCI archive unless the same content is there under its name.
load_image() {
  local tar=$1 content stamp
  [[ -r $tar ]] || die "no such image archive: $tar" "build it with dev/images/build"
  content=$(tar -xOf "$tar" manifest.json 2>/dev/null || tar -xOf "$tar" index.json 2>/dev/null) ||
    die "not an image archive: $tar" "a Docker or OCI archive is needed"
  stamp=$STATE/images/$(sha256sum <<<"$content" | cut -c1-32)
  if [[ -e $stamp ]]; then return; fi
  run_step "loading $(basename "$tar")" "$STATE/logs/load-image.log" "is containerd running? see $STATE/logs/containerd.log" \
    containers images import "$tar"
  # A name now points to this content: what was noted of earlier content no longer holds.
  mkdir -p "$STATE/images"
  local name other
  for name in $(grep -oE '"[a-z0-9./-]+:[A-Za-z0-9._-]+"' <<<"$content" | grep -v sha256 | tr -d '"'); do
    for other in "$STATE"/images/*; do
      if [[ -e $other ]] && grep -qxF "$name" "$other"; then rm "$other"; fi
    done
    printf '%s\n' "$name"
  done >"$stamp.new"
  mv "$stamp.new" "$stamp"
}

# ctr waits long for a socket that is not there yet.
containerd_answers() { [[ -S $CONTAINERD_SOCKET ]] && ctr --connect-timeout 2s -a "$CONTAINERD_SOCKET" version; }

node_ready() {
  [[ $(k8s get node "$NODE" -o 'jsonpath={.status.conditions[?(@.type=="Ready")].status}') == True ]]
}

dns_answers() { [[ $("$TOOLS/lookup" $DNS_ADDRESS kubernetes.default.svc.cluster.local) == 10.96.0.1 ]]; }

metrics_answer() { k8s get --raw /apis/metrics.k8s.io/v1beta1/nodes; }

# metrics_manifest: the registration of metrics-server, a process of the host, with the API server.
metrics_manifest() {
  sed -e "s|@ADDRESS@|$NODE_ADDRESS|;s|@PORT@|$METRICS_PORT|;s|@AUTHORITY@|$(base64 -w0 "$PKI/ca.crt")|" \
    "$CLUSTER/manifests/metrics-server.yaml"
}

api_ready() { k8s get --raw /readyz; }

# kill_containers: ends every pod at once, whether or not the container runtime still answers.
kill_containers() {
  local tries pids pid
  for ((tries = 0; tries < 50; tries++)); do
    # Groups vanish while they are looked at, hence "or true".
    pids=$({ find /sys/fs/cgroup -path '*/kubepods*' -name cgroup.procs -exec cat {} + 2>/dev/null || true; } | sort -u)
    [[ -n $pids ]] || break
    for pid in $pids; do kill -KILL "$pid" 2>/dev/null || true; done
    sleep 0.1
  done
  for pid in $(strays); do
    if [[ $(readlink "/proc/$pid/exe") == */containerd-shim-runc-v2 ]]; then kill -KILL "$pid" 2>/dev/null || true; fi
  done
}

# remove_shim_sockets: containerd's shims listen outside of its folder, and a killed one leaves its socket.
remove_shim_sockets() {
  local file
  for file in "$RUNTIME"/containerd/io.containerd.runtime.v2.task/k8s.io/*/address; do
    if [[ -e $file ]]; then rm -f "$(sed 's#^unix://##' "$file")"; fi
  done
}

# sweep: what the kubelet, containerd and the CNI plugins leave outside of our own folders.
sweep() {
  local folder
  remove_shim_sockets
  # A mount under another one goes first.
  while read -r folder; do
    umount "$folder" 2>/dev/null || umount -l "$folder" 2>/dev/null || true
  done < <(awk -v a="$STATE/" -v b="$RUNTIME/" 'index($2, a) == 1 || index($2, b) == 1 {print $2}' /proc/mounts | sort -r)
  find /sys/fs/cgroup -depth -type d -path '*/kubepods*' -exec rmdir {} + 2>/dev/null || true
  local result
  for result in /var/lib/cni/results/sekisho-*; do
    # The result of the loopback plugin for the same pod has another name but the same id.
    rm -f "$result" /var/lib/cni/results/cni-loopback-"$(basename "${result#*sekisho-}" -eth0)"-lo
  done
  rm -f /var/lib/kubelet/device-plugins/kubelet.sock
  find /var/log/containers -type l -lname "$STATE/*" -delete 2>/dev/null || true
  rmdir /var/log/containers \
    /var/lib/cni/results /var/lib/cni /run/containerd/s /run/containerd \
    /var/lib/kubelet/device-plugins /var/lib/kubelet 2>/dev/null || true
}
