#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare CumSum, CumProd and Det with numpy's results."""

import itertools
import sys

import numpy

from references.batch import Batch, Constant, report

WAYS = (None, (), ("--mcpu=x86-64",))


def scanned(values, scan, axis, exclusive, reverse):
    neutral = numpy.cumsum is not scan
    values = numpy.flip(values, axis) if reverse else values
    if exclusive:
        first = numpy.full_like(numpy.take(values, [0], axis), neutral)
        values = numpy.concatenate(
            [first, numpy.delete(values, -1, axis)], axis)
    result = scan(values, axis)
    return numpy.flip(result, axis) if reverse else result


def add_scans(batch, numbers):
    """Numbers are whole and small, so that results are exact."""
    for kind, axis, exclusive, reverse in itertools.product(
            (numpy.float32, numpy.float64, numpy.int32, numpy.int64),
            (0, 1, -1), (0, 1), (0, 1)):
        x = numbers.integers(-3, 4, (4, 7, 3)).astype(kind)
        for name, scan in (("CumSum", numpy.cumsum),
                           ("CumProd", numpy.cumprod)):
            want = scanned(x, scan, axis, exclusive, reverse).astype(kind)
            batch.add(name, [x, Constant(axis, numpy.int64)], want,
                      exclusive=exclusive, reverse=reverse)


def add_determinants(batch, numbers):
    for kind, bound in ((numpy.float32, 1e-5), (numpy.float64, 1e-13)):
        for extent in (1, 2, 5, 16, 33):
            x = numbers.standard_normal((2, 3, extent, extent)).astype(kind)
            want = numpy.linalg.det(x.astype(numpy.float64))
            batch.add("Det", [x], want.astype(kind), bound)


def main():
    numbers, batch = numpy.random.default_rng(0), Batch(opset=26)
    add_scans(batch, numbers)
    add_determinants(batch, numbers)
    return report(batch.wrong(WAYS))


if __name__ == "__main__":
    sys.exit(main())
