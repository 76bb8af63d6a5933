#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Write a small variant of a model, so that an interpreter can run it.

NAME is a graph beside this file; its weights are made on the way, only those
that the variant keeps, as are those of onnx's light_*.onnx (light.py). All stored
shapes but the new ones are dropped; those that the graph's own constants imply
must fit, which shape inference tells."""

import argparse
import math
import pathlib
import sys

import numpy
import onnx
import onnx.checker
import onnx.shape_inference
from onnx import numpy_helper

import fill
import light


def parse():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", metavar="NAME|FILE.onnx")
    parser.add_argument("shapes", metavar="INPUT=DIMxDIM...", nargs="*",
                        help="a new shape for an input")
    parser.add_argument("out", metavar="OUT.onnx")
    cut = parser.add_mutually_exclusive_group()
    cut.add_argument("--to", metavar="TENSOR", help="keep only what this "
                     "value needs; it becomes the only output, named y")
    cut.add_argument("--after", metavar="N", type=int,
                     help="the same for what the N-th node makes, from 1")
    parser.add_argument("--resize", metavar="OLD=NEW", action="append",
                        default=[], help="constants: take the first NEW of "
                        "dimensions OLD, and write NEW for OLD in shapes")
    return parser.parse_intermixed_args()


def cut(model, wanted):
    """Keep only what `wanted` needs, and make it the output y. What graphs
    inside nodes (If, Loop) read from outside is not looked for."""
    graph, needed, kept = model.graph, {wanted}, []
    for node in reversed(graph.node):
        if needed.intersection(node.output):
            needed.update(name for name in node.input if name)
            kept.append(node)
    if not kept or wanted not in {v for n in kept for v in n.output}:
        raise SystemExit(f"error: no node makes '{wanted}'")
    for node in kept:
        for names in (node.input, node.output):
            names[:] = ["y" if name == wanted else name for name in names]
    # Lists in the model are cleared before they are filled from copies.
    for field, values in (
            (graph.node, kept[::-1]),
            (graph.initializer,
             [t for t in graph.initializer if t.name in needed]),
            (graph.input, [v for v in graph.input if v.name in needed])):
        copies = [type(v).FromString(v.SerializeToString()) for v in values]
        del field[:]
        field.extend(copies)
    del graph.output[:]
    graph.output.add(name="y")


def constants(graph):
    """Every constant tensor: initializers and those of Constant nodes."""
    yield from graph.initializer
    for node in graph.node:
        if node.op_type == "Constant":
            yield from (a.t for a in node.attribute if a.name == "value")


def resize(model, sizes):
    """Lengths that the exporter wrote into the constants become new ones."""
    recipes = fill.recipes(model)
    for tensor in constants(model.graph):
        dims = [sizes.get(d, d) for d in tensor.dims]
        shape = (tensor.data_type == onnx.TensorProto.INT64 and
                 len(dims) == 1 and dims[0] <= 8)
        if not shape and dims == list(tensor.dims):
            continue
        if not has_values(tensor):
            keep_deviation(recipes[tensor.name], tensor.dims, dims)
            tensor.dims[:] = dims
            continue
        values = numpy_helper.to_array(tensor)
        if shape:
            values = numpy.array([sizes.get(int(v), int(v)) for v in values],
                                 dtype=numpy.int64)
        else:
            values = values[tuple(slice(d) for d in dims)]
        tensor.CopyFrom(numpy_helper.from_array(values, tensor.name))
    fill.set_recipes(model, recipes)


def keep_deviation(recipe, old, new):
    """Sums of fewer products need larger ones: those of filters, which are
    centred. Other weights that have new lengths are tables."""
    if recipe[3:] == [True]:
        recipe[1] *= math.sqrt(math.prod(old[1:]) / math.prod(new[1:]))


def has_values(tensor):
    """False for a weight that fill.py draws."""
    return bool(tensor.raw_data or tensor.float_data or tensor.int32_data or
                tensor.int64_data or tensor.double_data)


def set_shapes(graph, shapes):
    """New shapes for inputs; what was inferred from the old ones goes."""
    del graph.value_info[:]
    for value in graph.output:
        value.type.tensor_type.ClearField("shape")
    for value in graph.input:
        if value.name not in shapes:
            continue
        shape = value.type.tensor_type.shape
        for dim, size in zip(shape.dim, shapes.pop(value.name), strict=True):
            dim.Clear()
            dim.dim_value = size
    if shapes:
        raise SystemExit(f"error: no input {', '.join(shapes)}")


def infer_outputs(model):
    inferred = onnx.shape_inference.infer_shapes(model, strict_mode=True,
                                                 data_prop=True)
    del model.graph.output[:]
    model.graph.output.extend(inferred.graph.output)


def shrink(model, options):
    graph = model.graph
    if options.after and not 0 < options.after <= len(graph.node):
        raise SystemExit(f"error: the graph has {len(graph.node)} nodes")
    wanted = options.to or (
        options.after and graph.node[options.after - 1].output[0])
    light.own_constants(model)
    if wanted:
        cut(model, wanted)
    if options.resize:
        resize(model, {int(old): int(new) for old, _, new in (
            pair.partition("=") for pair in options.resize)})
    set_shapes(graph, {name: [int(d) for d in dims.split("x")]
                       for name, _, dims in (
                           shape.rpartition("=") for shape in options.shapes)})
    fill.draw_weights(model)
    infer_outputs(model)


def main():
    options = parse()
    source = options.model
    if not source.endswith(".onnx"):
        source = pathlib.Path(__file__).parent / f"{source}.onnx"
    model = light.load(source)
    shrink(model, options)
    onnx.checker.check_model(model)
    onnx.save(model, options.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
