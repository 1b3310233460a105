# shellcheck shell=bash
# The cluster's network: two bridges, a route, kernel settings, and rules that keep it on this machine.

NODE_BRIDGE=sekisho-node
POD_BRIDGE=sekisho-pods
NODE_ADDRESS=10.87.0.1
NODE_NET=10.87.0.0/24
POD_NET=10.88.0.0/16
SERVICE_NET=10.96.0.0/16
API_PORT=6443

# What the cluster's processes change in the kernel; put back by network_down.
SYSCTLS=(
  net.ipv4.ip_forward net.ipv4.conf.all.route_localnet
  net.bridge.bridge-nf-call-iptables net.bridge.bridge-nf-call-ip6tables
  net.netfilter.nf_conntrack_max net.netfilter.nf_conntrack_tcp_timeout_established
  net.netfilter.nf_conntrack_tcp_timeout_close_wait
  vm.overcommit_memory vm.panic_on_oom kernel.panic kernel.panic_on_oops
  kernel.keys.root_maxkeys kernel.keys.root_maxbytes
  fs.inotify.max_user_instances
)

# The rules, as TABLE CHAIN RULE. Each chain is entered from the built-in chain named behind its "@".
# Filter rules refuse quickly what a pod tries. Rules of the mangle table, which the cluster's own
# components leave alone, are the guarantee: whatever else accepts a packet, it is dropped there.
containment_rules() {
  local net
  # Nobody outside reaches loopback (NodePorts need route_localnet), the networks or the API server.
  echo "mangle SEKISHO-IN@PREROUTING -i lo -j RETURN"
  echo "mangle SEKISHO-IN@PREROUTING -d 127.0.0.0/8 -j DROP"
  echo "mangle SEKISHO-IN@PREROUTING -i $NODE_BRIDGE -j RETURN"
  echo "mangle SEKISHO-IN@PREROUTING -i $POD_BRIDGE -j RETURN"
  for net in $NODE_NET $POD_NET $SERVICE_NET; do
    echo "mangle SEKISHO-IN@PREROUTING -s $net -j DROP"
    echo "mangle SEKISHO-IN@PREROUTING -d $net -j DROP"
  done
  echo "mangle SEKISHO-IN@PREROUTING -p tcp -m tcp --dport $API_PORT -m addrtype --dst-type LOCAL -j DROP"
  # Nor by a NodePort.
  echo "mangle SEKISHO-THROUGH@FORWARD ! -i $POD_BRIDGE -o $POD_BRIDGE -j DROP"
  # Nothing of the networks leaves by another interface than their own.
  for net in lo $NODE_BRIDGE $POD_BRIDGE; do
    echo "mangle SEKISHO-OUT@POSTROUTING -o $net -j RETURN"
    echo "filter SEKISHO-OUTPUT@OUTPUT -o $net -j RETURN"
  done
  for net in $NODE_NET $POD_NET $SERVICE_NET; do
    echo "mangle SEKISHO-OUT@POSTROUTING -s $net -j DROP"
    echo "mangle SEKISHO-OUT@POSTROUTING -d $net -j DROP"
    echo "filter SEKISHO-OUTPUT@OUTPUT -s $net -j REJECT"
    echo "filter SEKISHO-OUTPUT@OUTPUT -d $net -j REJECT"
  done
  # Pods reach each other, whatever the policy of the machine's FORWARD chain is.
  echo "filter SEKISHO-FORWARD@FORWARD -i $POD_BRIDGE -o $POD_BRIDGE -j ACCEPT"
  echo "filter SEKISHO-FORWARD@FORWARD -i $POD_BRIDGE -o $NODE_BRIDGE -j RETURN"
  echo "filter SEKISHO-FORWARD@FORWARD -i $POD_BRIDGE -j REJECT"
}

network_up() {
  modprobe -q br_netfilter || true
  modprobe -q overlay || true
  refuse_foreign_use
  save_sysctls
  local bridge
  for bridge in $NODE_BRIDGE $POD_BRIDGE; do
    ip link show "$bridge" >/dev/null 2>&1 || ip link add "$bridge" type bridge
    if [[ -e /proc/sys/net/ipv6/conf/$bridge ]]; then sysctl -qw "net.ipv6.conf.$bridge.disable_ipv6=1"; fi
    ip link set "$bridge" up
  done
  ip address replace $NODE_ADDRESS/24 dev $NODE_BRIDGE
  contain
  # Addresses of Services are only ever rewritten; the route is there so that they go nowhere else.
  ip route replace $SERVICE_NET dev $NODE_BRIDGE
  sysctl -qw net.ipv4.ip_forward=1 net.bridge.bridge-nf-call-iptables=1
  if (($(sysctl -n fs.inotify.max_user_instances) < 1024)); then sysctl -qw fs.inotify.max_user_instances=1024; fi
}

# refuse_foreign_use: another user of the same networks or chains would break, or break us.
refuse_foreign_use() {
  local net foreign
  for net in $NODE_NET $POD_NET $SERVICE_NET; do
    foreign=$({ ip -4 route show root "$net" && ip -4 route show match "$net"; } |
      grep -v -e '^default' -e "dev $NODE_BRIDGE" -e "dev $POD_BRIDGE" || true)
    [[ -z $foreign ]] ||
      die "network $net is in use on this machine: $foreign" "remove that network (Podman's default one, a VPN, another cluster)"
  done
  if ! iptables -w -t mangle -S SEKISHO-OUT >/dev/null 2>&1 && iptables -w -t nat -S KUBE-SERVICES >/dev/null 2>&1; then
    die "another Kubernetes uses this machine's packet filter (chain KUBE-SERVICES)" "stop it, or use another machine"
  fi
}

contain() {
  local table chain rule hook
  while read -r table chain rule; do
    hook=${chain#*@} chain=${chain%@*}
    iptables -w -t "$table" -S "$chain" >/dev/null 2>&1 || iptables -w -t "$table" -N "$chain"
    # shellcheck disable=SC2086 # rules are lists of words
    iptables -w -t "$table" -C "$chain" $rule 2>/dev/null || iptables -w -t "$table" -A "$chain" $rule
    iptables -w -t "$table" -C "$hook" -j "$chain" 2>/dev/null || iptables -w -t "$table" -I "$hook" -j "$chain"
  done < <(containment_rules)
}

# contained: fails unless every rule is in place and each table's chain is entered.
contained() {
  local table chain rule
  while read -r table chain rule; do
    # shellcheck disable=SC2086
    iptables -w -t "$table" -C "${chain%@*}" $rule && iptables -w -t "$table" -C "${chain#*@}" -j "${chain%@*}" || return
  done < <(containment_rules)
}

save_sysctls() {
  local key boot
  boot=$(</proc/sys/kernel/random/boot_id)
  if [[ -f $STATE/sysctls ]] && grep -qx "# $boot" "$STATE/sysctls"; then return; fi
  {
    printf '# %s\n' "$boot"
    for key in "${SYSCTLS[@]}"; do
      if [[ -e /proc/sys/${key//.//} ]]; then printf '%s=%s\n' "$key" "$(sysctl -n "$key")"; fi
    done
  } >"$STATE/sysctls"
}

restore_sysctls() {
  [[ -f $STATE/sysctls ]] || return 0
  grep -qx "# $(</proc/sys/kernel/random/boot_id)" "$STATE/sysctls" || return 0
  local setting
  while read -r setting; do
    # Writing ip_forward resets other settings, hence only when it differs.
    [[ $(sysctl -n "${setting%%=*}" 2>/dev/null) == "${setting#*=}" ]] || sysctl -qw "$setting" || true
  done < <(grep -v '^#' "$STATE/sysctls")
}

network_down() {
  local program=iptables ours=0
  if iptables -w -t mangle -S SEKISHO-OUT >/dev/null 2>&1; then ours=1; fi
  if ((ours)) || [[ -e $STATE/.sekisho-cluster ]]; then
    for program in iptables ip6tables; do
      command -v $program >/dev/null && remove_chains $program
    done
  fi
  ip link delete $POD_BRIDGE 2>/dev/null || true
  ip link delete $NODE_BRIDGE 2>/dev/null || true
  restore_sysctls
}

# remove_chains PROGRAM: first the rules of built-in chains that jump to ours, then our chains. They
# are ours by prefix: refuse_foreign_use lets no second Kubernetes in beside this one.
remove_chains() {
  local program=$1 table rule chain chains
  for table in mangle nat filter; do
    while read -r rule; do
      # shellcheck disable=SC2086 # xargs below keeps quoted comments together
      xargs $program -w -t "$table" <<<"-D ${rule#-A }" || true
    done < <($program -w -t "$table" -S 2>/dev/null |
      grep -E '^-A (PREROUTING|INPUT|FORWARD|OUTPUT|POSTROUTING) .*-j (KUBE|SEKISHO|CNI)-' || true)
    mapfile -t chains < <($program -w -t "$table" -S 2>/dev/null | awk '/^-N (KUBE|SEKISHO)-/ {print $2}')
    for chain in "${chains[@]}"; do $program -w -t "$table" -F "$chain"; done
    for chain in "${chains[@]}"; do $program -w -t "$table" -X "$chain"; done
  done
}
