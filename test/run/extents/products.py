"""products.py - products of matrices, and convolutions that are products"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

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
