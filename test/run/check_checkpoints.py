#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train small networks within budgets of memory: no budget may change a bit of
the loss, the result or a parameter, none may be exceeded, and smaller ones may
not be faster. The report has what others would do beside them."""

import json
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

STEPS = 5
BUDGETS = ("none", "frontier", "0.8", "0.65")


#===-- Networks ------------------------------------------------------------===#

class Network:
    """Nodes and weights, one call each."""

    def __init__(self, seed):
        self.numbers = numpy.random.default_rng(seed)
        self.nodes, self.weights = [], []

    def weight(self, *shape, value=None):
        name = f"w{len(self.weights)}"
        data = self.numbers.standard_normal(shape) * .2 if value is None \
            else numpy.full(shape, value)
        self.weights.append(
            numpy_helper.from_array(data.astype(numpy.float32), name))
        return name

    def constant(self, values):
        name = f"w{len(self.weights)}"
        self.weights.append(
            numpy_helper.from_array(numpy.array(values), name))
        return name

    def make(self, kind, *inputs, outputs=1, **attributes):
        names = [f"{kind}{len(self.nodes)}_{i}" for i in range(outputs)]
        self.nodes.append(helper.make_node(kind, inputs, names, names[0],
                                           **attributes))
        return names[0]

    def model(self, shape, result, out):
        self.nodes.append(helper.make_node("Identity", [result], ["y"]))
        tensor = helper.make_tensor_value_info
        graph = helper.make_graph(
            self.nodes, "network", [tensor("x", TensorProto.FLOAT, shape)],
            [tensor("y", TensorProto.FLOAT, out)], self.weights)
        return helper.make_model(graph, ir_version=10,
                                 opset_imports=[helper.make_opsetid("", 20)])


def convolved(net, x, channels, filters, train=1):
    y = net.make("Conv", x, net.weight(filters, channels, 3, 3),
                 pads=[1, 1, 1, 1])
    settings = [net.weight(filters, value=v) for v in (1, 0, 0, 1)]
    return net.make("BatchNormalization", y, *settings, outputs=3,
                    training_mode=train)


def convolutional():
    """Four residual blocks behind a pool."""
    net = Network(1)
    x = net.make("Relu", convolved(net, "x", 3, 4))
    x = net.make("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2],
                 pads=[1, 1, 1, 1])
    x = net.make("Relu", convolved(net, x, 4, 16))
    for _ in range(4):
        inner = net.make("Relu", convolved(net, x, 16, 16))
        x = net.make("Relu", net.make("Add", convolved(net, inner, 16, 16), x))
    x = net.make("Flatten", net.make("GlobalAveragePool", x))
    y = net.make("Gemm", x, net.weight(16, 10), net.weight(10, value=0))
    return net.model([4, 3, 32, 32], y, [4, 10])


def dense(net, x, inputs, outputs):
    product = net.make("MatMul", x, net.weight(inputs, outputs))
    return net.make("Add", product, net.weight(outputs, value=0))


def normalized(net, x, width):
    return net.make("LayerNormalization", x, net.weight(width, value=1),
                    net.weight(width, value=0))


def attention(net, x, width, heads):
    shape = net.constant([2, 32, heads, width // heads])
    q, k, v = (net.make("Transpose",
                        net.make("Reshape", dense(net, x, width, width), shape),
                        perm=[0, 2, 1, 3]) for _ in range(3))
    scores = net.make("MatMul", q, net.make("Transpose", k, perm=[0, 1, 3, 2]))
    mixed = net.make("MatMul", net.make("Softmax", scores), v)
    back = net.make("Reshape", net.make("Transpose", mixed, perm=[0, 2, 1, 3]),
                    net.constant([2, 32, width]))
    return dense(net, back, width, width)


def transformer():
    """Two layers."""
    net, width, x = Network(2), 48, "x"
    for _ in range(2):
        x = net.make("Add", x, attention(net, normalized(net, x, width), width,
                                         4))
        wide = net.make("Gelu", dense(net, normalized(net, x, width), width,
                                      4 * width))
        x = net.make("Add", x, dense(net, wide, 4 * width, width))
    y = dense(net, net.make("ReduceMean", x, net.constant([1]), keepdims=0),
              width, 10)
    return net.model([2, 32, width], y, [2, 10])


#===-- Runs ----------------------------------------------------------------===#

def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=300,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


def outputs(folder, flags, threads):
    execute("tenon-run", folder / "step.tenon", *flags, "--steps", STEPS,
            "--threads", threads, "--output-dir", folder / "out")
    return {path.name: path.read_bytes()
            for path in sorted((folder / "out").glob("*.npy"))}


def train(folder, budget, flags):
    """What the steps leave, and the report."""
    budgets = ["--arena-budget", budget] if budget else []
    execute("tenon-compile", folder / "model.onnx", "--train", "--loss",
            "cross_entropy", "--optimizer", "adam", *budgets, "-o",
            folder / "step.tenon", "--quiet", "--report",
            folder / "report.json")
    report = json.loads((folder / "report.json").read_text())
    results = outputs(folder, flags, 1)
    assert results == outputs(folder, flags, 3), f"{budget}: threads matter"
    return results, report


def check_states(name, states):
    """Matrices and what belongs to them are one buffer each."""
    kept = sum(state["bytes"] for state in states)
    twice = sum(state["bytes"] * (1 + state.get("updated", False))
                for state in states)
    print(f"{name}: {kept} bytes of states, {twice} in two buffers each")
    assert name != "transformer" or kept < .6 * twice, name


def check(name, model, folder):
    onnx.save(model, folder / "model.onnx")
    shape = [d.dim_value for d in model.graph.input[0].type.tensor_type.shape.dim]
    numbers = numpy.random.default_rng(3)
    tensors = {"x": numbers.standard_normal(shape).astype(numpy.float32),
               "labels": numbers.integers(0, 10, shape[0]),
               "learning_rate": numpy.float32(.01)}
    flags = []
    for key, value in tensors.items():
        numpy.save(folder / f"{key}.npy", value)
        flags += ["--input", f"{key}={folder / key}.npy"]
    wanted, plain = train(folder, BUDGETS[0], flags)
    assert plain["step"]["taken"]["clones"] == 0, name
    most = plain["step"]["without"]["arena_bytes"]
    time = plain["step"]["without"]["nanoseconds"]
    for budget in BUDGETS[1:]:
        results, report = train(folder, budget, flags)
        assert results == wanted, f"{name}: {budget} changes bits"
        taken = report["step"]["taken"]
        print(f"{name} {budget}: {report['arena_bytes']} of {most} bytes, "
              f"{taken['clones']} computed again")
        if budget == "frontier":
            assert taken["nanoseconds"] <= time, name
            continue
        assert report["arena_bytes"] <= float(budget) * most, name
        assert taken["clones"] > 0 and taken["nanoseconds"] >= time, name
        time = taken["nanoseconds"]
    check_states(name, plain["states"])
    plans = plain["step"]["plans"]
    for faster, slower in zip(plans, plans[1:]):
        assert faster["nanoseconds"] < slower["nanoseconds"], name
        assert faster["arena_bytes"] > slower["arena_bytes"], name


def check_report(name, model, folder):
    """Others stand beside ours, none of them below and left of it; what runs
    again is told by nodes of the model; there is a picture."""
    execute("tenon-compile", folder / "model.onnx", "--train", "--loss",
            "cross_entropy", "--optimizer", "adam", "--arena-budget", .65,
            "--emit=none", "--quiet", "--report", folder / "report.json")
    report = json.loads((folder / "report.json").read_text())
    step = report["step"]
    names = [other["name"] for other in step["others"]]
    assert names[0] == "min-cut 1.0" and "min-cut 0.0" in names, names
    assert "blocks" in names and "blocks of 2" in names, names
    # Placed arenas are some percent above the bytes that were planned.
    for other in step["others"]:
        assert any(plan["nanoseconds"] <= other["nanoseconds"] and
                   plan["arena_bytes"] <= 1.05 * other["arena_bytes"]
                   for plan in step["plans"]), (name, other)
    nodes = {node.name for node in model.graph.node}
    assert step["again"] and set(step["again"]) <= nodes, step["again"]
    picture = (folder / report["front_picture"]).read_text()
    for word in ("blocks of 2", "min-cut 0.0", "taken", 'class="stairs"'):
        assert word in picture, (name, word)


def main():
    for name, make in (("convolutional", convolutional),
                       ("transformer", transformer)):
        with tempfile.TemporaryDirectory() as folder:
            check(name, make(), pathlib.Path(folder))
            check_report(name, make(), pathlib.Path(folder))


main()
