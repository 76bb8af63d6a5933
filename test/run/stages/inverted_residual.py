#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write inverted residuals, each a group of three stages.

A 1x1 convolution expands the channels, a depthwise one moves over the map, and
another 1x1 convolution projects it, plus the input where the shapes match.
Without a tile, each of the three is a group of its own.

The program has an input x<i> and an output y<i> for each block: extents with
every remainder of the tile's sizes, and smaller ones; strides 1 and 2; windows
of 3 and 5; channels that are no whole vectors."""

import argparse
import array
import dataclasses
import itertools
import pathlib
import random

TILE = {1: 4, 2: 3}
EXTENTS = ((3, 1), (12, 7), (9, 8), (10, 9), (15, 2), (8, 11))
CHANNELS = ((5, 19, 7), (3, 16, 9), (6, 9, 6), (17, 35, 17))


def tensor(*shape):
    return f"tensor<{'x'.join(map(str, shape))}xf32>"


@dataclasses.dataclass
class Block:
    """An inverted residual on maps of height by width by channels."""
    height: int
    width: int
    channels: int
    expanded: int
    filters: int
    stride: int = 1
    window: int = 3
    tile: dict | None = None  # sizes by dimension

    @property
    def residual(self):
        return self.stride == 1 and self.channels == self.filters

    @property
    def input(self):
        return tensor(1, self.height, self.width, self.channels)

    @property
    def wide(self):
        return tensor(1, self.height, self.width, self.expanded)

    def small(self, channels):
        """The type of a map behind the strides."""
        return tensor(1, -(-self.height // self.stride),
                      -(-self.width // self.stride), channels)

    @property
    def result(self):
        return self.small(self.filters)

    def constants(self):
        """The shape of each weight and bias."""
        return {"w0": (self.expanded, self.channels, 1, 1),
                "b0": (self.expanded,),
                "w1": (self.expanded, 1, self.window, self.window),
                "b1": (self.expanded,),
                "w2": (self.filters, self.expanded, 1, 1),
                "b2": (self.filters,)}


class Stage:
    """A convolution of `source`, a name and a type, and what follows."""

    def __init__(self, block, number, source, result):
        names = [f"w{number}", f"b{number}"]
        self.name, self.result = f"t{number}", result
        self.operands = {source[0]: source[1], **{
            name: tensor(*block.constants()[name]) for name in names}}
        self.block, self.number = block, number

    def convolution(self):
        is_window = self.number == 1
        stride = self.block.stride if is_window else 1
        pad = self.block.window // 2 if is_window else 0
        group = self.block.expanded if is_window else 1
        types = ", ".join(list(self.operands.values())[:2])
        return (f"  %0 = graph.conv %p0, %p1 {{strides = array<i64: {stride}, "
                f"{stride}>, pads = array<i64: {pad}, {pad}, {pad}, {pad}>, "
                f"dilations = array<i64: 1, 1>, group = {group} : i64, "
                f"layout = #graph<layout nhwc>}} : ({types}) -> {self.result}")

    def body(self):
        kind, bias = self.result, self.operands[f"b{self.number}"]
        lines = [self.convolution(), f"  %1 = graph.add %0, %p2 : "
                 f"({kind}, {bias}) -> {kind}"]
        if self.number < 2:
            lines += [
                f"  %2 = graph.relu %1 : ({kind}) -> {kind}",
                "  %six = graph.constant dense<6.0> : tensor<f32>",
                f"  %3 = graph.min %2, %six : ({kind}, tensor<f32>) -> {kind}"]
        elif self.block.residual:
            lines.append(f"  %2 = graph.add %1, %p3 : ({kind}, {kind}) "
                         f"-> {kind}")
        last = len(lines) - 1 - (self.number < 2)
        return lines + [f"  kernel.yield %{last} : {kind}"]

    def text(self, operation, prefix):
        """`prefix` starts the name of each value outside of the region."""
        names = ", ".join(f"%{prefix}{name}" for name in self.operands)
        kinds = ", ".join(self.operands.values())
        arguments = ", ".join(f"%p{i}: {kind}" for i, kind in
                              enumerate(self.operands.values()))
        return [f"%{prefix}{self.name} = kernel.{operation}({names}) : "
                f"({kinds}) -> {self.result} {{", f"^bb0({arguments}):",
                *self.body(), "}"]


def stages_of(block):
    expand = Stage(block, 0, ("x", block.input), block.wide)
    window = Stage(block, 1, ("t0", block.wide), block.small(block.expanded))
    project = Stage(block, 2, ("t1", window.result), block.result)
    if block.residual:
        project.operands["x"] = block.input
    return expand, window, project


def one_group(block, prefix):
    operands = {"x": block.input, **{
        name: tensor(*shape) for name, shape in block.constants().items()}}
    names = ", ".join(f"%{prefix}{name}" for name in operands)
    arguments = ", ".join(f"%{name}: {kind}"
                          for name, kind in operands.items())
    dims = ", ".join(map(str, block.tile))
    sizes = ", ".join(map(str, block.tile.values()))
    return [f"%{prefix}t2 = kernel.group({names}) {{tile = #kernel.tile<dims "
            f"= [{dims}], sizes = [{sizes}]>}} : "
            f"({', '.join(operands.values())}) -> {block.result} {{",
            f"^bb0({arguments}):",
            *[line for stage in stages_of(block)
              for line in stage.text("stage", "")],
            f"kernel.yield %t2 : {block.result}", "}"]


def three_groups(block, prefix):
    return [line for stage in stages_of(block)
            for line in stage.text("group", prefix)]


def resource(name, shape, numbers):
    """Elements whose sums are about as large as what is summed."""
    count = 1
    for extent in shape:
        count *= extent
    scale = (3 * shape[0] / count) ** 0.5 if len(shape) > 1 else 0.3
    values = array.array("f", [numbers.uniform(-scale, scale)
                               for _ in range(count)])
    return f'{name}: "0x04000000{values.tobytes().hex()}"'


def program(blocks, seed=0):
    """The text of a program of `blocks`."""
    numbers, body, resources = random.Random(seed), [], []
    for i, block in enumerate(blocks):
        prefix = f"n{i}_"
        for name, shape in block.constants().items():
            body.append(f"%{prefix}{name} = graph.constant dense_resource<"
                        f"{prefix}{name}> : {tensor(*shape)}")
            resources.append(resource(prefix + name, shape, numbers))
        body += (one_group if block.tile else three_groups)(block, prefix)
    inputs = ", ".join(f'%n{i}_x: {block.input} {{onnx.name = "x{i}"}}'
                       for i, block in enumerate(blocks))
    outputs = ", ".join(f'{block.result} {{onnx.name = "y{i}"}}'
                        for i, block in enumerate(blocks))
    results = ", ".join(f"%n{i}_t2" for i in range(len(blocks)))
    kinds = ", ".join(block.result for block in blocks)
    return "\n".join([
        f"func.func @main({inputs}) -> ({outputs}) {{", *body,
        f"return {results} : {kinds}", "}", "{-#", "dialect_resources: {",
        "builtin: {", ",\n".join(resources), "}", "}", "#-}", ""])


def blocks_of_test():
    blocks, channels = [], itertools.cycle(CHANNELS)
    for stride in (1, 2):
        for i, (height, width) in enumerate(EXTENTS):
            odd = i % stride
            blocks.append(Block(height * stride - odd, width * stride - odd,
                                *next(channels), stride,
                                5 if i == 2 else 3, TILE))
    return blocks


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.program.write_text(program(blocks_of_test()), encoding="ascii")


if __name__ == "__main__":
    main()
