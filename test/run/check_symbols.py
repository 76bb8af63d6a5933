#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile networks with symbolic dimensions once, run them at many sizes.

Each network is compiled without any size. Its artifact then runs at each of its
sizes on two threads, and the outputs must be those of the interpreter, which
gets a model of that size: floats within a tolerance, all others exactly. At the last of its sizes they must be far
from these where one of the inputs is another."""

import argparse
import concurrent.futures
import itertools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

import agreement

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
TOLERANCE = 2e-5
# Inputs whose elements do not matter: their shapes are read, and nothing is left
# of a triangle beyond the corner.
UNREAD = {("starts", "y"), ("resizes", "y"), ("triangles", "y"),
          ("sampled", "y")}


class Network:
    """Nodes, constants and inputs, one after the other."""

    def __init__(self, name):
        self.name, self.opset = name, 17
        self.nodes, self.constants, self.inputs = [], [], []
        self.opset = 17
        self.random = np.random.default_rng(7)

    def input(self, name, shape, kind=FLOAT):
        self.inputs.append(helper.make_tensor_value_info(name, kind, shape))
        return name

    def constant(self, array):
        name = f"c{len(self.constants)}"
        self.constants.append(numpy_helper.from_array(np.asarray(array), name))
        return name

    def weights(self, *shape, scale=None):
        values = self.random.standard_normal(shape)
        values *= scale or 1 / shape[0] ** 0.5
        return self.constant(values.astype(np.float32))

    def add(self, kind, *operands, **attributes):
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(
            helper.make_node(kind, operands, [name], name, **attributes))
        return name

    def add_pair(self, kind, *operands, **attributes):
        """The names of two results."""
        names = [self.add(kind, *operands, **attributes)]
        names.append(f"{names[0]}_")
        self.nodes[-1].output.append(names[1])
        return names

    def save(self, outputs, folder):
        results = [helper.make_tensor_value_info(name, kind, None)
                   for name, kind in outputs]
        graph = helper.make_graph(
            self.nodes, self.name, self.inputs, results, self.constants)
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", self.opset)])
        path = folder / f"{self.name}.onnx"
        onnx.save(model, path)
        return path


def attention(net):
    """A block of a transformer with masked heads, any batch and length."""
    x = net.input("x", ["batch", "seq", 48])
    mask = net.input("mask", ["batch", 1, 1, "seq"])
    heads = []
    for order in ([0, 2, 1, 3], [0, 2, 3, 1], [0, 2, 1, 3]):
        part = net.add("MatMul", x, net.weights(48, 48))
        part = net.add("Reshape", part, net.constant([0, 0, 3, 16]))
        heads.append(net.add("Transpose", part, perm=order))
    scores = net.add("MatMul", heads[0], heads[1])
    scores = net.add("Add", scores, mask)
    mixed = net.add("MatMul", net.add("Softmax", scores, axis=-1), heads[2])
    mixed = net.add("Transpose", mixed, perm=[0, 2, 1, 3])
    mixed = net.add("Reshape", mixed, net.constant([0, 0, 48]))
    mixed = net.add("Add", x, net.add("MatMul", mixed, net.weights(48, 48)))
    normal = net.add("LayerNormalization", mixed, net.weights(48),
                     net.weights(48))
    return [(normal, FLOAT)]


def cache(net):
    """A step of decoding: the new key joins those of the past."""
    past = net.input("past", [1, 2, "past", 8])
    key = net.input("key", [1, 2, 1, 8])
    query = net.input("query", [1, 2, 1, 8])
    keys = net.add("Concat", past, key, axis=2)
    turned = net.add("Transpose", keys, perm=[0, 1, 3, 2])
    scores = net.add("Softmax", net.add("MatMul", query, turned), axis=-1)
    return [(net.add("MatMul", scores, keys), FLOAT), (keys, FLOAT)]


def pieces(net):
    """Rows that are joined, picked, cut out and padded."""
    x = net.input("x", ["n", 5])
    y = net.input("y", ["m", 5])
    index = net.input("index", ["k"], INT64)
    joined = net.add("Concat", x, y, axis=0)
    size = net.add("Gather", net.add("Shape", joined), net.constant(0))
    picked = net.add("Gather", joined,
                     net.add("Mod", index, size), axis=0)
    padded = net.add("Pad", picked, net.constant([0, 1, 2, 0]))
    return [(padded, FLOAT), (size, INT64)]


def reductions(net):
    """Of the symbolic dimension, of another one, of both."""
    x = net.input("x", ["n", 3, "m"])
    rows = net.add("ReduceMean", x, axes=[2], keepdims=1)
    columns = net.add("ReduceMax", x, axes=[0], keepdims=0)
    scaled = net.add("Mul", net.add("Sub", x, rows), net.add("Exp", columns))
    return [(net.add("ReduceSum", scaled, keepdims=0), FLOAT),
            (net.add("Tanh", scaled), FLOAT)]


def positions(net):
    """Lengths that are read as data."""
    x = net.input("x", ["batch", "seq", 4])
    shape = net.add("Shape", x)
    length = net.add("Gather", shape, net.constant(1))
    numbers = net.add("Range", net.constant(0), length, net.constant(1))
    table = net.weights(40, 4)
    placed = net.add("Add", x, net.add("Gather", table, numbers, axis=0))
    mean = net.add("Div", placed, net.add("Cast", length, to=FLOAT))
    return [(mean, FLOAT), (numbers, INT64)]


def images(net):
    """Separable convolutions and pools, with and without padding."""
    x = net.input("x", ["batch", 3, "height", "width"])
    x = net.add("Conv", x, net.weights(16, 3, 3, 3), net.weights(16),
                strides=[2, 2], pads=[1, 1, 1, 1])
    x = net.add("Relu", net.add("Conv", x, net.weights(16, 1, 3, 3),
                                group=16, pads=[1, 1, 1, 1]))
    x = net.add("Conv", x, net.weights(24, 16, 1, 1))
    narrow = net.add("Conv", x, net.weights(24, 24, 3, 3))
    narrow = net.add("Conv", narrow, net.weights(24, 1, 5, 5), group=24,
                     strides=[2, 2], pads=[2, 2, 2, 2])
    peaks = net.add("MaxPool", narrow, kernel_shape=[3, 3], strides=[2, 2],
                    pads=[1, 1, 1, 1])
    means = net.add("AveragePool", x, kernel_shape=[3, 3],
                    pads=[1, 1, 1, 1])
    return [(peaks, FLOAT), (means, FLOAT)]


def filters(net):
    """Convolutions worth Winograd's algorithm, of maps of any size."""
    x = net.input("x", ["batch", 32, "height", "width"])
    same = {"pads": [1, 1, 1, 1]}
    first = net.add("Relu", net.add("Conv", x, net.weights(48, 32, 3, 3,
                                                           scale=0.04),
                                    net.weights(48), **same))
    again = net.add("Conv", first, net.weights(48, 48, 3, 3, scale=0.04), **same)
    again = net.add("Add", again, first)
    wide = net.add("Conv", again, net.weights(40, 48, 3, 3, scale=0.04),
                   pads=[2, 2, 2, 2], dilations=[2, 2])
    large = net.add("Conv", again, net.weights(33, 48, 5, 5, scale=0.04),
                    pads=[3, 2, 1, 2])
    row = net.add("Conv", again, net.weights(64, 48, 1, 5, scale=0.04),
                  pads=[0, 2, 0, 2])
    column = net.add("Conv", again, net.weights(64, 48, 5, 1, scale=0.04),
                     pads=[2, 0, 2, 0])
    limit = net.constant(np.float32(3.5))
    endless = net.add("Where", net.add("Greater", x, limit),
                      net.constant(np.float32(np.inf)), x)
    endless = net.add("Conv", endless, net.weights(48, 32, 3, 3, scale=0.04),
                      **same)
    grown = net.add("Resize", x, "", net.constant(
        np.array([1, 1, 4, 2], np.float32)), mode="nearest")
    grown = net.add("Conv", net.add("Relu", grown),
                    net.weights(48, 32, 3, 3, scale=0.04), **same)
    return [(name, FLOAT)
            for name in (wide, large, row, column, endless, grown)]


def ceilings(net):
    """Pools whose last windows may hang over the end."""
    x = net.input("x", ["batch", 5, "height", "width"])
    results = []
    for kind, window in (
            ("MaxPool", {"kernel_shape": [3, 3], "strides": [2, 2]}),
            ("MaxPool", {"kernel_shape": [2, 2], "strides": [3, 3],
                         "pads": [1, 0, 1, 1]}),
            ("AveragePool", {"kernel_shape": [3, 2], "strides": [2, 3]}),
            ("AveragePool", {"kernel_shape": [3, 3], "strides": [2, 2],
                             "pads": [0, 1, 0, 1]}),
            ("AveragePool", {"kernel_shape": [3, 5], "strides": [3, 4],
                             "pads": [1, 1, 1, 1], "count_include_pad": 1})):
        results.append((net.add(kind, x, ceil_mode=1, **window), FLOAT))
    deep = net.add("Conv", x, net.weights(40, 5, 1, 1))
    deep = net.add("MaxPool", deep, kernel_shape=[3, 3], strides=[2, 2],
                   ceil_mode=1)
    # This layer takes the sizes that the pool rounds up.
    deep = net.add("Conv", deep, net.weights(8, 40, 1, 1))
    deep = net.add("MaxPool", deep, kernel_shape=[3, 3], strides=[2, 2],
                   pads=[1, 1, 1, 1], ceil_mode=1)
    return results + [(deep, FLOAT)]


def recurrent(net, kind, hidden, directions, x, *more, results=1, **options):
    """A layer's first `results` results."""
    gates = {"LSTM": 4, "GRU": 3, "RNN": 1}[kind] * hidden
    direction = "bidirectional" if directions == 2 else "reverse"
    names = [f"{kind.lower()}{len(net.nodes)}_{i}" for i in range(results)]
    # Small enough that errors of one step fade in those that follow.
    weights = [net.weights(directions, gates, x[1], scale=0.2),
               net.weights(directions, gates, hidden, scale=0.5 / hidden ** 0.5),
               net.weights(directions, 2 * gates)]
    net.nodes.append(helper.make_node(
        kind, [x[0], *weights, *more], names, names[0], hidden_size=hidden,
        direction=direction, **options))
    return names if results > 1 else names[0]


def sequences(net):
    """Layers of any number of steps and sequences, some of them shorter."""
    x = net.input("x", ["time", "batch", 5])
    start = net.input("start", [2, "batch", 9])
    length = net.input("length", ["batch"], INT64)
    steps = net.add("Gather", net.add("Shape", x), net.constant(0))
    length = net.add("Cast", net.add("Min", length, steps),
                     to=TensorProto.INT32)
    y, h, c = recurrent(net, "LSTM", 9, 2, (x, 5), length, start, start,
                        results=3)
    y = net.add("Transpose", y, perm=[0, 2, 1, 3])
    y = net.add("Reshape", y, net.constant([0, 0, 18]))
    gru = recurrent(net, "GRU", 20, 1, (y, 18))
    early = recurrent(net, "GRU", 7, 1, (y, 18), linear_before_reset=1)
    rnn = recurrent(net, "RNN", 17, 2, (x, 5))
    return [(h, FLOAT), (c, FLOAT), (gru, FLOAT), (early, FLOAT), (rnn, FLOAT)]


def rows_first(net):
    """The batch leads; a step is work for several threads."""
    x = net.input("x", ["batch", "time", 6])
    y, h = recurrent(net, "LSTM", 200, 1, (x, 6), results=2, layout=1)
    return [(y, FLOAT), (h, FLOAT)]


def selections(net):
    """Extremes and the best along open dimensions and beside them."""
    x = net.input("x", ["n", 3, "m"])
    rows = net.add("ArgMax", x, axis=2)
    last = net.add("ArgMin", x, axis=2, select_last_index=1, keepdims=0)
    columns = net.add("ArgMin", x, axis=0, keepdims=0)
    middle = net.add("ArgMax", x, axis=1)
    hard = net.add("Hardmax", x, axis=-1)
    top, place = net.add_pair("TopK", x, net.constant([1]), axis=2)
    flat = net.add("Reshape", x, net.constant([-1]))
    best, _ = net.add_pair("TopK", flat, net.constant([3]), largest=0)
    return [(rows, INT64), (last, INT64), (columns, INT64), (middle, INT64),
            (hard, FLOAT), (top, FLOAT), (place, INT64), (best, FLOAT)]


def starts(net):
    """As many rows as another tensor has, or all."""
    x = net.input("x", ["n", 4])
    y = net.input("y", ["m", 4])
    rows = net.add("Shape", y, start=0, end=1)
    part = net.add("Slice", x, net.constant([0]), rows, net.constant([0]))
    return [(net.add("Exp", part), FLOAT),
            (net.add("ReduceSum", part, net.constant([0])), FLOAT)]


def running(net):
    """Sums and products along open dimensions and beside them."""
    x = net.input("x", ["n", 3, "m"])
    last = net.add("CumSum", x, net.constant(2))
    first = net.add("CumSum", x, net.constant(0), exclusive=1, reverse=1)
    middle = net.add("CumSum", x, net.constant([1]), reverse=1)
    index = net.input("index", ["n", "m"], INT64)
    back = net.add("CumSum", index, net.constant(-1), exclusive=1, reverse=1)
    ids = net.add("Mul", net.add("CumSum", index, net.constant(1)), index)
    return [(last, FLOAT), (first, FLOAT), (middle, FLOAT), (back, INT64),
            (ids, INT64)]


def triangles(net):
    """Of matrices of any size."""
    x = net.input("x", [2, "n", "m"])
    lower = net.add("Trilu", x, net.constant(1), upper=0)
    upper = net.add("Trilu", x, net.constant(-2))
    y = net.input("y", ["n", 5])
    beside = net.add("Trilu", y, net.constant(99))
    return [(lower, FLOAT), (upper, FLOAT), (beside, FLOAT)]


def resizes(net):
    """By scales, to the size of another image, and to that of a layer."""
    x = net.input("x", ["batch", 3, "height", "width"])
    y = net.input("y", ["batch", 1, "h", "w"])
    none = net.constant(np.zeros(0, np.float32))
    twice = net.constant(np.array([1, 1, 2, 2], np.float32))
    half = net.constant(np.array([1, 1, 0.5, 3], np.float32))
    shape = net.add("Shape", y)
    size = net.add("Concat", net.add("Shape", x, end=2),
                   net.add("Slice", shape, net.constant([2]),
                           net.constant([4])), axis=0)
    linear = net.add("Resize", x, none, twice, mode="linear")
    cubic = net.add("Resize", x, none, half, mode="cubic",
                    coordinate_transformation_mode="asymmetric",
                    exclude_outside=1)
    fitted = net.add("Resize", x, none, none, size, mode="linear",
                     coordinate_transformation_mode="align_corners")
    nearest = net.add("Resize", x, none, none, size, mode="nearest",
                      coordinate_transformation_mode="half_pixel")
    deep = net.add("Conv", x, net.weights(3, 3, 1, 1))
    deep = net.add("Resize", deep, none, none, size, mode="linear",
                   coordinate_transformation_mode="pytorch_half_pixel")
    deep = net.add("Conv", deep, net.weights(4, 3, 1, 1))
    return [(linear, FLOAT), (cubic, FLOAT), (fitted, FLOAT),
            (nearest, FLOAT), (deep, FLOAT)]


def maxima(net):
    """Where the largest element of each window lies."""
    x = net.input("x", ["batch", 3, "height", "width"])
    results = []
    for window in ({"kernel_shape": [2, 3], "strides": [2, 1]},
                   {"kernel_shape": [3, 3], "strides": [2, 2],
                    "pads": [1, 1, 1, 1], "ceil_mode": 1},
                   {"kernel_shape": [2, 2], "dilations": [1, 2],
                    "pads": [0, 1, 1, 1], "storage_order": 1},
                   {"kernel_shape": [3, 2], "strides": [2, 2],
                    "auto_pad": "SAME_UPPER"}):
        most, place = net.add_pair("MaxPool", x, **window)
        results += [(most, FLOAT), (place, INT64)]
    return results


def sampled(net):
    """Images of any size read at as many places as another one has."""
    net.opset = 20
    x = net.input("x", ["batch", "channels", "height", "width"])
    y = net.input("y", ["batch", 1, "h", "w"])
    theta = net.input("theta", ["batch", 2, 3])
    results = []
    for align, padding, mode in ((0, "zeros", "bilinear"),
                                 (1, "reflection", "bilinear"),
                                 (0, "border", "bicubic")):
        places = net.add("AffineGrid", theta, net.add("Shape", y),
                         align_corners=align)
        results.append((net.add("GridSample", x, places, mode=mode,
                                padding_mode=padding, align_corners=align),
                        FLOAT))
    return results


def spectra(net):
    """Of signals of any length, and of their frames."""
    net.opset = 20
    x = net.input("x", ["batch", "length", 1])
    half = net.add("DFT", x, "", net.constant(1), onesided=1)
    size = net.add("Gather", net.add("Shape", x), net.constant(1))
    back = net.add("DFT", half, size, net.constant(1), inverse=1, onesided=1)
    padded = net.add("Pad", x, net.constant([0, 8, 0, 0, 8, 0]))
    frames = net.add("STFT", padded, net.constant(3), net.weights(8))
    return [(half, FLOAT), (back, FLOAT), (frames, FLOAT)]


def regions(net):
    """As many as there are, of images of any size."""
    net.opset = 22
    x = net.input("x", [1, "channels", "height", "width"])
    corners = net.input("corners", ["regions", 2])
    extents = net.add("Abs", net.input("extents", ["regions", 2]))
    rois = net.add("Concat", corners, net.add("Add", corners, extents), axis=1)
    which = net.add("ConstantOfShape", net.add("Shape", rois, end=1),
                    value=numpy_helper.from_array(np.zeros(1, np.int64)))
    return [(net.add("RoiAlign", x, rois, which, mode=mode, output_height=2,
                     output_width=3, sampling_ratio=ratio, spatial_scale=2.0),
             FLOAT)
            for mode, ratio in (("avg", 0), ("avg", 2), ("max", 0))]


def deformed(net):
    """Convolutions whose taps move, of images of any size."""
    net.opset = 22
    x = net.input("x", ["batch", 4, "height", "width"])
    offsets = net.add("Conv", x, net.weights(36, 4, 3, 3), pads=[1, 1, 1, 1])
    mask = net.add("Conv", x, net.weights(18, 4, 3, 3), pads=[1, 1, 1, 1])
    return [(net.add("DeformConv", x, net.weights(6, 2, 3, 3), offsets,
                     net.weights(6), mask, group=2, offset_group=2,
                     pads=[1, 1, 1, 1]), FLOAT)]


def broadcasts(net):
    """Two sizes that are equal, or one of them 1."""
    x = net.input("x", ["n", 4])
    y = net.input("y", ["m", 4])
    return [(net.add("Mul", net.add("Add", x, y), x), FLOAT)]


def grid(**extents):
    names = list(extents)
    return [dict(zip(names, point))
            for point in itertools.product(*extents.values())]


LENGTHS = (1, 2, 7, 8, 15, 16, 17, 33)
def thirds(net):
    """Rows that are further apart than they are long, or none."""
    x = net.input("x", ["n", 1, 9])
    part = net.add("Slice", x, net.constant([0]),
                   net.constant([np.iinfo(np.int64).max]), net.constant([0]),
                   net.constant([3]))
    return [(net.add("Concat", part, part, axis=axis), FLOAT)
            for axis in (0, 1)]


NETWORKS = (
    (attention, grid(batch=(1, 3), seq=LENGTHS)),
    (cache, grid(past=(0, *LENGTHS, 100))),
    (pieces, grid(n=(0, 1, 9), m=(1, 4), k=(0, 1, 17))),
    (reductions, grid(n=(1, 2, 9), m=(1, 7, 16, 17, 40))),
    (positions, grid(batch=(1, 2), seq=LENGTHS)),
    (images, grid(batch=(1, 2), height=(7, 8, 33), width=(5, 18, 31, 64))),
    (filters, grid(batch=(1, 3), height=(1, 3, 4, 5, 23),
                   width=(1, 2, 4, 6, 31))),
    (ceilings, grid(batch=(1, 2), height=(3, 4, 6, 17), width=(5, 6, 7, 30, 64))),
    (sequences, grid(time=(0, 1, 2, 7, 64), batch=(1, 2, 3, 5))),
    (rows_first, grid(batch=(0, 1, 2, 3, 4, 9), time=(1, 2, 16))),
    (selections, grid(n=(1, 2, 9), m=(1, 7, 16, 17, 40))),
    (starts, grid(n=(0, 1, 5, 40), m=(0, 1, 5, 17))),
    (running, grid(n=(0, 1, 5), m=(0, 1, 7, 16, 17, 33))),
    (thirds, grid(n=(0, 1, 3, 4, 9, 50))),
    (triangles, grid(n=(0, 1, 3, 17), m=(0, 1, 8, 20))),
    (resizes, grid(batch=(1, 2), height=(2, 9), width=(2, 7, 33), h=(1, 5, 16),
                   w=(1, 7, 40))),
    (maxima, grid(batch=(0, 1, 2), height=(3, 4, 9), width=(4, 17))),
    (sampled, grid(batch=(1, 3), channels=(1, 5), height=(1, 6), width=(1, 9),
                   h=(1, 4), w=(1, 7))),
    (spectra, grid(batch=(1, 2), length=(1, 2, 7, 8, 40))),
    (regions, grid(channels=(1, 5), height=(1, 7), width=(1, 10),
                   regions=(0, 1, 6))),
    (deformed, grid(batch=(1, 2), height=(1, 2, 9), width=(1, 5, 16))),
    (broadcasts, [{"n": n, "m": m}
                  for n, m in ((1, 1), (1, 6), (6, 1), (6, 6), (17, 17))]),
)


def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=300,
                          capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).strip())


def feed(net, sizes, folder, other=""):
    """The options for inputs of these sizes; the input `other` is another."""
    words = []
    random = {False: np.random.default_rng(3), True: np.random.default_rng(4)}
    for value in net.inputs:
        tensor = value.type.tensor_type
        shape = [sizes[dim.dim_param] if dim.dim_param else dim.dim_value
                 for dim in tensor.shape.dim]
        arrays = {key: (numbers.integers(0, 50, shape)
                        if tensor.elem_type == INT64 else
                        numbers.standard_normal(shape).astype(np.float32))
                  for key, numbers in random.items()}
        path = folder / f"{value.name}.npy"
        np.save(path, arrays[value.name == other])
        words += ["--input", f"{value.name}={path}"]
    return words


class Point:
    """A network at one of its sizes."""

    def __init__(self, net, model, artifact, sizes, folder):
        self.net, self.sizes, self.folder = net, sizes, folder
        self.model, self.artifact = model, artifact
        inputs = feed(net, sizes, folder)
        fixed = [f"--dim={name}={size}" for name, size in sizes.items()]
        execute("tenon-run", "--interpret", model, *inputs, *fixed,
                "--output-dir", folder / "want")
        self.want = agreement.read(folder / "want")

    def run(self, other=""):
        execute("tenon-run", self.artifact,
                *feed(self.net, self.sizes, self.folder, other),
                "--output-dir", self.folder / "got", "--threads", "2")
        return agreement.read(self.folder / "got")

    def compare(self):
        got = self.run()
        return [f"{name}: {text}" for name, (kind, want) in self.want.items()
                if (text := agreement.disagreement(
                    want, got[name][1], TOLERANCE))]

    def weak(self):
        """Inputs that could be others, and no output would tell."""
        lines = []
        for value in self.net.inputs:
            if (self.net.name, value.name) in UNREAD:
                continue
            other = self.run(value.name)
            found = max(agreement.force(want, other[name][1], TOLERANCE)
                        for name, (_, want) in self.want.items())
            if not found >= agreement.FORCE:
                lines.append(f"another {value.name} is only {found:.2g} "
                             "tolerances away")
        return lines


def check(build, points, options, folder):
    net = Network(build.__name__)
    outputs = build(net)
    model = net.save(outputs, folder)
    artifact = model.with_suffix(".tenon")
    try:
        execute("tenon-compile", model, "-o", artifact, "--quiet", *options)
    except RuntimeError as wrong:
        return [f"{net.name}: {wrong}"]
    failures = []
    for sizes in points:
        with tempfile.TemporaryDirectory() as place:
            try:
                point = Point(net, model, artifact, sizes, pathlib.Path(place))
                wrong = point.compare()
                wrong += point.weak() if sizes is points[-1] else []
            except RuntimeError as error:
                wrong = [str(error)]
        failures += [f"{net.name} {sizes}: {line}" for line in wrong]
    return failures


def main(networks, description):
    parser = argparse.ArgumentParser(
        description=description,
        formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mcpu", default="native", metavar="NAME")
    parser.add_argument("names", nargs="*", help="only these networks")
    given = parser.parse_args()
    chosen = [each for each in networks
              if not given.names or each[0].__name__ in given.names]
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = pool.map(
            lambda each: check(*each, [f"--mcpu={given.mcpu}"],
                               pathlib.Path(name)), chosen)
        failures = [text for result in results for text in result]
    for text in failures:
        print(text, file=sys.stderr)
    print(f"{len(chosen)} networks, {sum(len(p) for _, p in chosen)} sizes, "
          f"{len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(NETWORKS, __doc__))
