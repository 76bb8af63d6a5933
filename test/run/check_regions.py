#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare RoiAlign and DeformConv with onnx's reference.

Regions lie inside, reach beyond the image, are larger than it, or empty; images
are of one pixel or more. Sizes are those of the model, or known in the run
only."""

import itertools
import sys

import numpy

from references.batch import Batch, Open, report
from references.evaluate import evaluate

WAYS = (None, ())
IMAGES = ((2, 3, 6, 9), (1, 1, 1, 1), (3, 17, 4, 1))



def regions(image, count, numbers):
    """Twice as far as the image, and some of no or of negative size."""
    height, width = image[2:]
    corners = numbers.uniform(-0.5, 1.5, (count, 2, 2))
    corners.sort(1)
    corners *= (2 * width, 2 * height)
    rois = corners.reshape(count, 4).astype(numpy.float32)
    rois[1, 2:] = rois[1, :2]
    rois[2] = rois[2, [2, 3, 0, 1]]
    return rois


def add_regions(batch, numbers):
    for image, mode, ratio, coordinates in itertools.product(
            IMAGES, ("avg", "max"), (0, 2),
            ("half_pixel", "output_half_pixel")):
        # No pixel is below the zeros outside.
        x = numbers.uniform(0.5, 1.5, image).astype(numpy.float32)
        rois = regions(image, 5, numbers)
        which = numbers.integers(0, image[0], 5)
        attributes = {"mode": mode, "sampling_ratio": ratio,
                      "output_height": 2, "output_width": 3,
                      "coordinate_transformation_mode": coordinates,
                      "spatial_scale": 0.5}
        want = evaluate("RoiAlign", (x, rois, which), **attributes)
        for operands in ((x, rois, Open(which, 5, kept=True)),
                         (Open(x, "n", "c", "h", "w"), Open(rois, "r", "f"),
                          Open(which, "r", kept=True))):
            batch.add("RoiAlign", operands, want, 1e-5, **attributes)


def add_no_regions(batch):
    x = numpy.ones((1, 2, 3, 3), numpy.float32)
    rois, which = numpy.zeros((0, 4), numpy.float32), numpy.zeros(0, int)
    for ratio in (0, 2):
        batch.add("RoiAlign", (Open(x, "n", "c", "h", "w"),
                               Open(rois, "r", 4), Open(which, "r")),
                  numpy.zeros((0, 2, 1, 1), numpy.float32), 1e-5,
                  sampling_ratio=ratio)


# Of a window: extents, groups, offset groups, strides, pads, dilations.
WINDOWS = (((3, 3), 1, 1, (1, 1), (1, 1, 1, 1), (1, 1)),
           ((2, 3), 2, 1, (2, 1), (0, 1, 1, 0), (1, 2)),
           ((1, 1), 1, 2, (1, 1), (0, 0, 0, 0), (1, 1)),
           ((3, 2), 2, 4, (1, 2), (2, 1, 0, 1), (2, 1)))


def add_windows(batch, numbers):
    def random(*shape):
        return numbers.standard_normal(shape).astype(numpy.float32)
    for (kernel, groups, parts, strides, pads, dilations), masked in \
            itertools.product(WINDOWS, (False, True)):
        x, taps = random(2, 4, 5, 7), kernel[0] * kernel[1]
        filters = random(6, 4 // groups, *kernel)
        out = [(x.shape[2 + i] + pads[i] + pads[2 + i]
                - dilations[i] * (kernel[i] - 1) - 1) // strides[i] + 1
               for i in range(2)]
        offsets = random(2, parts * taps * 2, *out)
        bias = random(6) if masked else None
        mask = random(2, parts * taps, *out) if masked else None
        attributes = {"group": groups, "offset_group": parts,
                      "strides": strides, "pads": pads,
                      "dilations": dilations}
        operands = (x, filters, offsets, bias, mask)
        want = evaluate("DeformConv", operands, kernel_shape=kernel,
                        **attributes)
        batch.add("DeformConv", operands, want, 1e-5, **attributes)
        names = (("n", "c", "h", "w"), ("o", "d", "k", "l"),
                 ("n", "s", "p", "q"), ("o",), ("n", "t", "p", "q"))
        batch.add("DeformConv", [
            value if value is None else Open(value, *dims)
            for value, dims in zip(operands, names)], want, 1e-5, **attributes)


def main():
    numbers, batch = numpy.random.default_rng(0), Batch(opset=22)
    add_regions(batch, numbers)
    add_no_regions(batch)
    add_windows(batch, numbers)
    return report(batch.wrong(WAYS))


if __name__ == "__main__":
    sys.exit(main())
