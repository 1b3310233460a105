# shellcheck shell=bash
# The cluster's certificates and kubeconfig files. They live as long as the cluster's state.

certificates() {
  if [[ -e $PKI/complete ]]; then return; fi
  rm -rf "$PKI"
  mkdir -p "$PKI"
  chmod 0700 "$PKI"
  authority ca
  authority front-proxy-ca
  authority etcd-ca
  key rsa >"$PKI/service-accounts.key"
  certificate apiserver ca kube-apiserver "" "DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,DNS:localhost,IP:127.0.0.1,IP:10.96.0.1,IP:$NODE_ADDRESS"
  certificate kubelet ca "system:node:$NODE" system:nodes "DNS:$NODE,IP:$NODE_ADDRESS"
  certificate kubelet-client ca kube-apiserver-kubelet-client system:masters
  certificate controller-manager ca system:kube-controller-manager
  certificate scheduler ca system:kube-scheduler
  certificate proxy ca system:kube-proxy
  certificate volume-provisioner ca sekisho:volume-provisioner
  certificate admin ca admin system:masters
  certificate front-proxy front-proxy-ca front-proxy
  certificate etcd etcd-ca etcd "" "DNS:localhost,IP:127.0.0.1"
  certificate etcd-client etcd-ca kube-apiserver
  local user
  for user in kubelet controller-manager scheduler proxy volume-provisioner; do
    kubeconfig "$user" >"$PKI/$user.kubeconfig"
  done
  kubeconfig admin >"$KUBECONFIG"
  chmod 0600 "$KUBECONFIG"
  touch "$PKI/complete"
}

# authority NAME
authority() {
  key ec >"$PKI/$1.key"
  openssl req -x509 -key "$PKI/$1.key" -days 3650 -subj "/CN=sekisho-$1" -out "$PKI/$1.crt"
}

# key TYPE: prints a new private key. Elliptic curves, because making one takes no time; RSA, in the
# traditional form, for what every Kubernetes client has to read.
key() {
  case $1 in
    ec) openssl ecparam -name prime256v1 -genkey -noout ;;
    rsa) openssl genrsa -traditional 2048 2>/dev/null ;;
  esac
}

# certificate NAME AUTHORITY COMMON_NAME [ORGANIZATION [ALTERNATIVE_NAMES]]
certificate() {
  local name=$1 authority=$2 subject=/CN=$3 type=ec
  if [[ -n ${4:-} ]]; then subject="/O=$4$subject"; fi
  if [[ $name == admin ]]; then type=rsa; fi
  key $type >"$PKI/$name.key"
  openssl req -new -key "$PKI/$name.key" -subj "$subject" |
    openssl x509 -req -days 3650 -CA "$PKI/$authority.crt" -CAkey "$PKI/$authority.key" -CAcreateserial \
      -out "$PKI/$name.crt" 2>/dev/null -extfile <(
        echo "keyUsage=critical,digitalSignature,keyEncipherment"
        echo "extendedKeyUsage=serverAuth,clientAuth"
        if [[ -n ${5:-} ]]; then echo "subjectAltName=$5"; fi
      )
}

# kubeconfig USER: self-contained, so it can be copied.
kubeconfig() {
  cat <<END
apiVersion: v1
kind: Config
clusters:
  - name: sekisho-dev
    cluster:
      server: https://127.0.0.1:$API_PORT
      certificate-authority-data: $(base64 -w0 "$PKI/ca.crt")
users:
  - name: sekisho-dev-$1
    user:
      client-certificate-data: $(base64 -w0 "$PKI/$1.crt")
      client-key-data: $(base64 -w0 "$PKI/$1.key")
contexts:
  - name: sekisho-dev
    context:
      cluster: sekisho-dev
      user: sekisho-dev-$1
current-context: sekisho-dev
END
}
