#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Set the deviations of drawn weights so that a signal passes.

usage: calibrate.py [FILE.onnx...]

Without files: all graphs beside this file. Of files light_*.onnx the deviations
go to light.json, of others into the file. Filters are centred: after a ReLU all
values have much the same mean, and random weights times it would drown what depends
on the input. Then each graph is walked once on a random input, node by node; where
a product has a drawn weight, its deviation is changed so that the result has
deviation 1 (layer-sequential unit variance, Mishkin and Matas 2016). Otherwise what
depends on the input decays to rounding errors in deep networks, and any result
passes for right. Prints how far the outputs of two inputs differ, over their scale.
Needs onnx, numpy and onnxruntime: run it in the environment of the benchmark."""

import json
import math
import pathlib
import sys

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

import fill
import light

#: An open dimension of an input.
OPEN = 2


class Walk:
    """Computes the values of a model in order, and forgets those that no later
    node reads. `adjust` changes the recipes of products on the way."""

    def __init__(self, model, recipes, adjust=False):
        self.model, self.recipes, self.adjust = model, recipes, adjust
        self.values, self.adjusted, self.reads = {}, set(), {}
        for node in model.graph.node:
            for name in node.input:
                self.reads[name] = self.reads.get(name, 0) + 1

    def run(self, seed):
        """{output: array}"""
        graph = self.model.graph
        self.values = inputs(graph, seed)
        for tensor in graph.initializer:
            self.values[tensor.name] = (
                fill.draw(tensor, *self.recipes[tensor.name])
                if tensor.name in self.recipes
                else numpy_helper.to_array(tensor))
        outputs, left = {o.name for o in graph.output}, dict(self.reads)
        for node in graph.node:
            self.step(node)
            for name in node.input:
                left[name] -= 1
                if not left[name] and name not in outputs:
                    self.values.pop(name, None)
        return {name: self.values[name] for name in outputs}

    def step(self, node):
        if self.adjust and node.op_type in light.PRODUCTS:
            self.scale(node, node.input[1])
        self.values |= self.evaluate(node)

    def scale(self, node, weight):
        """One weight of several products is the first one's. Terms that are
        added to the products do not count."""
        mean, deviation, *form = self.recipes.get(weight, (0, 0))
        if not deviation or weight in self.adjusted:
            return
        result = float(self.evaluate(without_terms(node))[node.output[0]].std())
        if not 0 < result < numpy.inf:
            raise SystemExit(f"error: '{node.output[0]}' has deviation {result}")
        self.adjusted.add(weight)
        # Six digits, as they are written.
        self.recipes[weight] = [
            float(f"{mean / result:.6g}"), float(f"{deviation / result:.6g}"),
            *form]
        self.values[weight] = self.values[weight] / numpy.float32(result)

    def evaluate(self, node):
        """{output: array} of one node, by ONNX Runtime."""
        names = [name for name in dict.fromkeys(node.input) if name]
        given = [helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(self.values[name].dtype),
            self.values[name].shape) for name in names]
        results = [name for name in node.output if name]
        graph = helper.make_graph(
            [node], "one", given,
            [onnx.ValueInfoProto(name=name) for name in results])
        model = helper.make_model(
            graph, opset_imports=self.model.opset_import, ir_version=10)
        options = onnxruntime.SessionOptions()
        options.log_severity_level = 4
        session = onnxruntime.InferenceSession(
            model.SerializeToString(), options,
            providers=["CPUExecutionProvider"])
        return dict(zip(results, session.run(
            results, {name: self.values[name] for name in names})))


def without_terms(node):
    """The product alone."""
    bare = onnx.NodeProto.FromString(node.SerializeToString())
    if node.op_type != "Gemm":
        del bare.input[2:]
        return bare
    # Older ones cannot do without.
    for attribute in [a for a in bare.attribute if a.name == "beta"]:
        bare.attribute.remove(attribute)
    bare.attribute.append(helper.make_attribute("beta", 0.0))
    return bare


def inputs(graph, seed):
    """{input: array} of one inference."""
    generator, made = numpy.random.default_rng(seed), {}
    known = {tensor.name for tensor in graph.initializer}
    for value in graph.input:
        if value.name in known:
            continue
        tensor = value.type.tensor_type
        dims = [d.dim_value or OPEN for d in tensor.shape.dim]
        dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        numbers = (generator.integers(0, 1000, dims)
                   if numpy.issubdtype(dtype, numpy.integer)
                   else generator.standard_normal(dims))
        made[value.name] = numbers.astype(dtype)
    return made


def centre(model, recipes):
    """The filters of convolutions, but for those of one element."""
    dims = {t.name: t.dims for t in model.graph.initializer}
    for node in model.graph.node:
        weight = node.input[1] if node.op_type == "Conv" else ""
        if weight in recipes and math.prod(dims[weight][1:]) > 1:
            recipes[weight] = [0.0, recipes[weight][1], False, True]


def write(path, model, recipes):
    if not path.stem.startswith("light_"):
        fill.set_recipes(model, recipes)
        onnx.save(model, path)
        return
    known = {}
    if light.DEVIATIONS.exists():
        known = json.loads(light.DEVIATIONS.read_text(encoding="utf-8"))
    ranks = {t.name: len(t.dims) for t in model.graph.initializer}
    known[path.stem] = {name: recipe[1] for name, recipe in recipes.items()
                        if ranks[name] > 1}
    light.DEVIATIONS.write_text(
        json.dumps(known, indent=1, sort_keys=True) + "\n", encoding="utf-8")


def calibrate(path):
    model = light.load(path)
    recipes = fill.recipes(model)
    centre(model, recipes)
    Walk(model, recipes, adjust=True).run(0)
    write(path, model, recipes)
    one, two = (Walk(model, recipes).run(seed) for seed in (1, 2))
    for name, value in one.items():
        change = numpy.abs(value - two[name]).max() / numpy.abs(value).max()
        print(f"{path.stem}: {name} differs by {change:.2g} of its scale",
              flush=True)


def main():
    for path in sys.argv[1:] or sorted(fill.HERE.glob("*.onnx")):
        calibrate(pathlib.Path(path))
    return 0


if __name__ == "__main__":
    sys.exit(main())
