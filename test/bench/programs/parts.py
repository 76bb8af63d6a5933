# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What lies between the products of networks, over maps out of cache."""

import functools

from blocks.net import Net
from programs import Program


def softmax(rows, columns):
    """Scaled and masked, as attentions have it."""
    net = Net("softmax")
    x, mask = net.input(rows, columns), net.input(1, columns)
    x = net.op("Add", net.op("Div", x, net.const(8.0)), mask)
    return net.model(net.op("Softmax", x, axis=-1))


def plain_softmax(rows, columns):
    """As compilers before opset 13 and other exporters spell it."""
    net = Net("plain_softmax")
    x = net.input(rows, columns)
    x = net.op("Sub", x, net.op("ReduceMax", x, axes=[-1]))
    x = net.op("Exp", x)
    total = net.op("ReduceSum", x, net.const([-1], "int64"))
    return net.model(net.op("Div", x, total))


def layer_norm(rows, columns):
    """After a sum with the residual."""
    net = Net("layer_norm")
    x = net.op("Add", net.input(rows, columns), net.input(rows, columns))
    return net.model(net.layer_norm(x, columns), x)


def plain_layer_norm(rows, columns):
    """In plain operators, as before opset 17."""
    net = Net("plain_layer_norm")
    x = net.op("Add", net.input(rows, columns), net.input(rows, columns))
    x = net.op("Sub", x, net.op("ReduceMean", x, axes=[-1]))
    square = net.op("Pow", x, net.const(2.0))
    variance = net.op("ReduceMean", square, axes=[-1])
    root = net.op("Sqrt", net.op("Add", variance, net.const(1e-5)))
    y = net.op("Mul", net.op("Div", x, root), net.weight(columns, fan=1))
    return net.model(net.op("Add", y, net.weight(columns, fan=4)))


def chain(*dims):
    """Element by element: nothing but memory."""
    net = Net("chain")
    x, y = net.input(*dims), net.input(*dims)
    scale = net.weight(1, dims[1], *[1] * (len(dims) - 2), fan=1)
    z = net.op("Add", net.op("Mul", x, scale), net.const(0.5))
    z = net.op("Relu", net.op("Sub", z, y))
    z = net.op("Mul", z, net.op("Abs", y))
    return net.model(net.op("Min", net.op("Add", z, x), net.const(6.0)))


def squeeze_excite(channels, extent):
    net = Net("squeeze_excite")
    x = net.input(1, channels, extent, extent)
    y = net.op("GlobalAveragePool", x)
    y = net.op("Relu", net.conv(y, channels, channels // 4, 1))
    y = net.op("Sigmoid", net.conv(y, channels // 4, channels, 1))
    return net.model(net.op("Mul", x, y))


def attention(heads, tokens, size):
    net = Net("attention")
    q, v = (net.input(1, heads, tokens, size) for _ in range(2))
    k = net.input(1, heads, size, tokens)
    return net.model(net.attend(q, k, v, size))


CASES = (
    ("softmax", softmax, (4096, 1024)), ("softmax", softmax, (49152, 128)),
    ("softmax in parts", plain_softmax, (4096, 1024)),
    ("LayerNorm", layer_norm, (8192, 768)),
    ("LayerNorm in parts", plain_layer_norm, (8192, 768)),
    ("elements", chain, (1, 64, 256, 256)),
    ("squeeze-excite", squeeze_excite, (64, 256)),
    ("squeeze-excite", squeeze_excite, (96, 112)),
    ("attention", attention, (12, 128, 64)),
    ("attention", attention, (12, 512, 64)),
    ("attention", attention, (8, 1024, 64)),
)
PROGRAMS = {f"{name} {'x'.join(map(str, dims))}": Program(
    "x".join(map(str, dims)), functools.partial(make, *dims))
    for name, make, dims in CASES}
