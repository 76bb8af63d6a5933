# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hold docs/adding-an-operation.md against the tree.

usage: check_adding.py ROOT

The files of its table are those that name the operation; its excerpts, each
below the name of a file in backquotes, are lines of that file."""

import pathlib
import re
import sys

NAMES = re.compile(r"\bDetOp\b|\bemitDet\b|\bdetStrategy\b|\bgraph\.det\b|_DetOp\b|\"det\"")
FOLDERS = ("dialects", "lib", "passes", "runtime", "tools",
           "test/dialects", "test/passes", "test/run", "test/unit")
SUFFIXES = {".td", ".h", ".cpp", ".c", ".def", ".mlir"}


def naming(root):
    return {str(path.relative_to(root)) for folder in FOLDERS
            for path in sorted((root / folder).rglob("*"))
            if path.suffix in SUFFIXES and
            NAMES.search(path.read_text(encoding="utf-8"))}


def main():
    root = pathlib.Path(sys.argv[1])
    page = (root / "docs/adding-an-operation.md").read_text(encoding="utf-8")
    table = page.split("\n\n")[2]
    listed = set(re.findall(r"`([\w/-]+\.\w+)`", table))
    wrong = [f"listed, but does not name it: {name}"
             for name in sorted(listed - naming(root))]
    wrong += [f"names it, but is not listed: {name}"
              for name in sorted(naming(root) - listed)]
    excerpts = re.findall(r"^`(\S+)`\n```\w+\n(.*?)^```", page, re.M | re.S)
    for name, excerpt in excerpts:
        if excerpt not in (root / name).read_text(encoding="utf-8"):
            wrong.append(f"not in {name}:\n{excerpt}")
    print("\n".join(wrong) or f"{len(listed)} files, {len(excerpts)} excerpts")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
