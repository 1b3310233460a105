# shellcheck shell=bash
# alone NAME SCRIPT ARGUMENT...: begins the script again under a lock of the build cache, unless it has it already. In
# contrast to `locked`, what the script leaves running does not inherit the lock.
alone() {
  local name=$1 file=$SEKISHO_CACHE/locks/$1
  shift
  if [[ ${SEKISHO_ALONE:-} == "$name" ]]; then return; fi
  mkdir -p "$SEKISHO_CACHE/locks"
  flock --nonblock "$file" true || note "waiting for another process that holds $file"
  SEKISHO_ALONE=$name exec flock --close "$file" "$@"
}
