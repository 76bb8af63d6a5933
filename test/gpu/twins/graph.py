# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An ONNX graph of fixed shapes whose constants are folded."""

import dataclasses
import itertools
import json

import numpy
import onnx
from onnx import defs, helper, numpy_helper, shape_inference
from onnx.reference import ReferenceEvaluator

# What a shape may depend on; larger constants are not handed to inference.
SMALL = 1024


@dataclasses.dataclass(eq=False)
class Node:
    op: str
    inputs: list
    outputs: list
    attributes: dict
    name: str = ""


class Graph:
    """Nodes in the order of their execution; every value has a type, every
    constant an array."""

    def __init__(self):
        self.nodes, self.inputs, self.outputs = [], [], []
        self.constants = {}  # name: array
        self.types = {}      # name: onnx.TypeProto
        self.fresh = itertools.count()

    def shape(self, name):
        if name in self.constants:
            return self.constants[name].shape
        return tuple(dim.dim_value
                     for dim in self.types[name].tensor_type.shape.dim)

    def element(self, name):
        """The TensorProto.DataType."""
        return self.types[name].tensor_type.elem_type

    def constant(self, array):
        name = f"constant#{next(self.fresh)}"
        self.constants[name] = numpy.asarray(array)
        return name

    def producers(self):
        return {output: node for node in self.nodes for output in node.outputs}

    def drop_unused(self):
        needed, kept = set(self.outputs), []
        for node in reversed(self.nodes):
            if needed.intersection(node.outputs):
                needed.update(node.inputs)
                kept.append(node)
        self.nodes = kept[::-1]
        self.constants = {name: array for name, array in self.constants.items()
                          if name in needed}


def attributes_of(node):
    return {a.name: helper.get_attribute_value(a) for a in node.attribute}


def type_of(array):
    return helper.make_tensor_type_proto(
        helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)


class Reader:
    """Walks a graph once, with the type of each value."""

    def __init__(self, model):
        self.opsets = {o.domain: o.version for o in model.opset_import}
        self.imports = list(model.opset_import)
        self.ir_version = model.ir_version
        self.graph, self.renamed = Graph(), {}

    def evaluated(self, node):
        """The results of a node whose operands are constants, or None."""
        constants = self.graph.constants
        if node.op_type == "Shape":
            shape = self.graph.shape(node.input[0])
            given = attributes_of(node)
            return [numpy.array(shape[given.get("start"):given.get("end")],
                                "int64")]
        if not all(name in constants for name in node.input if name):
            return None
        if node.op_type == "GatherElements":  # the evaluator's is wrong
            return [numpy.take_along_axis(
                *map(constants.get, node.input),
                axis=attributes_of(node).get("axis", 0))]
        given = {name: constants[name] for name in node.input if name}
        alone = helper.make_graph(
            [node], "", *([helper.make_empty_tensor_value_info(name)
                           for name in names] for names in
                          (given, node.output)))
        return ReferenceEvaluator(alone, opsets=self.opsets).run(None, given)

    def inferred(self, node):
        graph = self.graph
        types = {name: graph.types.get(name) or type_of(graph.constants[name])
                 for name in node.input if name}
        data = {name: numpy_helper.from_array(graph.constants[name], name)
                for name in node.input if name in graph.constants and
                graph.constants[name].size <= SMALL}
        schema = defs.get_schema(node.op_type, self.opsets[node.domain],
                                 node.domain)
        return shape_inference.infer_node_outputs(
            schema, node, types, data, opset_imports=self.imports,
            ir_version=self.ir_version)

    def read(self, proto):
        node = onnx.NodeProto()
        node.CopyFrom(proto)
        node.input[:] = [self.renamed.get(name, name) for name in node.input]
        if node.op_type in ("Identity", "Dropout") or self.is_noop(node):
            self.renamed[node.output[0]] = node.input[0]
            return
        values = self.evaluated(node)
        if values is not None:
            self.graph.constants |= zip(node.output, map(numpy.asarray, values))
            return
        self.graph.types |= self.inferred(node)
        self.check(node)
        self.graph.nodes.append(Node(
            node.op_type, list(node.input), list(node.output),
            attributes_of(node), node.name))

    def is_noop(self, node):
        return node.op_type == "Cast" and node.input[0] in self.graph.types \
            and self.graph.element(node.input[0]) == attributes_of(node)["to"]

    def check(self, node):
        for name in node.output:
            shape = name and self.graph.types[name].tensor_type.shape
            if name and not all(d.HasField("dim_value") for d in shape.dim):
                raise ValueError(f"{node.op_type} node '{node.name}': the "
                                 f"shape of '{name}' depends on data")


def arrays(model):
    """{name: array} of the initialisers, zeros for those that test/models/fill.py
    has yet to make."""
    recipes = {}
    for entry in model.metadata_props:
        if entry.key == "seeded_weights":
            recipes = json.loads(entry.value)
    return {tensor.name: numpy.broadcast_to(numpy.float32(0), tensor.dims)
            if tensor.name in recipes and not tensor.raw_data
            else numpy_helper.to_array(tensor)
            for tensor in model.graph.initializer}


def load(path, shapes):
    """(The graph of a file, its opset); `shapes` has sizes of inputs by name."""
    model = onnx.load(path)
    reader = Reader(model)
    graph = reader.graph
    graph.constants = arrays(model)
    for value in model.graph.input:
        if value.name in graph.constants:
            continue
        tensor = value.type.tensor_type
        dims = shapes.get(value.name) or [d.dim_value
                                          for d in tensor.shape.dim]
        graph.types[value.name] = helper.make_tensor_type_proto(
            tensor.elem_type, dims)
        graph.inputs.append(value.name)
    for node in model.graph.node:
        reader.read(node)
    graph.outputs = [reader.renamed.get(value.name, value.name)
                     for value in model.graph.output]
    graph.drop_unused()
    return graph, reader.opsets[""]
