# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The cases of the operator benchmark, cut out of the benchmark's models.

A case is one node, or an attention's few, with the shapes it has in a model.
Large constants become random weights, small ones (bounds, exponents, scales)
stay; everything else is an input of the case. Equal cases of all models are
one."""

import dataclasses
import functools
import hashlib
import math
import pathlib
import zlib

import numpy
import onnx
import onnxruntime
from onnx import helper, numpy_helper

import models

# Constants up to this size keep their value.
SMALL = 16
ELEMENTWISE = {"Add", "Mul", "Sub", "Div", "Sum", "Max", "Min", "Pow", "Relu",
               "LeakyRelu", "PRelu", "Sigmoid", "Tanh", "Clip", "HardSwish",
               "HardSigmoid", "Erf", "Exp", "Sqrt", "Reciprocal", "Gelu",
               "BatchNormalization"}
FAMILY_OF = {"Gemm": "contraction", "MatMul": "contraction",
             "ConvTranspose": "conv", "Softmax": "norm",
             "LayerNormalization": "norm", "LRN": "norm",
             "MaxPool": "pool", "AveragePool": "pool",
             "GlobalAveragePool": "pool", "GlobalMaxPool": "pool",
             **dict.fromkeys(ELEMENTWISE, "elementwise")}
FAMILIES = ["contraction", "conv", "depthwise", "pool", "norm", "attention",
            "elementwise"]
# Element-wise work below this is all overhead.
LEAST_ELEMENTS = 4096


@dataclasses.dataclass
class Value:
    """A tensor of a model: its type and, of constants, what is known."""
    dtype: int
    dims: tuple
    is_constant: bool = False
    array: object = None

    def text(self):
        dims = "x".join(map(str, self.dims))
        return f"w{dims}" if self.is_constant else dims or "scalar"

    def elements(self):
        return math.prod(self.dims)


@dataclasses.dataclass
class Case:
    family: str
    nodes: list
    values: dict  # of all names that the nodes mention
    flops: float  # an estimate, to sort by
    opset: int
    # {model: [names of its nodes, for each time that it is there]}
    uses: dict = dataclasses.field(default_factory=dict)
    model_bytes: int = 0  # of the largest model's weights
    file: pathlib.Path = None
    shapes: tuple = ()

    def label(self):
        """What a person recognises the case by."""
        parts = [node.op_type for node in self.nodes]
        operands = [self.values[n].text() for n in self.inputs()
                    if self.values[n].elements() > 1]
        parts.append(" ".join(operands))
        if len(self.nodes) == 1:
            parts += attributes(self.nodes[0])
        return " ".join(parts)

    @functools.cached_property
    def key(self):
        """Equal for cases of equal work."""
        numbers = {}
        lines = []
        for node in self.nodes:
            names = [numbers.setdefault(name, len(numbers)) if name else ""
                     for name in [*node.input, "", *node.output]]
            lines.append((node.op_type, names, sorted(attributes(node))))
        lines += [(v.dtype, v.dims, v.is_constant,
                   None if v.array is None else v.array.tolist())
                  for v in (self.values[name] for name in numbers)]
        return hashlib.sha256(repr(lines).encode()).hexdigest()

    @functools.cached_property
    def name(self):
        """Also of its files, below the benchmark's folder."""
        return f"operators/{self.family}-{self.key[:10]}"

    def inputs(self):
        """The names that no node of the case makes, in order."""
        made = {name for node in self.nodes for name in node.output}
        names = dict.fromkeys(name for node in self.nodes
                              for name in node.input)
        return [name for name in names if name and name not in made]

    def path(self):
        return self.file

    def weight_bytes(self):
        return sum(4 * self.values[n].elements() for n in self.inputs()
                   if self.values[n].is_constant)


def attributes(node):
    """name=value of those attributes that say something."""
    known = onnx.defs.get_schema(node.op_type).attributes
    for attribute in node.attribute:
        value = helper.get_attribute_value(attribute)
        default = known[attribute.name].default_value
        usual = {"strides": 1, "dilations": 1, "pads": 0}.get(attribute.name)
        if isinstance(value, list) and value and len(set(value)) == 1:
            value = value[0]
        if value == usual or default.name and \
                value == helper.get_attribute_value(default):
            continue
        if attribute.name == "kernel_shape" and "Conv" in node.op_type:
            continue  # the weights have it
        text = f"{value:.3g}" if isinstance(value, float) else str(value)
        yield f"{attribute.name}={text}".replace(" ", "")


# --- Reading a model ---------------------------------------------------------

def folded(model, folder):
    """The model's graph with constants folded, batch normalisation in the
    weights and all shapes: what is left for an engine to run. Large weights
    are gone; they are inputs whose doc_string is "constant"."""
    path, source = folder / f"{model.name}-folded.onnx", model.fixed_path()
    if not path.exists() or path.stat().st_mtime < source.stat().st_mtime:
        folder.mkdir(parents=True, exist_ok=True)
        whole = folder / "whole.onnx"
        options = onnxruntime.SessionOptions()
        options.graph_optimization_level = \
            onnxruntime.GraphOptimizationLevel.ORT_ENABLE_BASIC
        options.optimized_model_filepath = str(whole)
        options.log_severity_level = 3
        onnxruntime.InferenceSession(str(source), options,
                                     providers=["CPUExecutionProvider"])
        proto = strip(onnx.load(whole))
        whole.unlink()
        onnx.save(onnx.shape_inference.infer_shapes(proto, data_prop=True),
                  path)
    return onnx.load(path)


def strip(proto):
    for tensor in list(proto.graph.initializer):
        if math.prod(tensor.dims) > SMALL and \
                tensor.data_type == onnx.TensorProto.FLOAT:
            proto.graph.input.append(helper.make_tensor_value_info(
                tensor.name, tensor.data_type, tensor.dims, "constant"))
            proto.graph.initializer.remove(tensor)
    return proto


def values_of(graph):
    """{name: Value} of all tensors with known shapes."""
    values = {}
    for info in [*graph.value_info, *graph.input, *graph.output]:
        tensor = info.type.tensor_type
        if tensor.HasField("shape") and all(
                d.HasField("dim_value") for d in tensor.shape.dim):
            values[info.name] = Value(
                tensor.elem_type, tuple(d.dim_value for d in tensor.shape.dim),
                info.doc_string == "constant")
    for tensor in graph.initializer:
        values[tensor.name] = Value(tensor.data_type, tuple(tensor.dims), True,
                                    numpy_helper.to_array(tensor))
    return values


def family(node, values):
    """The family of a node that makes a case by itself, or None."""
    if node.op_type == "Conv":
        data, weights = (values[n].dims for n in node.input[:2])
        group = next((a.i for a in node.attribute if a.name == "group"), 1)
        return "depthwise" if group == data[1] > 1 == weights[1] else "conv"
    kind = FAMILY_OF.get(node.op_type)
    if kind == "elementwise" and \
            values[node.output[0]].elements() < LEAST_ELEMENTS:
        return None
    return kind


def estimate(nodes, values):
    """FLOPs, about: products for contractions, else elements."""
    total = 0
    for node in nodes:
        count = values[node.output[0]].elements()
        if node.op_type in ("Conv", "ConvTranspose"):
            dims = values[node.input[1]].dims
            count *= 2 * math.prod(dims[1:])
        elif node.op_type in ("Gemm", "MatMul"):
            count *= 2 * values[node.input[0]].dims[-1]
        total += count
    return total


def attention(softmax, makers, users):
    """The nodes from the product of queries and keys to that with the values
    around a softmax, or None."""
    nodes, node = [softmax], softmax
    while node.op_type != "MatMul":
        above = [makers[n] for n in node.input if n in makers and
                 makers[n].op_type in ("MatMul", "Add", "Mul", "Div", "Where")]
        if not above or len(nodes) > 4:
            return None
        node = above[0]
        nodes.insert(0, node)
    below = users.get(softmax.output[0], [])
    if len(below) != 1 or below[0].op_type != "MatMul":
        return None
    return nodes + below


def pieces(graph):
    """The lists of nodes that may make cases: attentions, else single ones."""
    makers = {name: n for n in graph.node for name in n.output}
    users = {}
    for node in graph.node:
        for name in node.input:
            users.setdefault(name, []).append(node)
    attentions = [attention(node, makers, users) for node in graph.node
                  if node.op_type == "Softmax"]
    attentions = [nodes for nodes in attentions if nodes]
    inner = {node.output[0] for nodes in attentions for node in nodes}
    return attentions + [
        [node] for node in graph.node if node.output[0] not in inner and
        node.op_type in {*FAMILY_OF, "Conv"}]


def cut(proto):
    """The cases of a model, equal ones too, and the number of nodes that make
    none since shapes are unknown."""
    values, cases, unknown = values_of(proto.graph), [], 0
    opset = next(o.version for o in proto.opset_import if not o.domain)
    for nodes in pieces(proto.graph):
        names = [n for node in nodes for n in [*node.input, *node.output] if n]
        if any(n not in values for n in names):
            unknown += len(nodes)
            continue
        kind = "attention" if len(nodes) > 1 else family(nodes[0], values)
        case = Case(kind, nodes, {n: values[n] for n in names},
                    estimate(nodes, values), opset)
        # What has constant inputs alone is folded by every compiler.
        if kind and not all(values[n].is_constant for n in case.inputs()):
            cases.append(case)
    return cases, unknown


def collect(chosen, folder):
    """All different cases of the models, by family and falling size, and the
    number of nodes whose shapes stay unknown."""
    found, unknown = {}, 0
    for model in chosen:
        cases, missing = cut(folded(model, folder))
        unknown += missing
        weights = sum(case.weight_bytes() for case in cases)
        for place in cases:
            case = found.setdefault(place.key, place)
            case.uses.setdefault(model.name, []).append(
                [node.name for node in place.nodes])
            case.model_bytes = max(case.model_bytes, weights)
    order = sorted(found.values(), key=lambda c: (
        FAMILIES.index(c.family), -c.flops, c.key))
    return order, unknown


# --- Making models -----------------------------------------------------------

def random_weight(value, name):
    """Weights that keep the results' scale; near 1 where there is no sum, so
    that roots, powers and quotients exist."""
    generator = numpy.random.default_rng(zlib.crc32(name.encode()))
    if len(value.dims) < 2:
        array = generator.uniform(0.5, 1.5, value.dims)
    else:
        array = generator.standard_normal(value.dims)
        array /= math.sqrt(math.prod(value.dims[1:]) or 1)
    return array.astype(helper.tensor_dtype_to_np_dtype(value.dtype))


def write(case, folder):
    """Makes the case's ONNX file."""
    inputs, constants = [], []
    for name in case.inputs():
        value = case.values[name]
        if not value.is_constant:
            inputs.append(helper.make_tensor_value_info(
                name, value.dtype, value.dims))
            continue
        array = value.array
        if array is None:
            array = random_weight(value, name)
        constants.append(numpy_helper.from_array(array, name))
    last = case.nodes[-1].output[0]
    outputs = [helper.make_tensor_value_info(last, case.values[last].dtype,
                                             case.values[last].dims)]
    graph = helper.make_graph(case.nodes, case.name, inputs, outputs,
                              constants)
    model = helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", case.opset)])
    model.ir_version = 10
    case.file = folder / f"{case.name}.onnx"
    case.file.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, case.file)
