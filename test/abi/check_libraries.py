# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check what a shared library exports and needs.

It exports the symbols of a list, in versions that the list names; those in
TENON_0.1 are what the headers declare as TENON_API. It needs no library but
those of --needs, nothing of glibc above --glibc, and nothing by a path."""

import argparse
import pathlib
import re
import subprocess
import sys

# libc's own parts, whichever of them holds a function.
SYSTEM = {"libc.so.6", "libm.so.6", "ld-linux-x86-64.so.2",
          "ld-linux-aarch64.so.1"}


def output(*command):
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def exported(library):
    """name@version of each defined symbol; nodes of versions aside."""
    lines = output("llvm-nm", "-D", "--defined-only", library).splitlines()
    names = {line.split()[-1].replace("@@", "@") for line in lines}
    return {name for name in names if "@" in name}


def declared(headers):
    found = set()
    for header in headers:
        text = re.sub(r"//[^\n]*|^#[^\n]*(\\\n[^\n]*)*", "",
                      header.read_text(encoding="utf-8"), flags=re.M)
        for statement in re.split(r"[;{}]", text):
            name = re.match(r"\s*(?!typedef)(TENON_API)?[\w\s*]*?\b(tenon_\w+)\(",
                            statement)
            if not name:
                continue
            if not statement.lstrip().startswith("TENON_API"):
                raise ValueError(f"{header.name}: {name[2]} is not TENON_API")
            found.add(f"{name[2]}@TENON_0.1")
    return found


def compare(title, got, wanted):
    for name in sorted(got ^ wanted):
        print(f"{title}: {name} is {'new' if name in got else 'missing'}")
    return got == wanted


def needs(library, allowed):
    text = output("llvm-readelf", "-d", library)
    found = set(re.findall(r"\(NEEDED\).*\[(.*)\]", text))
    for name in sorted(found - allowed):
        print(f"needs {name}")
    return found <= allowed


def oldest_glibc(library, limit):
    text = output("llvm-readelf", "-V", library)
    found = {tuple(map(int, version.split(".")))
             for version in re.findall(r"\bGLIBC_([\d.]+)", text)}
    newest = max(found)
    if newest > tuple(map(int, limit.split("."))):
        print("needs glibc", ".".join(map(str, newest)))
        return False
    return True


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("library")
    parser.add_argument("symbols", type=pathlib.Path)
    parser.add_argument("headers", type=pathlib.Path, nargs="+")
    parser.add_argument("--needs", default="")
    parser.add_argument("--glibc", default="2.34")
    options = parser.parse_args()
    listed = set(options.symbols.read_text(encoding="utf-8").split())
    public = {name for name in listed if name.endswith("@TENON_0.1")}
    checks = [
        compare("exports", exported(options.library), listed),
        compare("headers", declared(options.headers), public),
        needs(options.library,
              SYSTEM | set(filter(None, options.needs.split(",")))),
        oldest_glibc(options.library, options.glibc),
    ]
    print(f"{len(public)} functions: {'as listed' if all(checks) else 'FAILED'}")
    return not all(checks)


if __name__ == "__main__":
    sys.exit(main())
