# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check a placement against its instance, both as CSV.

usage: check-placement.py INSTANCE PLACED [ARENA]

The rows are the same, no two that live together share a byte, and, where
ARENA is given, the highest end is that."""

import csv
import sys


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def main():
    instance, placed = rows(sys.argv[1]), rows(sys.argv[2])
    for given, row in zip(instance, placed, strict=True):
        for column, value in given.items():
            assert row[column] == value, (given, row)
    boxes = [tuple(int(row[c]) for c in ("lower", "upper", "offset", "size"))
             for row in placed]
    for i, (lower, upper, offset, size) in enumerate(boxes):
        for lower2, upper2, offset2, size2 in boxes[:i]:
            assert (upper <= lower2 or upper2 <= lower or
                    offset + size <= offset2 or offset2 + size2 <= offset), i
    if len(sys.argv) > 3:
        assert max(b[2] + b[3] for b in boxes) == int(sys.argv[3])


main()
