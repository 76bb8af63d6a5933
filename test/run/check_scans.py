#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare CumSum, CumProd and Det with numpy's results, and the Scan of a batch
of sequences that opset 8 had."""

import itertools
import sys

import numpy
from onnx import TensorProto, helper

from references.batch import Batch, Constant, Open, report

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


def body(inputs, outputs, *nodes):
    """Of rows of three numbers."""
    def typed(names):
        return [helper.make_tensor_value_info(name, TensorProto.FLOAT, [3])
                for name in names.split()]
    return helper.make_graph(
        [helper.make_node(kind, operands.split(), [output])
         for kind, operands, output in nodes], "body", typed(inputs),
        typed(outputs))


def add_sequences(batch, numbers):
    """Small whole numbers. What is carried starts anew in each sequence."""
    carries = body("a x", "c", ("Sub", "x a", "c"))
    joins = body("x z", "y", ("Mul", "x x", "d"), ("Sub", "d z", "y"))
    for count, length in ((1, 3), (4, 5), (2, 1), (3, 0)):
        x, z = numbers.integers(-4, 5, (2, count, length, 3)).astype("f4")
        start = z.sum(1)
        want = start
        for step in reversed(range(length)):
            want = x[:, step] - want
        for operands in ((start, x), (Open(start, "b", 3),
                                      Open(x, "b", "n", 3))):
            batch.add("Scan", [None, *operands], want, body=carries,
                      num_scan_inputs=1, directions=[1])
        for operands in ((x, z), (Open(x, "b", "n", 3), Open(z, "c", "m", 3))):
            batch.add("Scan", [None, *operands], x * x - z[:, ::-1],
                      body=joins, num_scan_inputs=2, directions=[0, 1])


def main():
    numbers, batch = numpy.random.default_rng(0), Batch(opset=26)
    add_scans(batch, numbers)
    add_determinants(batch, numbers)
    sequences = Batch(opset=8)
    add_sequences(sequences, numbers)
    return report(batch.wrong(WAYS) + sequences.wrong(WAYS[:2]))


if __name__ == "__main__":
    sys.exit(main())
