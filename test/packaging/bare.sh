#!/usr/bin/env bash
# bare.sh - packages, the archive and the wheel in a system that has nothing else.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# usage: bare.sh BUILD ROOT (as root): ROOT is a Debian of debootstrap, with
# python3; what is put into it is removed again. Ends with "N of N passed".
set -euo pipefail
build=$(realpath "$1") root=$(realpath "$2")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/passes.sh"

# With /proc, by which libraries beside a program are found.
inside() {
  # shellcheck disable=SC2016
  env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp unshare -m sh -c \
    'mount --bind /proc "$0/proc" && exec chroot "$0" "$@"' "$root" "$@"
}

computes() { # PROGRAM-FOLDER
  inside "$1/tenon-compile" /try/net.onnxtxt --dim batch=2 --quiet \
    -o /try/net.tenon && inside "$1/tenon-run" /try/net.tenon | grep '^y: ' &&
    inside "$1/tenon-run" --interpret /try/net.onnxtxt --dim batch=2 |
    grep '^y: '
}

installs() {
  inside dpkg -i /try/libtenon-runtime0.deb /try/tenon.deb /try/libtenon-dev.deb
}

removes() {
  inside dpkg --purge libtenon-dev tenon libtenon-runtime0 &&
    ! find "$root/usr" "$root/etc" -name '*tenon*' | grep .
}

unpacks() {
  mkdir "$root/try/tree" &&
    tar -xzf "$build"/packages/tenon-*.tar.gz -C "$root/try/tree" \
      --strip-components=1 && computes /try/tree/bin
}

runs_python() {
  inside python3 -m zipfile -e /try/tenon.whl /try/site &&
    chmod +x "$root"/try/site/tenon/bin/* &&
    inside env PYTHONPATH=/try/site python3 /try/check_plain.py /try/py.tenon |
    grep -x same
}

trap 'rm -rf "$root/try"' EXIT
rm -rf "$root/try"
mkdir "$root/try"
cp "$here/consumer/net.onnxtxt" "$here/../python/check_plain.py" "$root/try"
for package in libtenon-runtime0 libtenon-dev tenon; do
  cp "$build/packages/${package}"_*.deb "$root/try/$package.deb"
done
cp "$build"/packages/tenon-*.whl "$root/try/tenon.whl"

passes "no compiler and no C++ library of ours" \
  sh -c "! ls -d '$root'/usr/bin/*cc '$root'/usr/lib/llvm* 2>/dev/null | grep -q ."
passes "debs install" installs
passes "programs run" computes /usr/bin
passes "debs leave nothing behind" removes
passes "the archive runs" unpacks
passes "the wheel runs" runs_python
echo "$passed of $all passed"
((passed == all))
