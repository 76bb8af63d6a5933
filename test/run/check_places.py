#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare what moves elements to computed places with numpy.

Sizes are those of the model, or known in the run only, as are those that are
operands: shapes of images and of results, lengths of sequences."""

import itertools
import sys

import numpy

from references.batch import Batch, Constant, Open, report

WAYS = (None, (), ("--mcpu=x86-64",))


def random(numbers, *shape):
    return numbers.standard_normal(shape).astype(numpy.float32)


def add(batch, operator, operands, dims, want, **attributes):
    """With the sizes of the model, constants where the run need not be told,
    and with none of them."""
    kept = [Constant(value) if dim is None else
            Open(value, *value.shape, kept=dim == "kept")
            for value, dim in zip(operands, dims)]
    batch.add(operator, kept, want, 1e-6, **attributes)
    batch.add(operator, [
        Open(value, *value.shape, kept=True) if dim in (None, "kept") else
        Open(value, *dim) for value, dim in zip(operands, dims)],
        want, 1e-6, **attributes)


# Image, block, strides, pads, dilations.
BLOCKS = (((5, 5), (1, 5), (1, 1), (0, 0, 0, 0), (1, 1)),
          ((4, 6), (2, 3), (1, 2), (0, 0, 1, 1), (1, 1)),
          ((5, 7), (2, 2), (2, 3), (1, 0, 1, 2), (2, 1)),
          ((1, 1), (1, 1), (1, 1), (0, 0, 0, 0), (1, 1)),
          ((6,), (3,), (2,), (1, 1), (1,)))


def joined_blocks(x, image, block, strides, pads, dilations):
    """Each element of each block where it belongs."""
    rank, (batch, rows, _) = len(image), x.shape
    result = numpy.zeros((batch, rows // int(numpy.prod(block)), *image), "f4")
    counts = [(image[i] + pads[i] + pads[i + rank]
               - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
              for i in range(rank)]
    cut = x.reshape(*result.shape[:2], *block, *counts)
    for tap in numpy.ndindex(*block):
        for place in numpy.ndindex(*counts):
            at = tuple(place[i] * strides[i] + tap[i] * dilations[i] - pads[i]
                       for i in range(rank))
            if all(0 <= a < extent for a, extent in zip(at, image)):
                result[(slice(None), slice(None), *at)] += cut[
                    (slice(None), slice(None), *tap, *place)]
    return result


def add_blocks(batch, numbers):
    for image, block, strides, pads, dilations in BLOCKS:
        rank = len(image)
        places = 1
        for i in range(rank):
            places *= (image[i] + pads[i] + pads[i + rank]
                       - dilations[i] * (block[i] - 1) - 1) // strides[i] + 1
        for images, channels in ((2, 3), (1, 1)):
            x = random(numbers, images, channels * int(numpy.prod(block)),
                       places)
            want = joined_blocks(x, image, block, strides, pads, dilations)
            add(batch, "Col2Im",
                (x, numpy.array(image), numpy.array(block)),
                (("n", "c", "l"), None, None), want, strides=strides,
                pads=pads, dilations=dilations)


def add_reversed(batch, numbers):
    for shape, time in itertools.product(((4, 3, 2), (1, 1), (5, 1, 3)),
                                         (0, 1)):
        x = random(numbers, *shape)
        lengths = numbers.integers(0, shape[time] + 1, shape[1 - time])
        want = x.copy()
        for row, length in enumerate(lengths):
            at = (slice(0, length), row) if time == 0 else (row,
                                                            slice(0, length))
            want[at] = numpy.flip(x[at], 0)
        dims = [f"d{i}" for i in range(len(shape))]
        add(batch, "ReverseSequence", (x, lengths), (dims, "kept"), want,
            time_axis=time, batch_axis=1 - time)


def pooled(x, kernel, strides, pads):
    """Maxima and where in the tensor they lie."""
    rows, columns = x.shape[2:]
    count = [(x.shape[2 + i] + 2 * pads[i] - kernel[i]) // strides[i] + 1
             for i in range(2)]
    values = numpy.zeros((*x.shape[:2], *count), "f4")
    places = numpy.zeros(values.shape, numpy.int64)
    for n, c, i, j in numpy.ndindex(*values.shape):
        top, left = i * strides[0] - pads[0], j * strides[1] - pads[1]
        best = max(((x[n, c, h, w], -h, -w)
                    for h in range(max(top, 0), min(top + kernel[0], rows))
                    for w in range(max(left, 0), min(left + kernel[1],
                                                     columns))))
        values[n, c, i, j] = best[0]
        places[n, c, i, j] = ((n * x.shape[1] + c) * rows
                              - best[1]) * columns - best[2]
    return values, places


def add_unpooled(batch, numbers):
    """With the shape that was pooled, and a larger one."""
    for shape in ((2, 3, 4, 6), (1, 1, 2, 2)):
        x = random(numbers, *shape)
        values, places = pooled(x, (2, 2), (2, 2), (0, 0))
        want = numpy.zeros(shape, "f4")
        want.flat[places.ravel()] = values.ravel()
        dims = ("n", "c", "h", "w")
        window = {"kernel_shape": (2, 2), "strides": (2, 2)}
        add(batch, "MaxUnpool", (values, places), (dims, "kept"), want,
            **window)
        wide = numpy.pad(want, ((0, 0), (0, 0), (0, 1), (0, 2)))
        add(batch, "MaxUnpool", (values, places, numpy.array(wide.shape)),
            (dims, "kept", None), wide, **window)


def add_depths(batch, numbers):
    for shape in ((2, 3, 4, 6), (1, 1, 2, 2), (0, 2, 2, 4)):
        x = random(numbers, *shape)
        n, c, h, w = shape
        want = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(
            0, 3, 5, 1, 2, 4).reshape(n, 4 * c, h // 2, w // 2)
        add(batch, "SpaceToDepth", (x,), (("n", "c", "h", "w"),), want,
            blocksize=2)


def add_caches(batch, numbers):
    for mode, batches in itertools.product(("linear", "circular"), (1, 3)):
        cache, update = random(numbers, batches, 2, 5, 3), \
            random(numbers, batches, 2, 3, 3)
        first = numbers.integers(0, 3 if mode == "linear" else 5, batches)
        want = cache.copy()
        for row, begin in enumerate(first):
            for i in range(3):
                want[row, :, (begin + i) % 5] = update[row, :, i]
        add(batch, "TensorScatter", (cache, update, first),
            (("n", "h", "s", "d"), ("n", "h", "t", "d"), "kept"), want,
            mode=mode, axis=-2)


def main():
    numbers, batch = numpy.random.default_rng(0), Batch(opset=24)
    add_blocks(batch, numbers)
    add_reversed(batch, numbers)
    add_unpooled(batch, numbers)
    add_depths(batch, numbers)
    add_caches(batch, numbers)
    return report(batch.wrong(WAYS))


if __name__ == "__main__":
    sys.exit(main())
