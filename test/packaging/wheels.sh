#!/usr/bin/env bash
# wheels.sh - what others' tools say of the wheels, their stubs and sizes.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: wheels.sh PACKAGES VENV: a folder with the wheels of tenon and
# tenon-runtime, and an environment of requirements.txt. Nothing is fetched, or
# sent. Ends with "N of N passed".
set -euo pipefail
packages=$(realpath "$1") bin=$2/bin
. "$(dirname "$0")/passes.sh"
site=$(mktemp -d)
trap 'rm -rf "$site"' EXIT

says() { # TEXT COMMAND...
  local text=$1 out
  shift
  out=$("$@" 2>&1) && tr -s ' \n' ' ' <<<"$out" | grep -F "$text"
}

# A stranger's first minute: three lines that compile and run a model, the
# program beside them, and the run time from its sources.
installs() {
  local new=$site/venv here
  here=$(cd "$(dirname "$0")/../python" && pwd)
  python3 -m venv "$new" &&
    "$new/bin/pip" install -q --no-index "$packages"/tenon-*.whl &&
    "$new/bin/python" "$here/check_plain.py" "$site/net.tenon" &&
    "$new/bin/tenon-compile" --explain=TN0206 &&
    "$new/bin/tenon-run" "$site/net.tenon" &&
    "$new/bin/pip" install -q --no-index "$packages"/tenon_runtime-*.tar.gz &&
    "$new/bin/python" "$here/check_runtime.py" "$site/net.tenon"
}

is_at_most() { # BYTES FILE
  [ "$(stat -c %s "$2")" -le "$1" ]
}

for wheel in "$packages"/tenon-*.whl "$packages"/tenon_runtime-*.whl; do
  name=$(basename "$wheel")
  name=${name%%-*}
  passes "$name: its tag" says 'platform tag: "manylinux_2_34_' \
    "$bin/auditwheel" show "$wheel"
  passes "$name: the stable interface" \
    says '0 ABI version mismatches and 0 ABI violations' \
    "$bin/abi3audit" -v "$wheel"
  passes "$name: its description" "$bin/twine" check --strict "$wheel"
  passes "$name: its contents" "$bin/check-wheel-contents" "$wheel"
  python3 -m zipfile -e "$wheel" "$site"
done
passes "tenon: at most 35 MB" is_at_most 35000000 "$packages"/tenon-*.whl
passes "tenon_runtime: at most 150 KB" \
  is_at_most 150000 "$packages"/tenon_runtime-*.whl
passes "pip installs both, and they run" timeout 120 bash -c \
  "$(declare -f installs); site=$site packages=$packages; installs" "$0"
cd "$site"
for name in tenon tenon_runtime; do
  passes "$name: types" env MYPYPATH=. "$bin/mypy" --strict -p "$name"
  passes "$name: stubs" env MYPYPATH=. PYTHONPATH=. "$bin/stubtest" "$name"
done
echo "$passed of $all passed"
((passed == all))
