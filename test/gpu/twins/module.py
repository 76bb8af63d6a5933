# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The PyTorch module of an ONNX graph, first as text, which needs no PyTorch."""

import linecache

import numpy
from onnx import helper

from . import graph as graphs
from . import windows  # noqa: F401 (adds operators)
from .operators import OPERATORS, Unsupported
from .recompose import recompose


class Text:
    """A class `Twin`, its weights {name: array} and the weights of its
    submodules {name: {name: array}}."""

    def __init__(self, graph, opset):
        self.graph, self.constants, self.opset = graph, graph.constants, opset
        self.shape = graph.shape
        self.used = {name for node in graph.nodes for name in node.inputs}
        self.used.update(graph.outputs)
        self.weights, self.modules, self.makers = {}, {}, {}
        self.names, self.lines = {}, []
        for name in graph.inputs:
            self.names[name] = f"x{len(self.names)}"
        self.arguments = ", ".join(self.names.values())

    # What operators ask for.

    def number(self, name):
        """That of a constant of one element, or None."""
        array = self.constants.get(name)
        if array is None or array.size != 1:
            return None
        return array.reshape(-1)[0].item()

    def array(self, node, i):
        if node.inputs[i] not in self.constants:
            raise Unsupported(node, f"operand {i} is no constant")
        return self.constants[node.inputs[i]]

    def weight(self, array):
        name = f"w{len(self.weights)}"
        self.weights[name] = array
        return f"self.{name}"

    def module(self, maker, weights):
        name = f"m{len(self.makers)}"
        self.makers[name], self.modules[name] = maker, weights
        return f"self.{name}"

    def tensor(self, name):
        if name not in self.names:
            self.names[name] = self.weight(self.constants[name])
        return self.names[name]

    def operand(self, name):
        """As tensor(), and a number where that does as well."""
        number = self.number(name)
        if number is None or self.constants[name].ndim > 1:
            return self.tensor(name)
        return repr(number) if numpy.isfinite(number) else f"float('{number}')"

    def real(self):
        """The element type of weights, which `half` and others change."""
        return "self.kind.dtype"

    # The lines.

    def add(self, node, last):
        if node.op not in OPERATORS:
            raise Unsupported(node, "no such operator")
        text = OPERATORS[node.op](self, node)
        for name in node.outputs:
            self.names[name] = f"v{len(self.names)}"
        results = [self.names[name] for name in node.outputs if name]
        # What nobody needs any more frees its memory, as in a function's own.
        done = [self.names[name] for name in dict.fromkeys(node.inputs)
                if last.get(name) is node and name not in self.constants]
        if node.op != "Split":
            del results[1:]  # nobody uses them
        self.lines.append(f"{', '.join(results)} = {text}")
        if done:
            self.lines.append(f"del {', '.join(done)}")

    def finish(self):
        last = {name: node for node in self.graph.nodes
                for name in node.inputs if name}
        for name in self.graph.outputs:
            last.pop(name, None)
        for node in self.graph.nodes:
            self.add(node, last)
        results = [self.operand(name) for name in self.graph.outputs]
        self.lines.append(f"return {', '.join(results)}")
        made = [f"        self.{name} = {maker}\n"
                for name, maker in self.makers.items()]
        body = "".join(f"        {line}\n" for line in self.lines)
        return ("class Twin(torch.nn.Module):\n"
                "    def __init__(self):\n"
                "        super().__init__()\n"
                f"{''.join(made)}\n"
                f"    def forward(self, {self.arguments}):\n{body}")


def text_of(path, shapes):
    """(Text, its lines) of a file."""
    graph, opset = graphs.load(path, shapes)
    recompose(graph)
    text = Text(graph, opset)
    return text, text.finish()


def tensor(array):
    import torch
    return torch.from_numpy(numpy.array(array, order="C"))


def build(path, shapes):
    """The module, on the processor, in f32."""
    import torch
    text, lines = text_of(path, shapes)
    # Tracebacks show these lines.
    name = f"<module of {path}>"
    linecache.cache[name] = (len(lines), None, lines.splitlines(True), name)
    scope = {"torch": torch, "F": torch.nn.functional}
    exec(compile(lines, name, "exec"), scope)
    module = scope["Twin"]()
    module.register_buffer("kind", torch.zeros(()))
    for name, array in text.weights.items():
        value = tensor(array)
        if value.is_floating_point():
            module.register_parameter(
                name, torch.nn.Parameter(value, requires_grad=False))
        else:
            module.register_buffer(name, value)
    for name, weights in text.modules.items():
        getattr(module, name).load_state_dict(
            {key: tensor(array) for key, array in weights.items()})
    module.signature = [(text.shape(name), helper.tensor_dtype_to_np_dtype(
        text.graph.element(name))) for name in text.graph.inputs]
    return module.eval()


def example(module):
    """Random inputs, on the processor."""
    import torch
    made = []
    for shape, kind in module.signature:
        if numpy.issubdtype(kind, numpy.floating):
            made.append(torch.randn(shape))
        else:
            # Small enough for all vocabularies.
            made.append(tensor(numpy.random.default_rng(1).integers(
                0, 256, shape).astype(kind)))
    return made
