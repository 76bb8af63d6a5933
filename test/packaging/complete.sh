#!/usr/bin/env bash
# complete.sh - what bash completes: complete.sh FILE WORD...
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
compopt() { :; }
. "$1"
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
"_${1//-/_}"
printf '%s\n' "${COMPREPLY[@]}"
