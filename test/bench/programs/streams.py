# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains that memory bounds: each tensor has 32 MiB or more, and no product is
large. At best, each input is read and each output written once."""

import functools

from blocks.net import Net
from programs import Program


def scaled(net, x, size):
    y = net.op("Mul", x, net.weight(size, fan=1))
    return net.op("Add", y, net.weight(size, fan=4))


def softmax_twice(rows, columns):
    net = Net("softmax_twice")
    x = net.op("Softmax", net.input(rows, columns), axis=-1)
    return net.model(net.op("Softmax", scaled(net, x, columns), axis=-1))


def expectation(rows, columns):
    """sum(softmax(x) * y), as of positions."""
    net = Net("expectation")
    x, y = net.input(rows, columns), net.input(rows, columns)
    y = net.op("Mul", net.op("Softmax", x, axis=-1), y)
    return net.model(net.op("ReduceSum", y, net.const([-1], "int64")))


def columns_of_softmax(batch, rows, columns):
    """Normalised along rows, then summed over them: two directions."""
    net = Net("columns_of_softmax")
    x = net.op("Softmax", net.input(batch, rows, columns), axis=-1)
    return net.model(net.op("ReduceMean", x, axes=[1]))


def layer_norm_twice(rows, columns):
    net = Net("layer_norm_twice")
    x, r = net.input(rows, columns), net.input(rows, columns)
    y = net.gelu(net.layer_norm(net.op("Add", x, r), columns))
    return net.model(net.layer_norm(net.op("Add", y, r), columns))


def layer_norm_pooled(batch, tokens, size):
    """The mean of all tokens, as of sentences."""
    net = Net("layer_norm_pooled")
    x = net.op("Add", net.input(batch, tokens, size),
               net.input(batch, tokens, size))
    return net.model(net.op("ReduceMean", net.layer_norm(x, size), axes=[1]))


def rms_norm(net, x, size):
    square = net.op("ReduceMean", net.op("Mul", x, x), axes=[-1])
    root = net.op("Sqrt", net.op("Add", square, net.const(1e-5)))
    return net.op("Mul", net.op("Div", x, root), net.weight(size, fan=1))


def rms_norm_twice(rows, columns):
    net = Net("rms_norm_twice")
    x, r = net.input(rows, columns), net.input(rows, columns)
    x = net.op("Add", x, r)
    y = net.silu(rms_norm(net, x, columns))
    return net.model(rms_norm(net, net.op("Add", x, y), columns))


def elements_and_reductions(rows, columns):
    """Ranges and means of rows, and what they are used for."""
    net = Net("elements_and_reductions")
    x, y = net.input(rows, columns), net.input(rows, columns)
    z = net.op("Abs", net.op("Sub", x, y))
    top = net.op("ReduceMax", z, axes=[-1])
    z = net.op("Div", z, net.op("Add", top, net.const(1e-3)))
    z = net.op("Sub", z, net.op("ReduceMean", z, axes=[-1]))
    return net.model(net.op("Mul", net.op("Tanh", z), x))


def transposes(rows, columns):
    """A transposed map that two others read, of which one is summed."""
    net = Net("transposes")
    x, y = net.input(rows, columns), net.input(columns, rows)
    t = net.op("Transpose", scaled(net, x, columns), perm=[1, 0])
    z = net.op("Relu", net.op("Add", t, y))
    total = net.op("ReduceMean", net.op("Mul", t, y), axes=[-1])
    return net.model(z, total)


def channels_last(channels, extent):
    """LayerNorm over the channels of an image, in a residual branch."""
    net = Net("channels_last")
    x = net.input(1, channels, extent, extent)
    y = net.op("Transpose", net.op("Relu", x), perm=[0, 2, 3, 1])
    y = net.gelu(net.layer_norm(y, channels))
    y = net.op("Transpose", y, perm=[0, 3, 1, 2])
    return net.model(net.op("Add", x, y))


def broadcasts(rows, columns, size):
    """Sums of all pairs, weighed along the second."""
    net = Net("broadcasts")
    x, y = net.input(rows, 1, size), net.input(1, columns, size)
    z = net.op("Tanh", net.op("Add", x, y))
    z = net.op("Mul", z, net.weight(size, fan=1))
    score = net.op("ReduceSum", z, net.const([-1], "int64"))
    return net.model(net.op("Softmax", score, axis=-1), z)


def several_outputs(rows, columns):
    """Three results and two sums of one walk."""
    net = Net("several_outputs")
    x, y = net.input(rows, columns), net.input(rows, columns)
    total = net.op("Add", x, y)
    gate = net.op("Sigmoid", net.op("Sub", x, y))
    z = net.op("Mul", total, gate)
    mean = net.op("ReduceMean", z, axes=[-1])
    top = net.op("ReduceMax", total, axes=[-1])
    return net.model(gate, z, net.op("Sub", total, top), mean)


def two_readers(rows, columns):
    """Rows in two scales, each with a reduction of its own."""
    net = Net("two_readers")
    x = net.input(rows, columns)
    mean = net.op("ReduceMean", x, axes=[-1])
    top = net.op("ReduceMax", x, axes=[-1])
    return net.model(net.op("Mul", net.op("Sub", x, mean), net.const(2.0)),
                     net.op("Relu", net.op("Sub", top, x)))


def gated(rows, columns):
    """Halves of a map, one the other's gate, normalised."""
    net = Net("gated")
    x = net.input(rows, 2 * columns)
    x, gate = net.split(x, -1, columns, columns)
    y = net.op("Mul", x, net.op("Sigmoid", gate))
    return net.model(net.layer_norm(y, columns))


def squeeze_excite(channels, extent):
    """Behind a depthwise convolution."""
    net = Net("depthwise_squeeze_excite")
    x = net.input(1, channels, extent, extent)
    x = net.op("Relu", net.conv(x, channels, channels, 3, group=channels))
    y = net.op("GlobalAveragePool", x)
    y = net.op("Relu", net.conv(y, channels, channels // 4, 1))
    y = net.op("Sigmoid", net.conv(y, channels // 4, channels, 1))
    return net.model(net.op("Mul", x, y))


def instance_norm(channels, extent):
    """In a residual branch, as of style networks."""
    net = Net("instance_norm")
    x = net.input(1, channels, extent, extent)
    y = net.op("InstanceNormalization", net.op("Abs", x),
               net.weight(channels, fan=1), net.weight(channels, fan=4))
    return net.model(net.op("Add", x, net.op("Relu", y)))


def group_norm(groups, channels, extent):
    """As exporters spell it, with SiLU behind."""
    net = Net("group_norm")
    x = net.input(1, channels, extent, extent)
    y = net.reshape(x, 1, groups, channels // groups * extent**2)
    y = net.op("InstanceNormalization", y, net.const([1.0] * groups),
               net.const([0.0] * groups))
    y = net.reshape(y, 1, channels, extent, extent)
    y = net.op("Mul", y, net.weight(channels, 1, 1, fan=1))
    return net.model(net.silu(net.op("Add", y,
                                     net.weight(channels, 1, 1, fan=4))))


def heads_normalised(tokens, heads, size):
    """Each head's part of a row by itself, between gates of whole rows."""
    net = Net("heads_normalised")
    x, gate = (net.input(tokens, heads * size) for _ in range(2))
    x = net.reshape(scaled(net, x, heads * size), tokens, heads, size)
    y = net.reshape(rms_norm(net, x, size), tokens, heads * size)
    return net.model(net.op("Mul", y, net.op("Sigmoid", gate)))


def patches_merged(extent, channels):
    """Four neighbours beside each other, normalised, as between the stages of
    vision transformers."""
    net = Net("patches_merged")
    half = extent // 2
    x = net.op("Add", net.input(1, extent, extent, channels),
               net.input(1, extent, extent, channels))
    x = net.reshape(x, half, 2, half, 2 * channels)
    x = net.op("Transpose", x, perm=[0, 2, 1, 3])
    x = net.reshape(x, 1, half, half, 4 * channels)
    return net.model(net.layer_norm(x, 4 * channels))


def softmax(rows, columns):
    net = Net("long_softmax")
    x = net.op("Mul", net.input(rows, columns), net.const(4.0))
    return net.model(net.op("Softmax", x, axis=-1))


CASES = (
    ("softmax twice", softmax_twice, (8192, 1024)),
    ("softmax, expectation", expectation, (8192, 1024)),
    ("softmax, sums of columns", columns_of_softmax, (32, 256, 1024)),
    ("long softmax", softmax, (16, 1048576)),
    ("LayerNorm twice", layer_norm_twice, (8192, 1024)),
    ("LayerNorm, pooled", layer_norm_pooled, (32, 256, 1024)),
    ("RMSNorm twice", rms_norm_twice, (8192, 1024)),
    ("InstanceNorm", instance_norm, (32, 512)),
    ("GroupNorm", group_norm, (4, 32, 512)),
    ("RMSNorm of heads", heads_normalised, (8192, 16, 64)),
    ("patches merged", patches_merged, (256, 128)),
    ("elements and reductions", elements_and_reductions, (8192, 1024)),
    ("transposes", transposes, (4096, 2048)),
    ("channels last", channels_last, (96, 320)),
    ("broadcasts", broadcasts, (128, 256, 512)),
    ("several outputs", several_outputs, (8192, 1024)),
    ("two readers", two_readers, (8192, 1024)),
    ("gated LayerNorm", gated, (8192, 1024)),
    ("depthwise squeeze-excite", squeeze_excite, (96, 320)),
)
PROGRAMS = {f"{name} {'x'.join(map(str, dims))}": Program(
    "x".join(map(str, dims)), functools.partial(make, *dims))
    for name, make, dims in CASES}
