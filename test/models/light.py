# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""light.py - random weights for the models that onnx's sources have as
light_*.onnx.

Their graphs are those of real networks, but each weight is ConstantOfShape's:
all elements are 0.02, every class has one result, and a compiler may turn
products into sums. Here they become initializers with recipes, as the graphs
beside this file have them. light.json has the deviations of the weights of
products, {model: {weight: deviation}}, by calibrate.py."""

import json
import math
import pathlib

import onnx
from onnx import numpy_helper

import fill

DEVIATIONS = pathlib.Path(__file__).parent / "light.json"
PRODUCTS = ("Conv", "ConvTranspose", "Gemm", "MatMul")
#: Recipes of vectors, by the operator that reads them and their position.
FACTOR, SUMMAND = [1.0, 0.25, True], [0.0, 0.1, False]
FACTORS = {("BatchNormalization", 1), ("BatchNormalization", 4), ("Mul", 1)}


def load(path):
    """The model of that file; of a light one, with recipes for its weights."""
    model = onnx.load(path)
    path = pathlib.Path(path)
    if path.stem.startswith("light_"):
        own_constants(model)
        known = json.loads(DEVIATIONS.read_text(encoding="utf-8"))
        add_recipes(model, known.get(path.stem, {}))
    return model


def own_constants(model):
    """Old models list their constants as inputs that could be overridden."""
    graph = model.graph
    names = {t.name for t in graph.initializer}
    for value in [v for v in graph.input if v.name in names]:
        graph.input.remove(value)
    model.ir_version = max(model.ir_version, 4)


def add_recipes(model, deviations):
    """Make initializers without values of the weights that are one number."""
    graph, made = model.graph, {}
    shapes = {t.name: t for t in graph.initializer}
    for node in [n for n in graph.node if n.op_type == "ConstantOfShape"]:
        dims = numpy_helper.to_array(shapes[node.input[0]]).tolist()
        name = node.output[0]
        graph.initializer.add(name=name, dims=dims,
                              data_type=onnx.TensorProto.FLOAT)
        graph.initializer.remove(shapes[node.input[0]])
        graph.node.remove(node)
        made[name] = recipe(graph, name, dims, deviations)
    fill.set_recipes(model, made)


def recipe(graph, name, dims, deviations):
    """Filters are centred (see calibrate.py); others are as their reader wants."""
    if len(dims) > 1:
        first = math.sqrt(2 / math.prod(dims[1:]))
        return [0.0, deviations.get(name, first), False, True]
    return FACTOR if reader(graph, name) in FACTORS else SUMMAND


def reader(graph, name):
    """The first operator that computes with a value, and which operand it is."""
    for node in graph.node:
        if name in node.input and node.op_type == "Unsqueeze":
            return reader(graph, node.output[0])
        if name in node.input:
            return node.op_type, list(node.input).index(name)
    return None
