# shellcheck shell=bash
# Shared by the scripts of dev/: progress, failures with a remedy, the build cache, Debian packages,
# and the JDK. Source it; it only defines things. Progress goes to stderr, results to stdout.

SEKISHO_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
SEKISHO_CACHE=${SEKISHO_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/sekisho}
SEKISHO_LOGS=${SEKISHO_LOGS:-$SEKISHO_CACHE/logs}
started_at=${EPOCHREALTIME/[^0-9]/}

# elapsed: seconds since the script began, with one decimal.
elapsed() {
  local tenths=$(((${EPOCHREALTIME/[^0-9]/} - started_at) / 100000))
  printf '%d.%d' $((tenths / 10)) $((tenths % 10))
}

# note TEXT...: one line of progress.
note() { printf '[%6s s] %s\n' "$(elapsed)" "$*" >&2; }

# die TEXT [REMEDY [LOG]]: what failed, the end of the log, and what to do about it.
die() {
  local text=$1 remedy=${2:-} log=${3:-}
  {
    printf '\nFAILED: %s\n' "$text"
    if [[ -n $log ]]; then
      printf '   log: %s\n' "$log"
      [[ -s $log ]] && tail -n 15 "$log" | sed 's/^/      | /'
    fi
    if [[ -n $remedy ]]; then printf 'remedy: %s\n' "$remedy"; fi
  } >&2
  exit 1
}

# run_step TITLE LOG REMEDY COMMAND...: runs a command with its output in LOG; says every 30 s that
# it still runs, and how long it took if that was more than a moment.
run_step() {
  local title=$1 log=$2 remedy=$3 since=$SECONDS told=$SECONDS pid status=0
  shift 3
  mkdir -p "$(dirname "$log")"
  note "$title"
  "$@" >"$log" 2>&1 &
  pid=$!
  # Background commands ignore an interrupt from the terminal, so it is passed on.
  trap 'kill "$pid" 2>/dev/null; exit 130' INT TERM
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.1
    if ((SECONDS - told >= 30)); then
      told=$SECONDS
      note "  ... still at it after $((SECONDS - since)) s (log: $log)"
    fi
  done
  wait "$pid" || status=$?
  trap - INT TERM
  ((status == 0)) || die "$title (exit status $status)" "$remedy" "$log"
  if ((SECONDS - since >= 3)); then note "  done in $((SECONDS - since)) s"; fi
}

# wait_for TITLE SECONDS LOG REMEDY COMMAND...: polls until the command succeeds.
wait_for() {
  local title=$1 limit=$2 log=$3 remedy=$4 since=$SECONDS
  shift 4
  until "$@" >/dev/null 2>&1; do
    ((SECONDS - since < limit)) || die "$title: not within $limit s" "$remedy" "$log"
    sleep 0.1
  done
}

# hash_of [FILE_OR_FOLDER...] [-- STRING...]: 16 hex digits over names, contents and strings.
# Names count relative to the repository, so a checkout elsewhere has the same hashes.
hash_of() {
  local files=()
  while (($# > 0)) && [[ $1 != -- ]]; do files+=("$1") && shift; done
  {
    printf '%s\0' "$@"
    if ((${#files[@]} > 0)); then
      find "${files[@]}" -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum |
        sed "s#  $SEKISHO_ROOT/#  #"
    fi
  } | sha256sum | cut -c1-16
}

# locked NAME COMMAND...: runs a command while holding a lock of the cache.
locked() {
  local file=$SEKISHO_CACHE/locks/$1 fd
  shift
  mkdir -p "$SEKISHO_CACHE/locks"
  exec {fd}>"$file"
  if ! flock -n "$fd"; then
    note "waiting for another process that holds $file"
    flock "$fd"
  fi
  "$@"
  exec {fd}>&-
}

# cached FOLDER COMMAND...: makes FOLDER once. The command gets a temporary folder as last argument,
# which becomes FOLDER when it succeeds; so a folder that exists is complete.
cached() {
  local folder=$1
  shift
  if [[ ! -d $folder ]]; then
    mkdir -p "$(dirname "$folder")"
    locked "$(tr / - <<<"${folder#"$SEKISHO_CACHE"/}")" fill_cache "$folder" "$@"
  fi
  touch -c "$folder"
}

fill_cache() {
  local folder=$1 temporary=$1.new
  shift
  [[ -d $folder ]] && return # another process has made it meanwhile
  rm -rf "$temporary"
  mkdir "$temporary"
  "$@" "$temporary"
  mv "$temporary" "$folder"
  forget_old "$folder"
}

# forget_old PATH: removes what lies beside PATH (older builds) and was not used for 14 days.
forget_old() {
  find "$(dirname "$1")" -mindepth 1 -maxdepth 1 ! -path "$1" -mtime +14 -exec rm -rf {} +
}

# keep_newest COUNT FILE...: deletes all but the newest of the files.
keep_newest() {
  local count=$1
  shift
  # shellcheck disable=SC2012 # the names are ours: no spaces in them
  ls -t "$@" | tail -n "+$((count + 1))" | xargs -r rm -f
}

# need_root: most of this works on namespaces, mounts and packet filters.
need_root() {
  ((EUID == 0)) || die "root is needed" "run it again with sudo -E"
}

# need_packages COMMAND=PACKAGE...: installs Debian packages whose commands (or files, when they
# begin with /) are missing. Their services are not started.
need_packages() {
  local pair missing=()
  for pair in "$@"; do
    if [[ $pair == /* ]]; then
      [[ -e ${pair%%=*} ]] || missing+=("${pair#*=}")
    else
      command -v "${pair%%=*}" >/dev/null || missing+=("${pair#*=}")
    fi
  done
  ((${#missing[@]} > 0)) || return 0
  command -v apt-get >/dev/null ||
    die "missing programs of the Debian packages: ${missing[*]}" "install them; on Debian this script does so itself"
  need_root
  note "missing Debian packages: ${missing[*]}"
  locked packages install_packages "${missing[@]}"
}

install_packages() {
  run_step "apt-get update" "$SEKISHO_LOGS/apt-update.log" "see the log; is the package source reachable?" \
    apt-get update
  run_step "apt-get install $*" "$SEKISHO_LOGS/apt-install.log" "see the log, or install them by hand" \
    without_services apt-get install -y --no-install-recommends "$@"
}

# without_services COMMAND...: packages that the command installs do not start their services: not
# now, and, of those that were not there before, not at the next boot.
without_services() {
  local policy=/usr/sbin/policy-rc.d before made=0 status=0 unit
  before=$(enabled_units)
  if [[ ! -e $policy ]]; then
    made=1
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  DEBIAN_FRONTEND=noninteractive "$@" || status=$?
  if ((made)); then rm -f "$policy"; fi
  while read -r unit; do
    systemctl disable "$unit" || true
  done < <(comm -13 <(printf '%s\n' "$before") <(enabled_units) | sed '/^$/d')
  return "$status"
}

enabled_units() {
  if command -v systemctl >/dev/null; then
    systemctl list-unit-files --state=enabled --type=service --no-legend 2>/dev/null |
      awk '{print $1}' | LC_ALL=C sort
  fi
}

# need_go: checks the Go tool chain.
need_go() {
  local version oldest=1.24.4
  command -v go >/dev/null || die "Go is missing" "install Go $oldest or later and put it on PATH"
  version=$(go env GOVERSION)
  printf '%s\n' "$oldest" "${version#go}" | sort --check=quiet --version-sort ||
    die "Go is too old: $version" "install Go $oldest or later and put it on PATH"
}

# find_jdk: prints the home of a JDK 25, from JAVA_HOME, PATH or the usual places.
find_jdk() {
  local home candidates=("${JAVA_HOME:-}" /usr/lib/jvm/* /opt/java/* "$HOME"/.sdkman/candidates/java/*)
  if home=$(command -v javac); then candidates+=("$(dirname "$(dirname "$(readlink -f "$home")")")"); fi
  for home in "${candidates[@]}"; do
    if [[ -x $home/bin/javac && -r $home/release ]] && grep -q '^JAVA_VERSION="25[."]' "$home/release"; then
      printf '%s\n' "$home"
      return
    fi
  done
  die "no JDK 25 found" "install one (for instance Eclipse Temurin 25) or set JAVA_HOME to it"
}
