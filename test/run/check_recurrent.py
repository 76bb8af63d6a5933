#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare recurrent layers on a GPU with the interpreter.

Layers are drawn: units around the borders of warps and blocks, few and many
sequences, both directions, initial states, lengths, peepholes. All are one
model. That the GPU's own kernel computes most of them is asked of the
report: of the others, threads are expected to be done sooner."""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

import agreement

# Short runs of fewer units are done sooner by a thread each.
UNITS = (9, 16, 17, 31, 32, 33, 63, 64, 65, 100, 128, 130)
FEW = 34
BATCHES = (1, 1, 2, 3, 5, 8, 11)
GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}
FEATURES, LAYERS, TOLERANCE = 3, 28, 2e-5


class Model:
    def __init__(self, seed):
        self.draw = random.Random(seed)
        self.numbers = numpy.random.default_rng(seed)
        self.nodes, self.constants, self.inputs = [], [], []
        self.outputs, self.texts = [], {}

    def tensor(self, name, shape, scale=1.0):
        values = self.numbers.uniform(-scale, scale, shape)
        self.constants.append(
            numpy_helper.from_array(values.astype(numpy.float32), name))
        return name

    def attributes(self, kind):
        directions = ("forward", "reverse", "bidirectional")
        result = {"direction": self.draw.choice(directions)}
        if kind == "GRU":
            result["linear_before_reset"] = self.draw.randrange(2)
        if self.draw.random() < 0.2:
            result["clip"] = 0.5
        return result

    def lengths(self, name, steps, batch):
        values = [self.draw.randint(1, steps) for _ in range(batch)]
        values[self.draw.randrange(batch)] = steps
        self.constants.append(
            numpy_helper.from_array(numpy.array(values, numpy.int32), name))
        return name

    def add_layer(self, number, kind):
        batch, units = self.draw.choice(BATCHES), self.draw.choice(UNITS)
        steps = self.draw.randint(*((25, 40) if units < FEW else (2, 5)))
        given = self.attributes(kind)
        sides = 2 if given["direction"] == "bidirectional" else 1
        rows = GATES[kind] * units
        x = f"x{number}"
        self.inputs.append(helper.make_tensor_value_info(
            x, onnx.TensorProto.FLOAT, (steps, batch, FEATURES)))
        operands = [
            x, self.tensor(f"w{number}", (sides, rows, FEATURES), 0.5),
            self.tensor(f"r{number}", (sides, rows, units), units ** -0.5),
            self.tensor(f"b{number}", (sides, 2 * rows), 0.2),
            self.lengths(f"l{number}", steps, batch)
            if self.draw.random() < 0.3 else "",
            self.tensor(f"h{number}", (sides, batch, units))
            if self.draw.random() < 0.5 else ""]
        names = [f"y{number}", f"last{number}"]
        if kind == "LSTM":
            names.append(f"cell{number}")
            operands.append(self.tensor(f"c{number}", (sides, batch, units)))
            operands.append(self.tensor(f"p{number}", (sides, 3 * units), 0.3)
                            if self.draw.random() < 0.3 else "")
        self.nodes.append(helper.make_node(
            kind, operands, names, f"layer{number}", hidden_size=units,
            **given))
        for name in names:
            self.outputs.append(helper.make_tensor_value_info(
                name, onnx.TensorProto.FLOAT, None))
            self.texts[name] = (f"{kind} of {units} units, {steps} steps, "
                                f"{batch} sequences, {given}")

    def write(self, path):
        graph = helper.make_graph(self.nodes, "layers", self.inputs,
                                  self.outputs, self.constants)
        onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[
            helper.make_opsetid("", 17)]), path)


def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=600,
                          capture_output=True, text=True, errors="replace")
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stdout}{done.stderr}")


def count_kernels(report):
    """How many launches have the strategy of the GPU."""
    groups = json.loads(report.read_text(encoding="utf-8"))["groups"]
    return sum(group["strategy"] == "gpu_recurrent" for group in groups)


def check(folder, device):
    model = Model(7)
    for number in range(LAYERS):
        model.add_layer(number, tuple(GATES)[number % len(GATES)])
    model.write(folder / "model.onnx")
    execute("tenon-run", "--interpret", folder / "model.onnx", "--input",
            "random:3", "--output-dir", folder / "want")
    execute("tenon-compile", folder / "model.onnx", f"--device={device}",
            "-o", folder / "model.tenon", "--quiet",
            f"--report={folder / 'report.json'}")
    wrong = []
    launches = count_kernels(folder / "report.json")
    if launches < LAYERS * 3 // 4:
        wrong.append(f"only {launches} layers are kernels of the GPU")
    for device, seed, name in (("cuda", 3, "got"), ("cpu", 4, "other")):
        execute("tenon-run", folder / "model.tenon", f"--device={device}",
                "--input", f"random:{seed}", "--output-dir", folder / name)
    disagreements, _ = agreement.compare(
        *(agreement.read(folder / name) for name in ("want", "got", "other")),
        TOLERANCE)
    return wrong + [f"{line}: {model.texts[line.partition(':')[0]]}"
                    for line in disagreements]


def main():
    with tempfile.TemporaryDirectory() as scratch:
        wrong = check(pathlib.Path(scratch), sys.argv[1])
    print("\n".join(wrong) or "all layers agree")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
