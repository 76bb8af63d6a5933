#!/usr/bin/env bash
# full-disk.sh - compile to a disk without room: full-disk.sh FOLDER MODEL.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# This file mounts, so it runs in a name space of its own.
folder=$1 model=$2
mount -t tmpfs -o size=4k tmpfs "$folder/full"
compile() {
  tenon-compile "$model" --quiet "$@"
  echo "status $?"
}
compile --no-kernel-cache -o "$folder/full/new.tenon"
echo old >"$folder/full/old.tenon"
compile --no-kernel-cache -o "$folder/full/old.tenon"
[ "$(cat "$folder/full/old.tenon")" = old ] && echo "as before"
echo "left:" "$(ls "$folder/full")"
compile --kernel-cache="$folder/full/kernels" -o "$folder/cached.tenon"
unset TENON_KERNEL_CACHE TENON_CACHE XDG_CACHE_HOME
HOME=/dev/null compile -o "$folder/home.tenon"
