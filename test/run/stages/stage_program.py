# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of groups of stages as text: values, stages, groups and weights."""

import array
import dataclasses
import math
import random

NHWC = "layout = #graph<layout nhwc>"


@dataclasses.dataclass(frozen=True)
class Value:
    name: str
    shape: tuple
    element: str = "f32"

    @property
    def type(self):
        return f"tensor<{''.join(f'{n}x' for n in self.shape)}{self.element}>"


def numbers(values):
    return "array<i64: " + ", ".join(map(str, values)) + ">"


def listed(values, key):
    return ", ".join(getattr(value, key) for value in values)


class Stage:
    """Builds the operations of one stage from its arguments on."""

    def __init__(self, arguments):
        self.arguments, self.lines, self.count = arguments, [], 0

    def op(self, name, operands, shape, attributes="", element=None):
        result = Value(f"%r{self.count}", tuple(shape),
                       element or operands[0].element)
        self.count += 1
        text = f" {{{attributes}}}" if attributes else ""
        self.lines.append(
            f"  {result.name} = graph.{name} {listed(operands, 'name')}{text} "
            f": ({listed(operands, 'type')}) -> {result.type}")
        return result

    def splat(self, number, shape=()):
        result = Value(f"%r{self.count}", tuple(shape))
        self.count += 1
        self.lines.append(f"  {result.name} = graph.constant dense<{number}> "
                          f": {result.type}")
        return result

    def unary(self, name, value):
        return self.op(name, [value], value.shape)

    def binary(self, name, left, right):
        return self.op(name, [left, right], left.shape)

    def conv(self, value, filters, stride=1, pads=(1, 1, 1, 1), dilation=1,
             group=1):
        height, width = (
            (value.shape[1 + i] + pads[i] + pads[2 + i]
             - (filters.shape[2 + i] - 1) * dilation - 1) // stride + 1
            for i in (0, 1))
        return self.op(
            "conv", [value, filters],
            (value.shape[0], height, width, filters.shape[0]),
            f"strides = {numbers((stride, stride))}, pads = {numbers(pads)}, "
            f"dilations = {numbers((dilation, dilation))}, "
            f"group = {group} : i64, {NHWC}")

    def pool(self, name, value, window, stride, pads, ceil=False, extra=""):
        def extent(i):
            room = value.shape[1 + i] + pads[i] + pads[2 + i] - window
            count = (-(-room // stride) if ceil else room // stride) + 1
            # No window begins behind the map.
            while (count - 1) * stride - pads[i] >= value.shape[1 + i]:
                count -= 1
            return count
        return self.op(
            name, [value], (value.shape[0], extent(0), extent(1),
                            value.shape[3]),
            f"kernel = {numbers((window, window))}, "
            f"strides = {numbers((stride, stride))}, pads = {numbers(pads)}, "
            f"dilations = {numbers((1, 1))}, {extra}{NHWC}")

    def slice(self, value, starts, sizes, steps):
        return self.op("slice", [value], sizes,
                       f"starts = {numbers(starts)}, sizes = {numbers(sizes)},"
                       f" steps = {numbers(steps)}")

    def pad(self, value, low, high, mode="constant", *border):
        shape = [sum(each) for each in zip(value.shape, low, high)]
        return self.op("pad", [value, *border], shape,
                       f"low = {numbers(low)}, high = {numbers(high)}, "
                       f"mode = #graph<pad_mode {mode}>")

    def concat(self, values, axis):
        shape = list(values[0].shape)
        shape[axis] = sum(value.shape[axis] for value in values)
        return self.op("concat", values, shape, f"axis = {axis} : i64")

    def transpose(self, value, order):
        return self.op("transpose", [value], [value.shape[i] for i in order],
                       f"permutation = {numbers(order)}")

    def reshape(self, value, shape):
        return self.op("reshape", [value], shape)

    def broadcast(self, value, shape):
        return self.op("broadcast", [value], shape)

    def resize(self, value, factors, mode="nearest"):
        shape = [n * factor for n, factor in zip(value.shape, factors)]
        scales = ", ".join(f"{factor}.0" for factor in factors)
        coordinates = "asymmetric" if mode == "nearest" else "half_pixel"
        return self.op(
            "resize", [value], shape, f"scales = array<f32: {scales}>, "
            f"mode = #graph<resize_mode {mode}>, coordinate_mode = "
            f"#graph<coordinate_mode {coordinates}>, nearest_mode = "
            "#graph<nearest_mode floor>")

    def reduce(self, name, value, axes):
        shape = [1 if i in axes else n for i, n in enumerate(value.shape)]
        return self.op(f"reduce_{name}", [value], shape,
                       f"axes = {numbers(axes)}, keep_dims = true")

    def matmul(self, left, right):
        return self.op("matmul", [left, right],
                       (*left.shape[:-1], right.shape[-1]))

    def gather(self, value, indices, axis):
        shape = (*value.shape[:axis], *indices.shape, *value.shape[axis + 1:])
        return self.op("gather", [value, indices], shape,
                       f"axis = {axis} : i64")


class Group:
    """A chain of stages on an input; constants are operands."""

    def __init__(self, number, shape):
        self.prefix, self.body = f"n{number}_", []
        self.input = Value("%x", tuple(shape))
        self.operands = [self.input]
        self.constants, self.stages, self.result = {}, 0, self.input

    def constant(self, shape, values=None):
        """Weights, or indices where `values` says which."""
        name = f"c{len(self.constants)}"
        self.constants[name] = values
        value = Value(f"%{name}", tuple(shape), "i64" if values else "f32")
        self.operands.append(value)
        return value

    def stage(self, build, *inputs):
        """`build` gets a Stage and an argument for each of `inputs`."""
        inputs = inputs or (self.result,)
        arguments = [Value(f"%p{i}", value.shape, value.element)
                     for i, value in enumerate(inputs)]
        stage = Stage(arguments)
        last = build(stage, *arguments)
        result = Value(f"%t{self.stages}", last.shape, last.element)
        self.stages += 1
        block = ", ".join(f"{a.name}: {a.type}" for a in arguments)
        self.body += [
            f"{result.name} = kernel.stage({listed(inputs, 'name')}) : "
            f"({listed(inputs, 'type')}) -> {result.type} {{",
            f"^bb0({block}):", *stage.lines,
            f"  kernel.yield {last.name} : {last.type}", "}"]
        self.result = result
        return result

    def text(self, tile):
        """`tile`: sizes by dimension."""
        def outside(name):
            return "%" + self.prefix + name[1:]
        names = ", ".join(outside(value.name) for value in self.operands)
        arguments = ", ".join(f"{v.name}: {v.type}" for v in self.operands)
        dims = ", ".join(map(str, tile))
        sizes = ", ".join(map(str, tile.values()))
        return [
            f"{outside('%y')} = kernel.group({names}) {{tile = #kernel.tile"
            f"<dims = [{dims}], sizes = [{sizes}]>}} : "
            f"({listed(self.operands, 'type')}) -> {self.result.type} {{",
            f"^bb0({arguments}):", *self.body,
            f"kernel.yield {self.result.name} : {self.result.type}", "}"]


def weights(value, values, source):
    """The elements of a constant as hexadecimal digits."""
    if values:
        data = array.array("q", values)
    else:
        fan_in = math.prod(value.shape[1:]) if len(value.shape) > 1 else 3
        scale = (3 / fan_in) ** 0.5
        data = array.array("f", [source.uniform(-scale, scale)
                                 for _ in range(math.prod(value.shape))])
    return f"0x0{data.itemsize}000000{data.tobytes().hex()}"


def program(groups, seed=0):
    """The text of a program of groups and their tiles."""
    source, body, resources = random.Random(seed), [], []
    for group, tile in groups:
        for value in group.operands[1:]:
            name = group.prefix + value.name[1:]
            body.append(f"%{name} = graph.constant dense_resource<{name}> : "
                        f"{value.type}")
            digits = weights(value, group.constants[value.name[1:]], source)
            resources.append(f'{name}: "{digits}"')
        body += group.text(tile)
    pairs = [(group.prefix, group.input.type, group.result.type)
             for group, _ in groups]
    inputs = ", ".join(f'%{prefix}x: {kind} {{onnx.name = "x{i}"}}'
                       for i, (prefix, kind, _) in enumerate(pairs))
    outputs = ", ".join(f'{kind} {{onnx.name = "y{i}"}}'
                        for i, (_, _, kind) in enumerate(pairs))
    return "\n".join([
        f"func.func @main({inputs}) -> ({outputs}) {{", *body,
        f"return {', '.join(f'%{prefix}y' for prefix, _, _ in pairs)} : "
        f"{', '.join(kind for _, _, kind in pairs)}", "}", "{-#",
        "dialect_resources: {", "builtin: {", ",\n".join(resources), "}", "}",
        "#-}", ""])
