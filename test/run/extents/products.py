"""products.py - products of matrices, and convolutions that are products"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy
from onnx import TensorProto

ROWS = (1, 2, 3, 4, 5, 6, 7, 8, 9, 12, 13, 14, 15, 27, 28, 29, 57)
COLUMNS = (1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 23, 24, 25, 31, 32, 33, 40,
           47, 48, 49, 56, 63, 64, 65, 72, 84, 96, 97, 120, 128, 129, 168)
DEPTHS = (1, 2, 3, 4, 5, 7, 8, 9, 16, 33)


def products(model):
    rows, depths = itertools.cycle(ROWS), itertools.cycle(DEPTHS)
    for columns in COLUMNS:
        for _ in range(2):
            m, k = next(rows), next(depths)
            model.add("Gemm", (m, k), (k, columns), (columns,))
    for columns in COLUMNS[::3]:
        m, k = next(rows), next(depths)
        model.add("MatMul", (m, k), [k, columns])
        model.add("Gemm", (m, k), (columns, k), transB=1)
        model.add("Gemm", (k, m), [columns, k], transA=1, transB=1)
        model.add("MatMul", (3, m, k), (3, k, columns))


def folded(model):
    """Few columns: steps of k share vectors."""
    for filters in (2, 3, 4, 5, 6, 7, 8, 12, 15, 16, 18, 20, 24, 28):
        for kernel, then in itertools.product(
                (1, 2), ((), ("Add", filters), ("Mul", 1), ("Concat", 3))):
            height, width = 17, model.pick(16, 23)
            depth = model.pick(8, 12, 16, 32, 48, 9)
            followers = [(then[0], (1, then[1], height, width),
                          {"axis": 1} if then[0] == "Concat" else {})
                         ] if then else []
            model.add("Conv", (1, depth, height + kernel - 1,
                               width + kernel - 1),
                      (filters, depth, kernel, kernel), (filters,),
                      then=followers)
    for columns in (2, 3, 12, 18, 20, 24):
        model.add("Gemm", (96, 20), (20, columns), (columns,))
    # Long sums come in blocks.
    for columns in (12, 18, 24):
        model.add("Gemm", (61, 8192), (8192, columns), (columns,))


def few(model):
    """One to nine rows: parts of warps, warps, and several of them share k."""
    rows = itertools.cycle((1, 1, 2, 1, 3, 4, 1, 5, 6, 1, 7, 8, 1, 9))
    columns = itertools.cycle((1, 2, 7, 16, 33, 100, 257))
    for depth in (1, 2, 3, 4, 7, 8, 12, 16, 28, 31, 33, 48, 64, 100, 127, 128,
                  129, 160, 256, 1000, 1028, 2048, 2056, 4097, 9000):
        for _ in range(2):
            m, n = next(rows), next(columns)
            model.add("Gemm", (m, depth), (depth, n), (n,),
                      then=[(model.pick("Add", "Mul"), (m, n), {})])
            m, n = next(rows), next(columns)
            model.add("Gemm", (m, depth), [n, depth], transB=1)
    # Long columns and short ones, of enough to keep all warps busy.
    for depth, n in ((2048, 1000), (4, 9001), (40, 4500), (8, 34000)):
        model.add("MatMul", (model.pick(1, 2), depth), (depth, n))
    for batch, depth in ((3, 24), (2, 130)):
        for m in (1, 4):
            keys = model.apply("Transpose", [model.value((batch, 37, depth))],
                               perm=(0, 2, 1))
            model.output(model.apply("MatMul", [
                model.value((batch, m, depth)), keys]))
    for depth, filters in ((96, 4), (30, 120), (480, 20)):
        model.add("Conv", (model.pick(1, 3), depth, 1, 1),
                  (filters, depth, 1, 1), (filters,),
                  then=[("Mul", (filters, 1, 1), {})])
    # Numbers of 16 bits, summed in f32.
    for depth, n in ((3, 5), (16, 40), (100, 33), (129, 7), (2048, 60),
                     (8200, 9)):
        weights = model.numbers.integers(-64, 65, (depth, n)) / 64
        x = model.apply("Cast", [model.value((model.pick(1, 2, 3), depth))],
                        to=TensorProto.FLOAT16)
        model.output(model.apply("MatMul", [
            x, model.constant(weights.astype(numpy.float16))]),
            TensorProto.FLOAT16)
