#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile products for a matrix unit with open rows once, run many sizes.

As check_symbols.py does it, for numbers of rows around those of squares and
their halves: in one dimension, in several, and none."""

import sys

from check_symbols import FLOAT, grid, main

ROWS = (0, 1, 7, 8, 15, 16, 17, 31, 32, 33, 63, 65, 270)


def blocks(net):
    """Pieces of rows, for all of k at once, and in passes."""
    x = net.input("x", ["n", 700])
    z = net.input("z", ["n", 170])
    y = net.add("Add", net.add("MatMul", x, net.weights(700, 170)), z)
    long = net.input("long", ["n", 2100])
    passes = net.add("MatMul", long, net.weights(2100, 301))
    return [(net.add("Relu", y), FLOAT), (passes, FLOAT)]


def kept(net):
    """Pieces of few columns; two dimensions of rows, and a long epilogue."""
    x = net.input("x", ["b", "n", 300])
    z = net.input("z", ["n", 90])
    y = net.add("Add", net.add("MatMul", x, net.weights(300, 90)), z)
    return [(net.add("Erf", y), FLOAT)]


def windows(net):
    """Rows of images, which end between those that are stored together."""
    x = net.input("x", ["n", 64, "h", "w"])
    near = net.add("Conv", x, net.weights(96, 64, 3, 3, scale=.04),
                   net.weights(96), pads=[1, 1, 1, 1])
    far = net.add("Conv", x, net.weights(160, 64, 3, 3, scale=.04),
                  pads=[0, 1, 2, 1], strides=[2, 2])
    return [(net.add("Relu", near), FLOAT), (far, FLOAT)]


def grouped(net):
    """A product for each group, of channels beside others."""
    x = net.input("x", ["n", 256, "h", "w"])
    y = net.add("Conv", x, net.weights(256, 128, 1, 1, scale=.1), group=2)
    return [(net.add("Concat", y, x, axis=1), FLOAT)]


NETWORKS = (
    (blocks, grid(n=ROWS)),
    (kept, grid(b=(1, 3), n=ROWS)),
    (windows, grid(n=(1, 2), h=(1, 6, 15), w=(1, 7, 8, 15, 16, 33))),
    (grouped, grid(n=(1, 2), h=(1, 5, 16), w=(1, 4, 33))),
)

if __name__ == "__main__":
    sys.exit(main(NETWORKS, __doc__))
