#!/usr/bin/env bash
# consume.sh - install, move, and build other projects against what is installed.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: consume.sh BUILD FOLDER C-COMPILER C++-COMPILER; each program's line
# goes to the standard output.
set -euo pipefail
build=$1 folder=$2 cc=$3 cxx=$4
here=$(cd "$(dirname "$0")" && pwd)
unset LD_LIBRARY_PATH CPATH LIBRARY_PATH

rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' EXIT
cmake --install "$build" --prefix "$folder/first" >"$folder/install.log"
mv "$folder/first" "$folder/a place"
tree="$folder/a place"
export CMAKE_PREFIX_PATH=$tree PKG_CONFIG_PATH=$tree/lib/pkgconfig

show() { printf '%s: %s\n' "$1" "$("${@:2}")"; }
run() { show "$(basename "$1")" "$@"; }

programs() {
  local net=$here/consumer/net.onnxtxt
  "$tree/bin/tenon-compile" "$net" --quiet --no-kernel-cache \
    --dim batch=2 -o "$folder/net.tenon"
  show tenon-run "$tree/bin/tenon-run" "$folder/net.tenon"
  show interpreted "$tree/bin/tenon-run" --interpret "$net" --dim batch=2
}

by_cmake() {
  local out=$folder/cmake program
  cmake -G Ninja -S "$here/consumer" -B "$out" -DCMAKE_C_COMPILER="$cc" \
    -DCMAKE_CXX_COMPILER="$cxx" >"$folder/cmake.log"
  ninja -C "$out" >>"$folder/cmake.log" || { cat "$folder/cmake.log" && exit 1; }
  run "$out/deploy"
  for program in run-c run-cxx run-static; do
    run "$out/$program" "$folder/net.tenon"
  done
  for program in compile-c compile-cxx; do
    run "$out/$program" "$here/consumer/net.onnxtxt"
  done
}

# by_pkg_config MODULE SOURCE ARGUMENT: as C and as C++.
by_pkg_config() {
  local flags source=$here/consumer/$2
  eval "flags=($(pkg-config --cflags --libs "$1"))"
  "$cc" -std=c11 -Wall -Werror "$source" "${flags[@]}" \
    -Wl,-rpath,"$tree/lib" -o "$folder/$1-c"
  "$cxx" -x c++ -std=c++17 -Wall -Werror "$source" "${flags[@]}" \
    -Wl,-rpath,"$tree/lib" -o "$folder/$1-cxx"
  run "$folder/$1-c" "$3"
  run "$folder/$1-cxx" "$3"
}

programs
by_cmake
by_pkg_config tenon-runtime run.c "$folder/net.tenon"
by_pkg_config tenon-compiler compile.c "$here/consumer/net.onnxtxt"
