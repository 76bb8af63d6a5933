# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile steps of training within budgets of memory: what bytes cost in
predicted time and, with --run, in seconds of one core; and that no arena is
above its budget, and none of a smaller budget larger or faster. The status is 1
if one is."""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import helper, numpy_helper

import figures
import models
from figures import ROOT

PARTS = (.6, .4, .3, .25, .2)

#           name             batch loss             trains normalisations
NETWORKS = {"resnet50": (8, "cross_entropy(y, labels)", False),
            "light_resnet50": (8, "nll(gpu_0/softmax_1, labels)", True),
            "mobilenet_v2": (8, "cross_entropy(y, labels)", False),
            "bert_base_s128": (4, "mse(y, labels)", False),
            "vit_b_16": (4, "cross_entropy(y, labels)", False)}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("networks", nargs="*", default=list(NETWORKS))
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--budgets", type=int, default=20)
    parser.add_argument("--run", type=float, nargs="*", default=[],
                        help="parts of the arena to measure a step within")
    figures.add_options(parser)
    return parser.parse_args()


#===-- Models --------------------------------------------------------------===#

def with_batch(tensor, batch):
    """A shape with the batch in front instead of 1."""
    shape = numpy_helper.to_array(tensor).copy()
    if shape.size and shape[0] == 1:
        shape[0] = batch
    return numpy_helper.from_array(shape, tensor.name)


def fix_shapes(graph, batch):
    """Shapes that nodes are given, as exported for one sample."""
    shapes = {node.input[1] for node in graph.node
              if node.op_type in ("Reshape", "Expand")}
    for tensor in graph.initializer:
        if tensor.name in shapes:
            tensor.CopyFrom(with_batch(tensor, batch))
    for node in graph.node:
        if node.op_type == "Constant" and node.output[0] in shapes:
            for attribute in node.attribute:
                attribute.t.CopyFrom(with_batch(attribute.t, batch))


def train_normalisations(model):
    for node in model.graph.node:
        if node.op_type == "BatchNormalization":
            node.attribute.append(helper.make_attribute("training_mode", 1))
            node.output.extend([node.output[0] + s for s in ("_mean", "_var")])
    model.opset_import[0].version = max(model.opset_import[0].version, 15)


def write_model(name, path):
    batch, _, trains = NETWORKS[name]
    model = onnx.load(models.MADE / f"{name}.onnx")
    graph = model.graph
    weights = {tensor.name for tensor in graph.initializer}
    inputs = [value for value in graph.input if value.name not in weights]
    for value in inputs:
        value.type.tensor_type.shape.dim[0].dim_value = batch
    for value in graph.output:
        value.type.tensor_type.shape.dim[0].dim_value *= batch
    del graph.value_info[:], graph.input[:]
    graph.input.extend(inputs)
    fix_shapes(graph, batch)
    if trains:
        train_normalisations(model)
    onnx.save(model, path)
    return model


#===-- Runs ----------------------------------------------------------------===#

class Step:
    def __init__(self, given, name, folder):
        self.given, self.name, self.folder = given, name, folder
        self.model = write_model(name, folder / "model.onnx")

    def execute(self, program, *words):
        start = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        done = subprocess.run([str(self.given.build_dir / "bin" / program),
                               *map(str, words)], capture_output=True,
                              text=True, check=False)
        if done.returncode:
            sys.exit(f"{self.name}: {done.stderr}")
        return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - start

    def compile(self, budget, *words):
        """The report within a budget."""
        self.execute("tenon-compile", self.folder / "model.onnx", "--train",
                     "--loss", NETWORKS[self.name][1], "--optimizer",
                     "sgd(momentum=0.9)", "--arena-budget", budget, "--quiet",
                     "--report", self.folder / "report.json", *words)
        return json.loads((self.folder / "report.json").read_text())

    def inputs(self):
        numbers, flags = numpy.random.default_rng(0), []
        value = self.model.graph.input[0]
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        tokens = value.type.tensor_type.elem_type == onnx.TensorProto.INT64
        tensors = {value.name: numbers.integers(0, 1000, shape) if tokens else
                   numbers.standard_normal(shape).astype(numpy.float32),
                   "learning_rate": numpy.float32(1e-4),
                   "labels": numbers.integers(0, 1000, shape[0])}
        if NETWORKS[self.name][1].startswith("mse"):
            out = self.model.graph.output[0].type.tensor_type.shape.dim
            tensors["labels"] = numbers.standard_normal(
                [d.dim_value for d in out]).astype(numpy.float32)
        for number, (key, tensor) in enumerate(tensors.items()):
            path = self.folder / f"{number}.npy"
            numpy.save(path, tensor)
            flags += ["--input", f"{key}={path}"]
        return flags

    def seconds(self, budget):
        """Of a step on one core: four, without the first."""
        artifact = self.folder / "step.tenon"
        self.compile(budget, "-o", artifact)
        flags = self.inputs()
        run = lambda steps: min(self.execute(
            "tenon-run", artifact, "--threads", 1, "--steps", steps, *flags)
            for _ in range(2))
        return (run(4) - run(1)) / 3


#===-- What is asked -------------------------------------------------------===#

def within(plans, without, part):
    fits = [p for p in plans
            if p["arena_bytes"] <= part * without["arena_bytes"]]
    return fits[0] if fits else None


def frontier(step):
    """Rows of the frontier, and the least part of the arena."""
    report = step.compile("frontier", "--emit=none")
    without, plans = report["step"]["without"], report["step"]["plans"]
    rows = [("arena, nothing computed again", "", without["arena_bytes"],
             "bytes"),
            ("checkpointing, compilation", "", next(
                p["seconds"] for p in report["phases"]
                if p["name"] == "checkpoint"), "s")]
    for part in PARTS:
        plan = within(plans, without, part)
        rows.append((f"predicted time within {part:.2f} of the arena",
                     "nothing computed again", f"{percent(plan, without):+.2f}"
                     if plan else "does not fit", "%"))
    return rows, plans[-1]["arena_bytes"] / without["arena_bytes"]


def percent(plan, without):
    return 100 * (plan["nanoseconds"] / without["nanoseconds"] - 1)


def monotone(step, least):
    """Whether budgets are kept, and larger ones neither slower nor smaller."""
    count, good, before = step.given.budgets, True, None
    for i in range(count):
        part = 1 - (1 - least * 1.1) * (i + .5) / count
        report = step.compile(f"{part:.4f}", "--emit=none")
        taken = report["step"]["taken"]
        good &= report["arena_bytes"] <= \
            part * report["step"]["without"]["arena_bytes"]
        now = report["arena_bytes"], -taken["nanoseconds"]
        good &= before is None or all(a <= b for a, b in zip(now, before))
        before = now
    return good


def measure(given, name):
    with tempfile.TemporaryDirectory() as folder:
        step = Step(given, name, pathlib.Path(folder))
        rows, least = frontier(step)
        good = monotone(step, least)
        rows.append((f"{given.budgets} budgets: kept, monotone", "",
                     "yes" if good else "no", ""))
        plain = step.seconds("none") if given.run else 0
        for part in given.run:
            slower = 100 * (step.seconds(str(part)) / plain - 1)
            rows.append((f"measured time within {part:.2f} of the arena",
                         "nothing computed again", f"{slower:+.2f}", "%"))
    shape = f"{name}, batch {NETWORKS[name][0]}"
    rows = [(1, shape, *row) for row in rows]
    for row in rows:
        print(*row[1:], sep=", ", flush=True)
    figures.append(given, rows)
    return good


def main():
    given = options()
    results = [measure(given, name) for name in given.networks]
    sys.exit(0 if all(results) else 1)


main()
