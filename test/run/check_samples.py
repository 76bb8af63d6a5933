#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare GridSample with onnx's reference, in all modes.

Places lie inside, on pixels, between two (where halves go to the even one), on
the borders, and far outside. Sizes are those of the model, or known in the run
only."""

import itertools
import sys

import numpy

from references.batch import Batch, Open, report
from references.evaluate import evaluate

SHAPES = (((2, 3, 5, 4), (3, 7)), ((1, 16, 1, 6), (4, 2)), ((1, 2, 3, 4, 2),
                                                            (2, 3, 2)))
MODES = ("linear", "nearest", "cubic")
PADDINGS = ("zeros", "border", "reflection")
WAYS = (None, (), ("--mcpu=x86-64",))


def places(shape, image, numbers, align):
    """Half of them at halves of pixels, some at the borders or far outside."""
    extents = numpy.array(image[::-1])
    pixels = numbers.integers(-4, 2 * extents + 4, shape) / 2
    if align:
        exact = 2 * pixels / numpy.maximum(extents - 1, 1) - 1
    else:
        exact = (2 * pixels + 1) / extents - 1
    grid = numpy.where(numbers.random(shape) < 0.5, exact,
                       3 * numbers.random(shape) - 1.5)
    grid.flat[:4] = (-1, 1, 5.3, -7.1)
    return grid.astype(numpy.float32)


def main():
    numbers, batch = numpy.random.default_rng(0), Batch()
    for (shape, places_shape), mode, padding, align in itertools.product(
            SHAPES, MODES, PADDINGS, (0, 1)):
        image = shape[2:]
        if mode == "cubic" and len(image) == 3 or align and 1 in image and \
                padding == "reflection":
            continue
        x = numbers.standard_normal(shape).astype(numpy.float32)
        grid = places((shape[0], *places_shape, len(image)), image, numbers,
                      align)
        attributes = {"mode": mode, "padding_mode": padding,
                      "align_corners": align}
        want = evaluate("GridSample", (x, grid), 20, **attributes)
        extents = [f"e{i}" for i in range(len(image))]
        counts = [f"p{i}" for i in range(len(image))]
        for operands in ((x, grid), (Open(x, "n", "c", *extents),
                                     Open(grid, "n", *counts, "r"))):
            batch.add("GridSample", operands, want,
                      0 if mode == "nearest" else 1e-5, **attributes)
    x, none = numpy.ones((2, 3, 4, 5), "f4"), numpy.zeros((2, 0, 3, 2), "f4")
    batch.add("GridSample", [Open(x, "n", "c", "h", "w"),
                             Open(none, "n", "p", "q", 2)],
              numpy.zeros((2, 3, 0, 3), "f4"))
    return report(batch.wrong(WAYS))


if __name__ == "__main__":
    sys.exit(main())
