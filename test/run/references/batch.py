"""batch.py - many nodes in one model, each with the result that it must have."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import pathlib
import subprocess
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

Node = collections.namedtuple("Node", "operator output want tolerance text")


def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=600,
                          capture_output=True, text=True, errors="replace")
    return done.returncode, done.stdout + done.stderr


class Batch:
    """`add` says what a node must give; `wrong` runs all of them and lists
    those that gave something else, once for each way to run them."""

    def __init__(self, opset=21):
        self.opset = opset
        self.nodes, self.made, self.inputs, self.constants = [], [], {}, []
        self.shapes = {}

    def add(self, operator, operands, want, tolerance=0, **attributes):
        """Operands are arrays, which the run gets, `Open` ones of which the
        model does not know all sizes, `Constant`s, or None.
        `tolerance` bounds the error over the largest number of the result."""
        number, names = len(self.nodes), []
        for index, operand in enumerate(operands):
            name = f"x{number}_{index}" if operand is not None else ""
            if isinstance(operand, Constant):
                self.constants.append(
                    numpy_helper.from_array(operand.value, name))
            elif isinstance(operand, Open):
                self.inputs[name] = operand.value
                self.shapes[name] = [
                    dim if isinstance(dim, int) else f"{dim}{number}"
                    for dim in operand.dims]
            elif operand is not None:
                self.inputs[name] = operand
            names.append(name)
        output = f"y{number}"
        self.made.append(helper.make_node(operator, names, [output],
                                          f"node{number}", **attributes))
        shapes = [getattr(o, "value", o).shape for o in operands
                  if o is not None]
        self.nodes.append(Node(operator, output, want, tolerance,
                               f"{operator} {attributes} {shapes}"))

    def write(self, path):
        inputs = [helper.make_tensor_value_info(
            name, helper.np_dtype_to_tensor_dtype(value.dtype),
            self.shapes.get(name, value.shape))
            for name, value in self.inputs.items()]
        outputs = [helper.make_tensor_value_info(
            node.output, helper.np_dtype_to_tensor_dtype(
                numpy.asarray(node.want).dtype), None) for node in self.nodes]
        graph = helper.make_graph(self.made, "batch", inputs, outputs,
                                  self.constants)
        onnx.save(helper.make_model(graph, ir_version=10, opset_imports=[
            helper.make_opsetid("", self.opset)]), path)

    def wrong(self, ways=((),)):
        """One line for each result that is wrong. A way is None for the
        interpreter, or options for tenon-compile."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            model = folder / "model.onnx"
            self.write(model)
            return [f"{'interpreter' if way is None else ' '.join(way)}: {line}"
                    for way in ways for line in self.run(model, folder, way)]

    def run(self, model, folder, way):
        flags = []
        for name, value in self.inputs.items():
            numpy.save(folder / f"{name}.npy", value)
            flags += ["--input", f"{name}={folder / name}.npy"]
        program = ["--interpret", model]
        if way is not None:
            program = [folder / "model.tenon"]
            status, text = execute("tenon-compile", model, "-o", *program,
                                   "--quiet", *way)
            if status:
                return [text.strip()]
        status, text = execute("tenon-run", *program, *flags, "--output-dir",
                               folder / "out")
        if status:
            return [text.strip()]
        return [f"{node.text}: {text}" for node in self.nodes
                if (text := difference(
                    node, numpy.load(folder / "out" / f"{node.output}.npy")))]


class Constant:
    """An operand that the model holds."""

    def __init__(self, value, dtype=None):
        self.value = numpy.array(value, dtype)


class Open:
    """An operand with dimensions that are names: those of one node that have
    one name are equal."""

    def __init__(self, value, *dims):
        self.value, self.dims = value, dims


def difference(node, got):
    want = numpy.asarray(node.want)
    if want.shape != got.shape or want.dtype != got.dtype:
        return f"{got.dtype}{got.shape} instead of {want.dtype}{want.shape}"
    if not node.tolerance:
        return "" if numpy.array_equal(want, got) else "differs"
    if not want.size:
        return ""
    wide, largest = want.astype(numpy.float64), numpy.abs(want).max() or 1.0
    error = numpy.abs(wide - got.astype(numpy.float64)).max() / largest
    return "" if error <= node.tolerance else f"error {error:.3g}"


def report(wrong):
    """The exit status of a test."""
    print("\n".join(wrong) or "all results are right")
    return 1 if wrong else 0
