# shellcheck shell=bash
# The cluster's certificates and kubeconfig files. They live as long as the cluster's state.

certificates() {
  mkdir -p "$PKI"
  chmod 0700 "$PKI"
  authority ca
  authority front-proxy-ca
  authority etcd-ca
  once service-accounts.key key rsa
  certificate apiserver ca kube-apiserver "" "DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,DNS:localhost,IP:127.0.0.1,IP:10.96.0.1,IP:$NODE_ADDRESS"
  certificate kubelet ca "system:node:$NODE" system:nodes "DNS:$NODE,IP:$NODE_ADDRESS"
  certificate kubelet-client ca kube-apiserver-kubelet-client system:masters
  certificate controller-manager ca system:kube-controller-manager
  certificate scheduler ca system:kube-scheduler
  certificate proxy ca system:kube-proxy
  certificate volume-provisioner ca sekisho:volume-provisioner
  certificate metrics-server ca sekisho:metrics-server "" "DNS:metrics-server.kube-system.svc"
  certificate admin ca admin system:masters
  certificate front-proxy front-proxy-ca front-proxy
  certificate etcd etcd-ca etcd "" "DNS:localhost,IP:127.0.0.1"
  certificate etcd-client etcd-ca kube-apiserver
  local user
  for user in kubelet controller-manager scheduler proxy volume-provisioner metrics-server admin; do
    once "$user.kubeconfig" kubeconfig "$user"
  done
  install -m 0600 "$PKI/admin.kubeconfig" "$KUBECONFIG"
}

# once FILE COMMAND...: keeps what the command prints, unless the file is there; a file that exists is complete.
once() {
  local file=$PKI/$1
  shift
  if [[ -e $file ]]; then return; fi
  (umask 077 && "$@" >"$file.new")
  mv "$file.new" "$file"
}

# authority NAME
authority() {
  once "$1.key" key ec
  once "$1.crt" openssl req -x509 -key "$PKI/$1.key" -days 3650 -subj "/CN=sekisho-$1"
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
  once "$name.key" key $type
  once "$name.crt" sign "$name" "$authority" "$subject" "${5:-}"
}

# sign NAME AUTHORITY SUBJECT ALTERNATIVE_NAMES
sign() {
  openssl req -new -key "$PKI/$1.key" -subj "$3" |
    openssl x509 -req -days 3650 -CA "$PKI/$2.crt" -CAkey "$PKI/$2.key" -CAcreateserial 2>/dev/null -extfile <(
      echo "keyUsage=critical,digitalSignature,keyEncipherment"
      echo "extendedKeyUsage=serverAuth,clientAuth"
      if [[ -n $4 ]]; then echo "subjectAltName=$4"; fi
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
