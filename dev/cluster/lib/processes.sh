# shellcheck shell=bash
# Processes in the background, known by process id and start time, so that an id which the kernel
# has given to another process after a crash or a reboot is never taken for ours.

# start NAME COMMAND...: starts it unless it runs; its output goes to $STATE/logs/NAME.log.
start() {
  local name=$1 pid
  shift
  if running "$name"; then return; fi
  mkdir -p "$STATE/run" "$STATE/logs"
  if [[ -f $STATE/logs/$name.log ]]; then mv "$STATE/logs/$name.log" "$STATE/logs/$name.old.log"; fi
  # shellcheck disable=SC2154 # the lock of the script that sources this is not for its processes
  setsid "$@" >"$STATE/logs/$name.log" 2>&1 </dev/null {lock}>&- &
  pid=$!
  printf '%s %s\n' "$pid" "$(start_time "$pid")" >"$STATE/run/$name"
}

# start_time PID: in clock ticks since boot; empty when there is no such process.
start_time() {
  local stat
  stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
  # shellcheck disable=SC2086 # its words are the fields from the third one on
  set -- ${stat##*)}
  printf '%s\n' "${20}"
}

# running NAME
running() {
  local pid since
  read -r pid since 2>/dev/null <"$STATE/run/$1" || return 1
  [[ -n $since && $(start_time "$pid") == "$since" ]] && ! grep -q '^State:.*[ZX]' "/proc/$pid/status" 2>/dev/null
}

# stop NAME...: at once. Only `down` stops processes, and it removes all that they could still save.
stop() {
  local name pid
  for name in "$@"; do
    if running "$name"; then
      read -r pid _ <"$STATE/run/$name"
      end "$pid" KILL
    fi
    rm -f "$STATE/run/$name"
  done
}

# end PID [SIGNAL]: by SIGTERM unless told otherwise, and after 10 s by SIGKILL.
end() {
  local pid=$1 since tries
  since=$(start_time "$pid")
  kill -"${2:-TERM}" "$pid" 2>/dev/null || return 0
  for ((tries = 0; tries < 100; tries++)); do
    [[ -n $since && $(start_time "$pid") == "$since" ]] && ! grep -q '^State:.*[ZX]' "/proc/$pid/status" 2>/dev/null || return 0
    sleep 0.1
  done
  kill -KILL "$pid" 2>/dev/null || true
}

# strays: ids of the cluster's processes that no file in $STATE/run knows: what a killed `up` left,
# and the shims of containers. They are known by program and by our folders in their arguments.
strays() {
  local folder pid known
  known=$(cat "$STATE"/run/* 2>/dev/null | awk '{print $1}') || true
  for folder in /proc/[0-9]*; do
    pid=${folder#/proc/}
    [[ $(readlink "$folder/exe" 2>/dev/null) =~ /(k8s|etcd|containerd|containerd-shim-runc-v2)$ ]] || continue
    tr '\0' ' ' <"$folder/cmdline" 2>/dev/null | grep -qE "($STATE|$RUNTIME)/" || continue
    grep -qx "$pid" <<<"$known" || printf '%s\n' "$pid"
  done
}
