#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write chains of stages that move, pool, pad, reshape and reduce in tiles.

The program has an input x<i> and an output y<i> for each group: a chain over
maps of odd extents, cut into tiles whose sizes leave every remainder. After
the CASES come chains of random stages, of those SEEDS that can be tiled."""

import argparse
import math
import pathlib
import random

from stage_program import NHWC, Group, program


# Each of these adds stages to a group.


def conv_pool(group, kind, window, stride, pads, ceil=False, extra=""):
    channels = group.input.shape[3]
    filters = group.constant((channels, channels, 3, 3))
    group.stage(lambda s, x, w: s.unary("relu", s.conv(x, w)),
                group.result, filters)
    group.stage(lambda s, x: s.pool(kind, x, window, stride, pads, ceil,
                                    extra))


def pool_conv(group, kind):
    channels = group.input.shape[3]
    filters = group.constant((channels + 2, channels, 3, 3))
    group.stage(lambda s, x: s.pool(kind, x, 3, 2, (1, 1, 1, 1)))
    group.stage(lambda s, x, w: s.conv(x, w, pads=(1, 0, 0, 1)),
                group.result, filters)


def branches(group):
    """Windows of two sizes on one map, side by side, and the map itself."""
    channels = group.input.shape[3]
    first = group.stage(lambda s, x: s.unary("relu", x))
    small = group.constant((5, channels, 1, 1))
    large = group.constant((3, channels, 5, 5))
    one = group.stage(lambda s, x, w: s.conv(x, w, pads=(0, 0, 0, 0)), first,
                      small)
    five = group.stage(lambda s, x, w: s.conv(x, w, pads=(2, 2, 2, 2)), first,
                       large)
    pooled = group.stage(
        lambda s, x: s.pool("max_pool", x, 3, 1, (1, 1, 1, 1)), first)
    group.stage(lambda s, *xs: s.concat(xs, 3), one, five, pooled, first)


def dilated(group, dilation, pads, stride):
    channels = group.input.shape[3]
    filters = group.constant((channels, 1, 3, 3))
    point = group.constant((7, channels, 1, 1))
    first = group.stage(lambda s, x: s.binary("mul", x, s.splat(0.5, x.shape)))
    group.stage(lambda s, x, w: s.conv(x, w, stride, pads, dilation, channels),
                first, filters)
    group.stage(lambda s, x, w: s.conv(x, w, pads=(0, 0, 0, 0)), group.result,
                point)


def downsample(group):
    """A block of stride 2 whose other branch moves in the same steps."""
    channels = group.input.shape[3]
    first = group.stage(lambda s, x: s.unary("relu", x))
    wide = group.constant((6, channels, 3, 3))
    point = group.constant((6, channels, 1, 1))
    left = group.stage(lambda s, x, w: s.conv(x, w, 2), first, wide)
    group.stage(
        lambda s, x, w, y: s.binary("add", s.conv(x, w, 2, (0, 0, 0, 0)), y),
        first, point, left)


def grouped(group, groups):
    """Groups of channels, which may be cut."""
    channels = group.input.shape[3]
    filters = group.constant((2 * channels, channels // groups, 3, 3))
    group.stage(lambda s, x: s.unary("abs", x))
    group.stage(lambda s, x, w: s.conv(x, w, group=groups), group.result,
                filters)


def sliced(group, steps):
    _, height, width, channels = group.input.shape
    group.stage(lambda s, x: s.unary("neg", x))
    sizes = (1, (height - 3) // steps, width - 4, channels - 2)
    group.stage(lambda s, x: s.slice(x, (0, 2, 3, 1), sizes,
                                     (1, steps, 1, 1)))
    filters = group.constant((4, channels - 2, 3, 3))
    group.stage(lambda s, x, w: s.conv(x, w), group.result, filters)


def padded(group, mode):
    """A border of another number, and of the nearest one."""
    group.stage(lambda s, x: s.unary("relu", x))
    low, high = (0, 1, 2, 0), (0, 2, 1, 0)
    border = [group.constant(())] if mode == "constant" else []
    group.stage(lambda s, x, *y: s.pad(x, low, high, mode, *y), group.result,
                *border)
    group.stage(lambda s, x: s.pool("avg_pool", x, 3, 1, (0, 0, 0, 0)))


def cropped(group):
    group.stage(lambda s, x: s.pad(x, (0, -1, 1, 0), (0, 1, -2, 3)))
    group.stage(lambda s, x: s.unary("exp", x))


def upsampled(group, factor):
    """Rows that are repeated, read by windows, and added to others."""
    channels = group.input.shape[3]
    filters = group.constant((channels, channels, 3, 3))
    group.stage(lambda s, x: s.unary("relu", x))
    up = group.stage(lambda s, x: s.resize(x, (1, factor, factor, 1)))
    group.stage(lambda s, x, w: s.conv(x, w), up, filters)
    group.stage(lambda s, x, y: s.binary("add", x, y), group.result, up)


def only_upsampled(group, factor):
    group.stage(lambda s, x: s.unary("relu", x))
    group.stage(lambda s, x: s.resize(x, (1, factor, factor, 1)))


def flattened(group):
    """Pixels become rows of a product, and pixels again."""
    _, height, width, channels = group.input.shape
    matrix = group.constant((channels, 9))
    group.stage(lambda s, x: s.unary("relu", x))
    group.stage(lambda s, x: s.reshape(x, (height * width, channels)))
    group.stage(lambda s, x, w: s.matmul(x, w), group.result, matrix)


def unflattened(group, height):
    """Rows of a product become pixels."""
    rows, channels = group.input.shape
    matrix = group.constant((channels, 6))
    group.stage(lambda s, x, w: s.unary("relu", s.matmul(x, w)), group.result,
                matrix)
    group.stage(lambda s, x: s.reshape(x, (1, height, rows // height, 6)))
    filters = group.constant((6, 1, 3, 3))
    group.stage(lambda s, x, w: s.conv(x, w, group=6), group.result, filters)


def heads(group, count):
    """Columns of a product are split, and transposed to the front."""
    rows, channels = group.input.shape
    matrix = group.constant((channels, count * 8))
    group.stage(lambda s, x, w: s.matmul(x, w), group.result, matrix)
    group.stage(lambda s, x: s.reshape(x, (rows, count, 8)))
    group.stage(lambda s, x: s.transpose(x, (1, 0, 2)))
    scale = group.constant((8,))
    group.stage(lambda s, x, y: s.binary("mul", x, y), group.result, scale)


def softmax(group):
    """Rows whose largest element and sum all elements need."""
    matrix = group.constant((group.input.shape[1], 13))
    scores = group.stage(lambda s, x, w: s.matmul(x, w), group.result, matrix)

    def normalize(s, x):
        powers = s.unary("exp", s.binary("sub", x, s.reduce("max", x, (1,))))
        return s.binary("div", powers, s.reduce("sum", powers, (1,)))
    group.stage(normalize, scores)
    values = group.constant((13, 10))
    group.stage(lambda s, x, w: s.matmul(x, w), group.result, values)


def attention(group):
    """All keys for each tile of queries: a stage read whole and in part."""
    channels = group.input.shape[1]
    query, key = (group.constant((channels, 8)) for _ in range(2))
    base = group.stage(lambda s, x: s.unary("tanh", x))
    queries = group.stage(lambda s, x, w: s.matmul(x, w), base, query)
    keys = group.stage(lambda s, x, w: s.matmul(x, w), base, key)
    keys = group.stage(lambda s, x: s.transpose(x, (1, 0)), keys)
    group.stage(lambda s, x, y: s.matmul(x, y), queries, keys)


def reduced(group, kind):
    """Channels are reduced, then spread again."""
    group.stage(lambda s, x: s.unary("abs", x))
    full = group.result
    group.stage(lambda s, x: s.reduce(kind, x, (3,)))
    shape = full.shape
    group.stage(lambda s, x: s.broadcast(x, shape))
    group.stage(lambda s, x, y: s.binary("sub", x, y), full, group.result)


def excited(group):
    """Means of whole maps scale their channels: tiles of channels."""
    _, _, _, channels = group.input.shape
    group.stage(lambda s, x: s.unary("relu", x))
    full = group.result
    group.stage(lambda s, x: s.reduce("mean", x, (1, 2)))
    group.stage(lambda s, x, y: s.binary("mul", y, s.unary("sigmoid", x)),
                group.result, full)


def gathered(group):
    """Columns in another order, some twice."""
    order = [i * 5 % group.input.shape[1] - (i % 2) for i in range(9)]
    indices = group.constant((9,), order)
    group.stage(lambda s, x: s.unary("relu", x))
    group.stage(lambda s, x, i: s.gather(x, i, 1), group.result, indices)
    group.stage(lambda s, x: s.unary("exp", x))


def picked(group):
    """Rows of a table that all tiles read."""
    rows = [i * 7 % 11 for i in range(13)]
    table, indices = group.constant((11, 6)), group.constant((13,), rows)
    group.stage(lambda s, t, i: s.gather(t, i, 0), table, indices)
    group.stage(lambda s, x, y: s.binary("add", y, x), group.result,
                group.input)


def shifted(group):
    """One value read at two places."""
    height = group.input.shape[1]
    first = group.stage(lambda s, x: s.unary("relu", x))

    def difference(s, x, y):
        size = (1, height - 1, *first.shape[2:])
        ones = (1, 1, 1, 1)
        return s.binary("sub", s.slice(x, (0, 1, 0, 0), size, ones),
                        s.slice(y, (0, 0, 0, 0), size, ones))
    group.stage(difference, first, first)


def counted(group):
    """Running sums along what is not cut, and other bounds."""
    group.stage(lambda s, x: s.unary("abs", x))
    group.stage(lambda s, x: s.op("prefix", [x], x.shape, "axis = 2 : i64"))
    group.stage(lambda s, x: s.binary("min", x, s.splat(2.5, (1, 1, 1, 1))))


def normalized(group):
    group.stage(lambda s, x: s.unary("relu", x))
    group.stage(lambda s, x: s.op(
        "lrn", [x], x.shape, "size = 3 : i64, alpha = 0.5 : f32, "
        f"beta = 0.75 : f32, bias = 1.0 : f32, {NHWC}"))
    group.stage(lambda s, x: s.pool("max_pool", x, 2, 2, (0, 0, 0, 0)))


def largest(group):
    """Positions of the largest of each row."""
    group.stage(lambda s, x: s.unary("sin", x))
    group.stage(lambda s, x: s.op("arg_max", [x], (*x.shape[:-1], 1),
                                  f"axis = {len(x.shape) - 1} : i64",
                                  "i64"))
    group.stage(lambda s, x: s.op("cast", [x], x.shape, element="f32"))


CASES = (
    ((1, 11, 9, 5), {1: 2, 2: 3}, conv_pool, "max_pool", 3, 2, (1, 1, 1, 1)),
    ((1, 13, 8, 4), {1: 3}, conv_pool, "max_pool", 2, 2, (0, 0, 0, 0), True),
    ((1, 12, 10, 6), {1: 4, 2: 4}, conv_pool, "avg_pool", 3, 1, (1, 1, 1, 1)),
    ((1, 9, 12, 5), {1: 2, 2: 2}, conv_pool, "avg_pool", 3, 2, (1, 0, 1, 1),
     True, "count_include_pad = true, "),
    ((1, 10, 7, 19), {1: 2}, conv_pool, "avg_pool", 3, 2, (0, 1, 1, 1), True,
     "count_include_pad = false, "),
    ((1, 15, 13, 4), {1: 3, 2: 2}, pool_conv, "max_pool"),
    ((1, 14, 15, 3), {2: 4}, pool_conv, "avg_pool"),
    ((1, 10, 9, 4), {1: 4, 2: 3}, branches),
    ((1, 7, 11, 18), {1: 3}, branches),
    ((1, 14, 13, 6), {1: 4, 2: 5}, dilated, 2, (2, 2, 2, 2), 1),
    ((1, 13, 12, 17), {1: 3}, dilated, 3, (3, 2, 3, 4), 1),
    ((1, 15, 14, 5), {1: 2, 2: 3}, dilated, 2, (2, 2, 1, 2), 2),
    ((1, 13, 11, 6), {1: 2, 2: 4}, downsample),
    ((1, 8, 9, 12), {1: 3, 3: 6}, grouped, 4),
    ((1, 8, 7, 8), {1: 5, 3: 2}, grouped, 8),
    ((1, 16, 14, 5), {1: 3, 2: 4}, sliced, 1),
    ((1, 19, 12, 6), {1: 4}, sliced, 2),
    ((1, 10, 8, 5), {1: 4, 2: 3}, padded, "constant"),
    ((1, 9, 11, 17), {1: 3}, padded, "edge"),
    ((1, 9, 8, 4), {1: 3}, cropped),
    ((1, 5, 7, 4), {1: 4, 2: 6}, upsampled, 2),
    ((1, 7, 5, 6), {1: 3}, upsampled, 3),
    ((1, 6, 5, 9), {1: 4}, only_upsampled, 2),
    ((1, 7, 5, 6), {0: 10}, flattened),
    ((1, 6, 4, 17), {0: 8, 1: 4}, flattened),
    ((35, 6), {1: 2}, unflattened, 7),
    ((13, 10), {0: 2, 1: 5}, heads, 5),
    ((11, 12), {1: 4}, heads, 3),
    ((15, 12), {0: 4}, softmax),
    ((17, 7), {0: 5}, attention),
    ((1, 9, 6, 7), {1: 4, 2: 4}, reduced, "mean"),
    ((1, 8, 7, 18), {1: 3}, reduced, "max"),
    ((1, 6, 5, 19), {3: 8}, excited),
    ((13, 11), {0: 4}, gathered),
    ((13, 6), {0: 5, 1: 4}, picked),
    ((1, 12, 5, 7), {1: 4}, shifted),
    ((1, 7, 9, 5), {1: 3}, counted),
    ((1, 12, 9, 7), {1: 4, 2: 3}, normalized),
    ((14, 9), {0: 5}, largest),
)


SEEDS = (0, 2, 3, 5, 6, 7, 8, 9, 11, 12, 13, 14, 15, 17,
         18, 19, 20, 21, 23, 24, 25, 26, 27, 28)


class RandomChain:
    """Stages on maps, each on the last result and perhaps an earlier one."""

    def __init__(self, number, seed):
        self.source = random.Random(seed)
        pick = self.source.randint
        self.group = Group(number, (1, pick(5, 14), pick(5, 14), pick(2, 20)))
        kinds = (self.window, self.depthwise, self.point, self.pool, self.cut,
                 self.border, self.repeat, self.beside, self.sum, self.reduced,
                 self.swapped, self.unary, self.repeated_sum)
        self.maps = [self.group.input]
        for _ in range(pick(2, 5)):
            self.source.choice(kinds)()
            self.maps.append(self.group.result)

    @property
    def last(self):
        return self.group.result

    def other(self):
        """Another map of the last one's shape, or itself."""
        return self.source.choice([each for each in self.maps
                                   if each.shape == self.last.shape])

    def stage(self, build, *others):
        self.group.stage(build, self.last, *others)

    def pads(self, window):
        return tuple(self.source.randint(0, window // 2) for _ in range(4))

    def window(self, group=1):
        _, height, width, channels = self.last.shape
        window = self.source.choice((2, 3))
        stride, dilation = self.source.choice(((1, 1), (2, 1), (1, 2)))
        if min(height, width) < (window - 1) * dilation + stride:
            return self.unary()
        filters = self.group.constant(
            (channels if group > 1 else self.source.randint(2, 9),
             channels // group, window, window))
        pads = self.pads(window * dilation)
        return self.stage(lambda s, x, w: s.unary("relu", s.conv(
            x, w, stride, pads, dilation, group)), filters)

    def depthwise(self):
        self.window(self.last.shape[3])

    def point(self):
        filters = self.group.constant(
            (self.source.randint(2, 9), self.last.shape[3], 1, 1))
        self.stage(lambda s, x, w: s.conv(x, w, pads=(0, 0, 0, 0)), filters)

    def pool(self):
        window, stride = self.source.choice(((2, 2), (3, 2), (3, 1), (2, 1)))
        if min(self.last.shape[1:3]) < window + 1:
            return self.unary()
        kind = self.source.choice(("max_pool", "avg_pool"))
        counts = self.source.choice(("true", "false"))
        extra = f"count_include_pad = {counts}, " if kind[0] == "a" else ""
        pads, ceil = self.pads(window), self.source.random() < 0.5
        return self.stage(
            lambda s, x: s.pool(kind, x, window, stride, pads, ceil, extra))

    def cut(self):
        _, height, width, channels = self.last.shape
        step = self.source.choice((1, 1, 2))
        starts = [self.source.randint(0, n // 4) for n in (height, width)]
        sizes = [(n - start - 1) // step + 1
                 for n, start in zip((height, width), starts)]
        self.stage(lambda s, x: s.slice(
            x, (0, *starts, 0), (1, *sizes, channels), (1, step, step, 1)))

    def border(self):
        low, high = (tuple([0] + [self.source.randint(-1, 2) for _ in range(2)]
                           + [0]) for _ in range(2))
        mode = self.source.choice(("constant", "edge"))
        self.stage(lambda s, x: s.pad(x, low, high, mode))

    def repeat(self):
        if math.prod(self.last.shape[1:3]) > 150:
            return self.unary()
        factor = self.source.choice((2, 3))
        return self.stage(lambda s, x: s.resize(x, (1, factor, factor, 1)))

    def beside(self):
        self.stage(lambda s, x, y: s.concat((x, y), 3), self.other())

    def sum(self):
        self.stage(lambda s, x, y: s.binary("add", x, y), self.other())

    def repeated_sum(self):
        bias = self.group.constant((self.last.shape[3],))
        self.stage(lambda s, x, y: s.binary("sub", x, y), bias)

    def reduced(self):
        kind, shape = self.source.choice(("max", "mean")), self.last.shape
        self.stage(lambda s, x: s.broadcast(s.reduce(kind, x, (3,)), shape))

    def swapped(self):
        self.stage(lambda s, x: s.transpose(x, (0, 2, 1, 3)))

    def unary(self):
        name = self.source.choice(("relu", "tanh", "abs"))
        self.stage(lambda s, x: s.unary(name, x))

    def tile(self):
        dims = self.source.choice(((1,), (2,), (1, 2), (1, 2), (3,), (1, 3)))
        return {dim: self.source.randint(
            min(2, self.last.shape[dim]),
            max(2, min(self.last.shape[dim], 7))) for dim in dims}


def random_group(number, seed):
    chain = RandomChain(number, seed)
    return chain.group, chain.tile()


def groups_of_test():
    groups = []
    for number, (shape, tile, build, *options) in enumerate(CASES):
        group = Group(number, shape)
        build(group, *options)
        groups.append((group, tile))
    for seed in SEEDS:
        groups.append(random_group(len(groups), seed))
    return groups


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--only", type=int, help="one group")
    parser.add_argument("--seed", type=int, help="a random chain alone")
    arguments = parser.parse_args()
    if arguments.seed is not None:
        groups = [random_group(0, arguments.seed)]
    elif arguments.only is not None:
        groups = [groups_of_test()[arguments.only]]
    else:
        groups = groups_of_test()
    arguments.program.write_text(program(groups), encoding="ascii")


if __name__ == "__main__":
    main()
