"""batch.py - many nodes in one model, each with the result that it must have."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import collections
import pathlib
import subprocess
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

import agreement

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
        self.shapes, self.kept = {}, set()

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
                self.kept |= {name} if operand.kept else set()
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
        """One line for each result that is wrong, and for each that could not
        have been. A way is None for the interpreter, or options for
        tenon-compile."""
        wrong = []
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            self.write(folder / "model.onnx")
            for way in ways:
                lines = self.run(folder, way)
                wrong += [f"{' '.join(way or ['interpreter'])}: {line}"
                          for line in lines]
            return wrong or self.weak(folder, ways[-1])

    def run(self, folder, way):
        if way is not None:
            status, text = execute(
                "tenon-compile", folder / "model.onnx", "-o",
                folder / "model.tenon", "--quiet", *way)
            if status:
                return [text.strip()]
        text, results = self.outputs(folder, way, self.inputs)
        return [text] if text else [
            f"{node.text}: {text}" for node in self.nodes
            if (text := difference(node, results[node.output]))]

    def outputs(self, folder, way, inputs):
        """(what failed or "", {output: array}) of what has been compiled."""
        flags = []
        for name, value in inputs.items():
            numpy.save(folder / f"{name}.npy", value)
            flags += ["--input", f"{name}={folder / name}.npy"]
        program = ["--interpret", folder / "model.onnx"] if way is None \
            else [folder / "model.tenon"]
        status, text = execute("tenon-run", *program, *flags, "--output-dir",
                               folder / "out")
        return (text.strip(), {}) if status else ("", {
            node.output: numpy.load(folder / "out" / f"{node.output}.npy")
            for node in self.nodes})

    def weak(self, folder, way):
        """Results that are near those for other inputs. A node that reads but
        constants has none, and a result of no elements has no other."""
        text, results = self.outputs(folder, way, {
            name: value if name in self.kept else another(value, number)
            for number, (name, value) in enumerate(self.inputs.items())})
        return [text] if text else [
            f"{node.text}: {text}" for node, made in zip(self.nodes, self.made)
            if (self.inputs.keys() - self.kept) & set(made.input) and
            numpy.size(node.want) and
            (text := agreement.weakness(node.want, results[node.output],
                                        node.tolerance))]


def another(value, seed):
    """Numbers of the same type and shape: floats of about the same range,
    integers that are all others."""
    numbers = numpy.random.default_rng(seed)
    if not value.size:
        return value
    low, high = value.min(), value.max()
    drawn = numbers.uniform(low - 1, high + 1, value.shape) \
        if value.dtype.kind == "f" \
        else numbers.integers(high + 1, high + 9, value.shape)
    return drawn.astype(value.dtype)


class Constant:
    """An operand that the model holds."""

    def __init__(self, value, dtype=None):
        self.value = numpy.array(value, dtype)


class Open:
    """An operand with dimensions that are names: those of one node that have
    one name are equal. `kept` ones, as indices and sizes, have no others that
    would do."""

    def __init__(self, value, *dims, kept=False):
        self.value, self.dims, self.kept = value, dims, kept


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
