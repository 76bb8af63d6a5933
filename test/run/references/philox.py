"""philox.py - the random numbers that models draw, in numpy."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import math

import numpy


def philox(counter, key):
    """Ten rounds, on arrays of integers below 2^32."""
    c, low = [numpy.uint64(word) for word in counter], numpy.uint64(0xffffffff)
    k0, k1 = key
    for _ in range(10):
        p0, p1 = c[0] * numpy.uint64(0xd2511f53), c[2] * numpy.uint64(0xcd9e8d57)
        c = [p1 >> numpy.uint64(32) ^ c[1] ^ numpy.uint64(k0), p1 & low,
             p0 >> numpy.uint64(32) ^ c[3] ^ numpy.uint64(k1), p0 & low]
        k0, k1 = (k0 + 0x9e3779b9) % 2 ** 32, (k1 + 0xbb67ae85) % 2 ** 32
    return c


def bits_of(shape, seed, step, node):
    """32 bits for each element of a tensor, by its place in it."""
    e = numpy.arange(math.prod(shape), dtype=numpy.uint64)
    at = e >> numpy.uint64(2)
    words = philox([at, at * numpy.uint64(0), step, node],
                   (seed % 2 ** 32, seed >> 32))
    return numpy.choose((e & numpy.uint64(3)).astype(int), words).reshape(shape)
