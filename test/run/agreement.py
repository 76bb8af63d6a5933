#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare the outputs of a run with those of a reference, in folders that
tenon-run --output-dir wrote.

An error is a part of the largest element of an output; what are no floats is
the same. OTHER has the outputs for another input: they must be far beyond the
tolerance, or the comparison could not have failed."""

import argparse
import json
import pathlib
import sys

import numpy

from force import FORCE

# Of results computed with elements of that type.
TOLERANCE = {"f64": 1e-10, "f32": 1e-4, "f16": 4e-3, "bf16": 2e-2}
SHORT = {"float64": "f64", "float32": "f32", "float16": "f16",
         "bfloat16": "bf16"}


def error(want, got):
    """The largest error over the largest element of `want`; infinite where
    shapes, integers or what is not finite differ."""
    want, got = numpy.asarray(want), numpy.asarray(got)
    if want.shape != got.shape:
        return numpy.inf
    if want.dtype.kind not in "fc":
        return 0.0 if numpy.array_equal(want, got) else numpy.inf
    wide = numpy.complex128 if want.dtype.kind == "c" else numpy.float64
    want, got = want.astype(wide), got.astype(wide)
    finite = numpy.isfinite(want)
    if not numpy.array_equal(finite, numpy.isfinite(got)) or \
            not numpy.array_equal(want[~finite], got[~finite], equal_nan=True):
        return numpy.inf
    largest = numpy.abs(want[finite] - got[finite]).max(initial=0)
    scale = numpy.abs(want[finite]).max(initial=0)
    return float(largest / (scale or 1.0))


def force(want, other, tolerance):
    """How many tolerances away the result for another input is; infinite where
    they differ and no error is tolerated."""
    found = error(want, other)
    return found / tolerance if tolerance else numpy.inf if found else 0.0


def disagreement(want, got, tolerance):
    """Why two outputs do not agree, or ""."""
    found = error(want, got)
    return "" if found <= tolerance else f"error {found:.2g}"


def weakness(want, other, tolerance):
    """Why it says little that an output agrees, or ""."""
    found = force(want, other, tolerance)
    return "" if found >= FORCE else (
        f"the result for another input is only {found:.2g} tolerances away")


def read(folder):
    """{output: (element type, array)} of a folder that --output-dir wrote; a
    sequence is its elements."""
    rows = json.loads((folder / "outputs.json").read_text(encoding="utf-8"))
    tensors = [each for row in rows for each in row.get("elements", [row])]
    found = {}
    for row in (each for each in tensors if "file" in each):
        kind = SHORT.get(row["dtype"], row["dtype"])
        values = numpy.load(folder / row["file"])
        if kind == "bf16":
            values = (values.astype(numpy.uint32) << 16).view(numpy.float32)
        found[row["name"]] = kind, values
    return found


def tolerance_of(kind, given):
    """Of an output of that element type; `given` is for f32, where programs
    compute with less."""
    return given if given and kind == "f32" else TOLERANCE.get(kind, 1.0)


def compare(want, got, other, given=None):
    """(wrong, least force): a line for each output that does not agree, or
    could not but agree."""
    wrong, least = [] if want else ["no outputs"], numpy.inf
    for name, (kind, values) in want.items():
        tolerance = tolerance_of(kind, given)
        reasons = (disagreement(values, got[name][1], tolerance),
                   weakness(values, other[name][1], tolerance))
        wrong += [f"{name}: {reason}" for reason in reasons if reason]
        least = min(least, force(values, other[name][1], tolerance))
    return wrong, least


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("got", type=pathlib.Path)
    parser.add_argument("want", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--tolerance", type=float, metavar="NUMBER",
                        help="for f32, where programs compute with less")
    given = parser.parse_args()
    wrong, least = compare(read(given.want), read(given.got),
                           read(given.other), given.tolerance)
    print("\n".join(wrong) or f"agrees; another input is {least:.3g} "
          "tolerances away")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
