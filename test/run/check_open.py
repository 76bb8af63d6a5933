#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile operators with open extents everywhere once, run them at many sizes.

As check_symbols.py does it, for what no layer of a usual network leaves open:
channels, filters, scales, windows that the size of the input pads."""

import sys

import numpy as np

from check_symbols import FLOAT, INT64, UNREAD, grid, main

UNREAD |= {("antialiased", "like"), ("scatters", "data")}


def pools(net):
    """Windows over any number of channels."""
    x = net.input("x", ["n", "c", "h", "w"])
    window = {"kernel_shape": [3, 2], "strides": [2, 1]}
    return [(net.add("MaxPool", x, ceil_mode=1, **window), FLOAT),
            (net.add("MaxPool", x, kernel_shape=[2, 2], dilations=[2, 3]),
             FLOAT),
            (net.add("AveragePool", x, pads=[1, 1, 1, 0], **window), FLOAT),
            (net.add("AveragePool", x, pads=[1, 0, 2, 1], ceil_mode=1,
                     count_include_pad=1, **window), FLOAT),
            (net.add("LpPool", x, pads=[1, 1, 1, 1], p=3, **window), FLOAT)]


def same(net):
    """Padding that depends on the size of the input."""
    x = net.input("x", ["n", 3, "h", "w"])
    results = []
    for mode in ("SAME_UPPER", "SAME_LOWER"):
        for kernel, stride in ((3, 2), (2, 3), (5, 3)):
            window = {"auto_pad": mode, "strides": [stride, 2],
                      "kernel_shape": [kernel, 3]}
            filters = net.weights(4, 3, kernel, 3)
            results += [net.add("Conv", x, filters, **window),
                        net.add("MaxPool", x, **window),
                        net.add("AveragePool", x, **window),
                        net.add("AveragePool", x, count_include_pad=1,
                                **window)]
    return [(result, FLOAT) for result in results]


def transposed(net):
    """Windows of the result that meet."""
    x = net.input("x", ["n", 4, "h", "w"])
    w = net.weights(4, 3, 3, 3)
    bias = net.weights(3)
    y = net.add("ConvTranspose", x, w, bias, strides=[2, 3], dilations=[2, 1],
                pads=[1, 0, 2, 1], output_padding=[1, 2])
    grouped = net.add("ConvTranspose", x, net.weights(4, 5, 3, 2), group=2,
                      strides=[2, 1])
    fitted = net.add("ConvTranspose", x, w, auto_pad="SAME_LOWER",
                     strides=[2, 2])
    stated = net.add("ConvTranspose", x, w, output_shape=[9, 8],
                     strides=[2, 2])
    return [(net.add("Relu", y), FLOAT), (grouped, FLOAT), (fitted, FLOAT),
            (stated, FLOAT)]


def groups(net):
    """Groups of channels, narrow and wide, over images of any size."""
    x = net.input("x", ["n", 24, "h", "w"])
    results = []
    for count in (2, 3, 6, 12):
        y = net.add("Conv", x, net.weights(48, 24 // count, 3, 3),
                    net.weights(48), group=count, pads=[1, 1, 1, 1],
                    strides=[1, 2])
        results.append((net.add("Relu", y), FLOAT))
    return results


def filters(net):
    """Filters that are inputs."""
    x = net.input("x", ["n", "c", "h", "w"])
    f = net.input("f", ["o", "c", "kh", "kw"])
    bias = net.input("b", ["o"])
    y = net.add("Conv", x, f, bias, pads=[1, 0, 1, 2], strides=[2, 1],
                dilations=[1, 2])
    fitted = net.add("Conv", x, f, auto_pad="SAME_UPPER", strides=[2, 3])
    g = net.input("g", ["c", "o", "kh", "kw"])
    back = net.add("ConvTranspose", x, g, bias, strides=[2, 1],
                   pads=[1, 0, 0, 1])
    return [(y, FLOAT), (fitted, FLOAT), (back, FLOAT)]


def batches(net):
    """Products whose batches are equal, or one of them 1."""
    x = net.input("x", ["p", 2, "m", "k"])
    y = net.input("y", ["q", 2, "k", "n"])
    z = net.input("z", ["q", "r", "n", 5])
    return [(net.add("MatMul", net.add("MatMul", x, y), z), FLOAT)]


def channels(net):
    """Normalisations whose vectors say how many channels there are."""
    net.opset = 21
    x = net.input("x", ["n", "c", "h", "w"])
    scale, shift = net.input("scale", ["s"]), net.input("shift", ["s"])
    norm = net.add("InstanceNormalization", x, scale, shift)
    group = net.add("GroupNormalization", x, scale, shift, num_groups=2)
    local = net.add("LRN", x, size=3, alpha=0.3)
    wide = net.add("Abs", shift)
    batch = net.add("BatchNormalization", x, scale, shift, shift, wide,
                    epsilon=0.1)
    blocks = net.add("Concat", x, x, axis=1)
    blocks = net.add("DepthToSpace", blocks, blocksize=2)
    return [(norm, FLOAT), (group, FLOAT), (local, FLOAT), (batch, FLOAT),
            (blocks, FLOAT)]


def rows(net):
    """Normalised with a scale of one number, or one for each column."""
    x = net.input("x", ["n", "m"])
    scale, shift = net.input("scale", ["s"]), net.input("shift", ["m"])
    return [(net.add("LayerNormalization", x, scale, shift), FLOAT)]


def quantised(net):
    """One scale for each row, or for all."""
    x = net.input("x", ["n", "m"])
    scale = net.add("Add", net.add("Abs", net.input("scale", ["s"])),
                    net.constant(np.float32(0.01)))
    zero = net.constant(np.uint8(3))
    whole = net.add("QuantizeLinear", x, scale, axis=0)
    real = net.add("DequantizeLinear", whole, scale, axis=0)
    one = net.add("QuantizeLinear", x, net.constant(np.float32(0.02)), zero)
    return [(real, FLOAT), (net.add("Cast", one, to=FLOAT), FLOAT)]


def chosen(net):
    """As many of the best as data say, of rows of any length."""
    x = net.input("x", ["n", "m"])
    count = net.input("count", [1], INT64)
    size = net.add("Shape", x, start=1, end=2)
    count = net.add("Mod", count, net.add("Add", size, net.constant([1])))
    best, place = net.add_pair("TopK", x, count, axis=1)
    last, _ = net.add_pair("TopK", x, count, axis=1, largest=0)
    total = net.add("CumSum", x, net.add("Squeeze", net.add(
        "Mod", count, net.constant([2])), net.constant([0])))
    return [(best, FLOAT), (place, INT64), (last, FLOAT), (total, FLOAT)]


def scaled(net):
    """Scales that data say."""
    net.opset = 19
    x = net.input("x", ["n", 2, "h", "w"])
    scale = net.add("Add", net.add("Abs", net.input("scale", [2])),
                    net.constant(np.float32(0.6)))
    scale = net.add("Concat", net.constant(np.ones(2, np.float32)), scale,
                    axis=0)
    results = []
    for mode in ("nearest", "linear", "cubic"):
        for place in ("half_pixel", "align_corners", "asymmetric",
                      "pytorch_half_pixel", "half_pixel_symmetric"):
            results.append(net.add("Resize", x, "", scale, mode=mode,
                                   coordinate_transformation_mode=place))
    results.append(net.add("Resize", x, "", scale, mode="cubic",
                           exclude_outside=1))
    return [(result, FLOAT) for result in results]


def antialiased(net):
    """Filters as wide as images shrink, and regions."""
    net.opset = 19
    x = net.input("x", ["n", 2, "h", "w"])
    like = net.input("like", ["n", 2, "y", "z"])
    size = net.add("Shape", like)
    results = [net.add("Resize", x, "", "", size, mode=mode, antialias=1,
                       exclude_outside=outside)
               for mode in ("linear", "cubic") for outside in (0, 1)]
    region = net.constant(np.array([0, 0, .2, -.1, 1, 1, .9, 1.2], np.float32))
    results.append(net.add("Resize", x, region, "", size, mode="linear",
                           extrapolation_value=7.0,
                           coordinate_transformation_mode="tf_crop_and_resize"))
    part = net.add("Shape", like, start=2)
    results.append(net.add("Resize", x, "", "", part, mode="linear",
                           axes=[2, 3], keep_aspect_ratio_policy="not_larger"))
    return [(result, FLOAT) for result in results]


def letters(net):
    """Sums of products whose letters are sizes."""
    x = net.input("x", ["b", "i", "j"])
    y = net.input("y", ["b", "j", "k"])
    square = net.input("square", ["b", "i", "i"])
    return [(net.add("Einsum", x, y, equation="bij,bjk->bik"), FLOAT),
            (net.add("Einsum", x, y, equation="bij,bjk->ki"), FLOAT),
            (net.add("Einsum", square, equation="bii->bi"), FLOAT),
            (net.add("Det", square), FLOAT)]


def cuts(net):
    """Slices whose ends may lie beyond the tensor."""
    x = net.input("x", ["n", 3])
    def cut(start, end, step=1):
        return (net.add("Slice", x, net.constant([start]),
                        net.constant([end]), net.constant([0]),
                        net.constant([step])), FLOAT)
    least = -np.iinfo(np.int64).max
    return [cut(0, 10), cut(2, 7), cut(5, 100, 3), cut(-3, 2 ** 40),
            cut(7, 2, -2), cut(5, 1, -1), cut(-3, 0, -1), cut(-1, least, -1), cut(3, -2)]


def scatters(net):
    """Rows and elements that go where data say."""
    data = net.input("data", ["n", "m"])
    index = net.input("index", ["p", "q"], INT64)
    updates = net.input("updates", ["p", "q"])
    rows = net.add("Shape", data, start=0, end=1)
    index = net.add("Mod", index, rows)
    results = [net.add("ScatterElements", data, index, updates, axis=0,
                       reduction=kind) for kind in ("add", "max")]
    return [(result, FLOAT) for result in results]


def nothing(net):
    """Reductions that may have nothing to reduce."""
    net.opset = 18
    x = net.input("x", ["n", "m"])
    kinds = ("ReduceMean", "ReduceSum", "ReduceProd", "ReduceMax", "ReduceL2")
    return [(net.add(kind, x, net.constant([axis]), keepdims=0), FLOAT)
            for kind in kinds for axis in (0, 1)]


NETWORKS = (
    (pools, grid(n=(1, 2), c=(1, 3, 17), h=(4, 5, 9), w=(5, 8, 33))),
    (same, grid(n=(1, 2), h=(1, 2, 3, 7, 12), w=(1, 4, 9, 31))),
    (transposed, grid(n=(1, 2), h=(2, 3, 5), w=(2, 4, 17))),
    (groups, grid(n=(1, 2), h=(1, 3, 8), w=(1, 5, 30))),
    (filters, grid(n=(1, 2), c=(1, 3), h=(6, 9), w=(7, 12), o=(1, 5),
                   kh=(1, 3), kw=(2, 3))),
    (batches, [{"p": p, "q": q, "r": r, "m": m, "k": k, "n": n}
               for p, q, r in ((1, 1, 1), (3, 1, 2), (1, 3, 1), (2, 2, 2))
               for m, k, n in ((1, 1, 1), (5, 7, 3), (17, 33, 16))]),
    (channels, [{"n": n, "c": c, "h": h, "w": w, "s": c}
                for n in (1, 2) for c in (2, 4, 18)
                for h, w in ((1, 2), (3, 5), (8, 17))]),
    (rows, [{"n": n, "m": m, "s": s} for n in (0, 1, 9)
            for m, s in ((1, 1), (8, 1), (8, 8), (33, 1), (33, 33))]),
    (quantised, [{"n": n, "m": m, "s": s} for m in (1, 7, 33)
                 for n, s in ((1, 1), (9, 1), (4, 4), (17, 17))]),
    (chosen, grid(n=(1, 2, 9), m=(1, 2, 7, 40))),
    (scaled, grid(n=(1, 2), h=(2, 5, 9), w=(3, 17))),
    (antialiased, grid(n=(1,), h=(2, 9, 40), w=(3, 33), y=(1, 4, 12),
                       z=(2, 7))),
    (letters, grid(b=(1, 3), i=(1, 2, 9), j=(1, 17), k=(1, 5))),
    (cuts, grid(n=(0, 1, 2, 3, 6, 7, 11, 120))),
    (nothing, grid(n=(0, 1, 5), m=(0, 1, 17))),
    (scatters, [{"n": n, "m": m, "p": p, "q": q}
                for n, m in ((1, 1), (4, 9), (33, 17))
                for p, q in ((0, 1), (1, 1), (3, m), (50, m))]),
)

if __name__ == "__main__":
    sys.exit(main(NETWORKS, __doc__))
