# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains of stencils over an image of 1 or 3 channels."""

import functools

import numpy

from blocks.net import Net
from programs import Program, halide_images

SIZE = 2048
BINOMIAL = numpy.array([1, 4, 6, 4, 1], numpy.float32) / 16
SOBEL = numpy.array([[-1, 0, 1], [-2, 0, 2], [-1, 0, 1]], numpy.float32) / 8
GRAY = numpy.array([0.299, 0.587, 0.114], numpy.float32)


def stencil(net, x, channels, taps, stride=1):
    """The same taps for each channel; borders are zeros."""
    taps = numpy.atleast_2d(taps)
    pads = [extent // 2 for extent in taps.shape]
    return net.op("Conv", x, net.const(numpy.tile(taps, (channels, 1, 1, 1))),
                  group=channels, pads=pads + pads, strides=[stride] * 2)


def scaled(net, x, factor):
    return net.op("Mul", x, net.const(factor))


def unsharp(channels):
    """x + 1.5 (x - blur(x)), where a blur is a row and a column of 5."""
    net = Net("unsharp")
    x = net.input(1, channels, SIZE, SIZE)
    blur = stencil(net, x, channels, BINOMIAL)
    blur = stencil(net, blur, channels, BINOMIAL.reshape(5, 1))
    detail = scaled(net, net.op("Sub", x, blur), 1.5)
    return net.model(net.op("Add", x, detail))


def harris(channels):
    """Corners: det - 0.04 trace^2 of the gradients' products, over 3x3."""
    net = Net("harris")
    x = net.input(1, channels, SIZE, SIZE)
    if channels == 3:
        x = net.op("Conv", x, net.const(GRAY.reshape(1, 3, 1, 1)))
    across = stencil(net, x, 1, SOBEL)
    down = stencil(net, x, 1, SOBEL.T)

    def window(y):
        return stencil(net, y, 1, numpy.ones((3, 3), numpy.float32))

    xx = window(net.op("Mul", across, across))
    yy = window(net.op("Mul", down, down))
    xy = window(net.op("Mul", across, down))
    det = net.op("Sub", net.op("Mul", xx, yy), net.op("Mul", xy, xy))
    trace = net.op("Add", xx, yy)
    edge = scaled(net, net.op("Mul", trace, trace), 0.04)
    return net.model(net.op("Sub", det, edge))


def pyramid(channels):
    """Four levels, halved by 5x5 taps; each is blended with the coarser ones,
    doubled again."""
    net = Net("pyramid")
    levels = [net.input(1, channels, SIZE, SIZE)]
    taps = numpy.outer(BINOMIAL, BINOMIAL)
    for _ in range(3):
        levels.append(stencil(net, levels[-1], channels, taps, 2))
    y = levels.pop()
    scales = net.const([1, 1, 2, 2])
    for level in reversed(levels):
        doubled = net.op("Resize", y, "", scales, mode="linear",
                         coordinate_transformation_mode="half_pixel")
        y = net.op("Add", scaled(net, level, 0.6), scaled(net, doubled, 0.4))
    return net.model(y)


def local_contrast(channels):
    """(x - mean) / (sqrt(variance) + 0.01), over 7x7."""
    net = Net("local_contrast")
    x = net.input(1, channels, SIZE, SIZE)

    def average(y):
        return net.op("AveragePool", y, kernel_shape=[7, 7], pads=[3] * 4,
                      count_include_pad=1)

    mean = average(x)
    square = average(net.op("Mul", x, x))
    variance = net.op("Sub", square, net.op("Mul", mean, mean))
    deviation = net.op("Sqrt", net.op("Relu", variance))
    return net.model(net.op("Div", net.op("Sub", x, mean), net.op(
        "Add", deviation, net.const(0.01))))


def both(name, make, margin):
    """As programs of 1 and of 3 channels."""
    return {f"{name}, {channels} channel{'s' * (channels > 1)}": Program(
        f"{channels}x{SIZE}x{SIZE}", functools.partial(make, channels),
        functools.partial(getattr(halide_images, make.__name__), channels,
                          SIZE), margin) for channels in (1, 3)}


PROGRAMS = (both("unsharp mask", unsharp, 0) | both("Harris", harris, 1) |
            both("pyramid", pyramid, 64) |
            both("local contrast", local_contrast, 0))
