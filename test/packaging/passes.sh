# shellcheck shell=bash
# passes.sh - count and print what passes, for scripts that read this file.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
passed=0 all=0

# passes NAME COMMAND...: its output is shown when it fails.
passes() {
  local name=$1 out
  shift
  all=$((all + 1))
  if out=$("$@" 2>&1); then
    passed=$((passed + 1))
    echo "$name: passed"
  else
    printf '%s: FAILED\n%s\n' "$name" "$out"
  fi
}
