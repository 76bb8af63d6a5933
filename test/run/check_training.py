#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train compiled models: losses and optimisers against numpy in f64, and
handwritten digits, of which those that are held out must be told apart.

A run of --steps begins with the model's weights, so that the loss of step n is
that after n - 1 updates."""

import argparse
import gzip
import pathlib
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

HERE = pathlib.Path(__file__).parent
STEPS = (1, 2, 7)
RATE = 0.05


#===-- Models --------------------------------------------------------------===#

def model(nodes, shape, out, weights):
    """x of `shape` to y of `out`; nodes are (operator, inputs, attributes),
    each of which reads the result of the one before as `_`."""
    made, last = [], "x"
    for number, (kind, inputs, attributes) in enumerate(nodes):
        output = "y" if number == len(nodes) - 1 else f"v{number}"
        names = [last if name == "_" else name for name in inputs.split()]
        made.append(helper.make_node(kind, names, [output], f"node{number}",
                                     **attributes))
        last = output
    graph = helper.make_graph(
        made, "training",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, out)],
        [numpy_helper.from_array(value.astype(numpy.float32), name)
         for name, value in weights.items()])
    return helper.make_model(graph, ir_version=10,
                             opset_imports=[helper.make_opsetid("", 21)])


PERCEPTRON = (("MatMul", "_ w1", {}), ("Add", "_ b1", {}), ("Tanh", "_", {}),
              ("MatMul", "_ w2", {}), ("Add", "_ b2", {}))


def perceptron_weights(numbers, inputs, hidden, outputs):
    return {"w1": numbers.standard_normal((inputs, hidden)) / inputs ** .5,
            "b1": numpy.full(hidden, .1),
            "w2": numbers.standard_normal((hidden, outputs)) / hidden ** .5,
            "b2": numpy.zeros(outputs)}


#===-- Runs ----------------------------------------------------------------===#

def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=300,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")


class Trainer:
    """A compiled step with its data, which all steps see."""

    def __init__(self, folder, made, loss, optimizer, inputs):
        self.folder, self.flags = folder, []
        onnx.save(made, folder / "model.onnx")
        execute("tenon-compile", folder / "model.onnx", "--train", "--loss",
                loss, "--optimizer", optimizer, "-o", folder / "step.tenon",
                "--quiet")
        for name, value in inputs.items():
            numpy.save(folder / f"{name}.npy", value)
            self.flags += ["--input", f"{name}={folder / name}.npy"]

    def step(self, number):
        """Loss and y of a step."""
        out = self.folder / "out"
        execute("tenon-run", self.folder / "step.tenon", *self.flags,
                "--steps", number, "--output-dir", out)
        return float(numpy.load(out / "loss.npy")), numpy.load(out / "y.npy")


#===-- numpy ---------------------------------------------------------------===#

def softmax(y):
    power = numpy.exp(y - y.max(1, keepdims=True))
    return power / power.sum(1, keepdims=True)


def sigmoid(y):
    return 1 / (1 + numpy.exp(-y))


def cross_entropy(y, labels, smoothing=0.0):
    rows = labels != -100
    hot = numpy.zeros(y.shape)
    hot[numpy.arange(len(y))[rows], labels[rows]] = 1
    hot[rows] = hot[rows] * (1 - smoothing) + smoothing / y.shape[1]
    chance = softmax(y)
    loss = -(hot * numpy.log(chance)).sum() / rows.sum()
    return loss, (chance * rows[:, None] - hot) / rows.sum()


def huber(difference, delta):
    far = abs(difference) > delta
    loss = numpy.where(far, delta * (abs(difference) - delta / 2),
                       difference ** 2 / 2)
    return loss.mean(), numpy.clip(difference, -delta, delta) / loss.size


LOSSES = {
    "cross_entropy": cross_entropy,
    "cross_entropy(smoothing=0.2)": lambda y, t: cross_entropy(y, t, .2),
    "mse(y, t)": lambda y, t: (((y - t) ** 2).mean(), 2 * (y - t) / y.size),
    "l1(y, t)": lambda y, t: (abs(y - t).mean(), numpy.sign(y - t) / y.size),
    "huber(y, t, delta=0.5)": lambda y, t: huber(y - t, .5),
    "bce_with_logits(y, t)": lambda y, t: (
        (numpy.logaddexp(0, y) - y * t).mean(), (sigmoid(y) - t) / y.size),
}


class Sgd:
    def __init__(self, momentum=0, nesterov=False, weight_decay=0):
        self.momentum, self.nesterov = momentum, nesterov
        self.decay, self.kept = weight_decay, 0

    def update(self, x, dx, step):
        dx = dx + self.decay * x * (x.ndim > 1)
        self.kept = self.momentum * self.kept + dx
        change = dx + self.momentum * self.kept if self.nesterov else self.kept
        return x - RATE * change


class Adam:
    def __init__(self, weight_decay=0, decoupled=False):
        self.decay, self.decoupled = weight_decay, decoupled
        self.mean = self.square = 0

    def update(self, x, dx, step):
        decay = self.decay * (x.ndim > 1)
        if self.decoupled:
            x = x * (1 - RATE * decay)
        else:
            dx = dx + decay * x
        self.mean = .9 * self.mean + .1 * dx
        self.square = .999 * self.square + .001 * dx ** 2
        scale = numpy.sqrt(self.square / (1 - .999 ** step)) + 1e-8
        return x - RATE * self.mean / (1 - .9 ** step) / scale


class Adagrad:
    def __init__(self, lr_decay):
        self.lr_decay, self.sum = lr_decay, 0

    def update(self, x, dx, step):
        self.sum = self.sum + dx ** 2
        rate = RATE / (1 + (step - 1) * self.lr_decay)
        return x - rate * dx / (numpy.sqrt(self.sum) + 1e-10)


OPTIMIZERS = {
    "sgd": Sgd,
    "sgd(momentum=0.9)": lambda: Sgd(.9),
    "sgd(momentum=0.8, nesterov, weight_decay=0.1)": lambda: Sgd(.8, True, .1),
    "adam(weight_decay=0.1)": lambda: Adam(.1),
    "adamw(weight_decay=0.3)": lambda: Adam(.3, True),
    "adagrad(lr_decay=0.2)": lambda: Adagrad(.2),
}


def reference(x, labels, weights, loss, make, steps):
    """The losses of so many steps of the perceptron."""
    w = {name: value.astype(numpy.float32).astype(float)
         for name, value in weights.items()}
    rules, losses = {name: make() for name in w}, []
    for step in range(1, steps + 1):
        hidden = numpy.tanh(x @ w["w1"] + w["b1"])
        value, dy = loss(hidden @ w["w2"] + w["b2"], labels)
        losses.append(value)
        dh = dy @ w["w2"].T * (1 - hidden ** 2)
        slopes = {"w1": x.T @ dh, "b1": dh.sum(0),
                  "w2": hidden.T @ dy, "b2": dy.sum(0)}
        w = {name: rules[name].update(w[name], slopes[name], step)
             for name in w}
    return losses


#===-- Checks --------------------------------------------------------------===#

def check_formulas(folder):
    numbers = numpy.random.default_rng(1)
    x = numbers.standard_normal((12, 5)).astype(numpy.float32)
    weights = perceptron_weights(numbers, 5, 6, 4)
    targets = numbers.uniform(0, 1, (12, 4)).astype(numpy.float32)
    classes = numbers.integers(0, 4, 12)
    classes[3] = -100
    cases = [(loss, "sgd") for loss in LOSSES] + \
        [("cross_entropy", optimizer) for optimizer in OPTIMIZERS]
    wrong = []
    for loss, optimizer in cases:
        name, labels = ("t", targets) if "(y, t" in loss else \
            ("labels", classes)
        trainer = Trainer(folder, model(PERCEPTRON, [12, 5], [12, 4], weights),
                          loss, optimizer,
                          {"x": x, name: labels,
                           "learning_rate": numpy.float32(RATE)})
        want = reference(x, labels, weights, LOSSES[loss],
                         OPTIMIZERS[optimizer], max(STEPS))
        for step in STEPS:
            got = trainer.step(step)[0]
            if not abs(got - want[step - 1]) <= 2e-6 * max(1, abs(got)):
                wrong.append(f"{loss}, {optimizer}, step {step}: {got}, and "
                             f"numpy has {want[step - 1]}")
        if abs(want[-1] - want[0]) < 1e-3:
            wrong.append(f"{loss}, {optimizer}: nothing is learnt")
    return wrong


def check_own_losses(folder):
    """Models that end in logarithms of chances, or in a loss."""
    numbers = numpy.random.default_rng(2)
    x = numbers.standard_normal((12, 5)).astype(numpy.float32)
    labels = numbers.integers(0, 4, 12)
    weights = perceptron_weights(numbers, 5, 6, 4)
    want = reference(x, labels, weights, cross_entropy, Sgd, max(STEPS))
    chances = model(PERCEPTRON + (("LogSoftmax", "_", {"axis": 1}),),
                    [12, 5], [12, 4], weights)
    whole = model(PERCEPTRON + (("SoftmaxCrossEntropyLoss", "_ labels", {}),),
                  [12, 5], [], weights)
    whole.graph.input.append(
        helper.make_tensor_value_info("labels", TensorProto.INT64, [12]))
    wrong = []
    for made, loss in ((chances, "nll"), (whole, "output:y")):
        trainer = Trainer(folder, made, loss, "sgd", {
            "x": x, "labels": labels, "learning_rate": numpy.float32(RATE)})
        for step in STEPS:
            got = trainer.step(step)[0]
            if not abs(got - want[step - 1]) <= 2e-6:
                wrong.append(f"{loss}, step {step}: {got}, and numpy has "
                             f"{want[step - 1]}")
    return wrong


def check_refusal(folder):
    """A label that is no class ends the run."""
    numbers = numpy.random.default_rng(6)
    trainer = Trainer(folder, model(PERCEPTRON, [12, 5], [12, 4],
                                    perceptron_weights(numbers, 5, 6, 4)),
                      "cross_entropy", "sgd",
                      {"x": numpy.zeros((12, 5), numpy.float32),
                       "labels": numpy.full(12, 4),
                       "learning_rate": numpy.float32(RATE)})
    done = subprocess.run(
        ["tenon-run", trainer.folder / "step.tenon", *trainer.flags,
         "--steps", "2"], capture_output=True, text=True)
    return [] if done.returncode and "error: " in done.stderr else [
        f"a label out of range: {done.returncode} {done.stderr}"]


def normalised_reference(x, labels, weights, steps):
    """The losses of so many steps, with a normalisation over the batch."""
    w = {name: value.astype(numpy.float32).astype(float)
         for name, value in weights.items()}
    losses = []
    for _ in range(steps):
        before = x @ w["w1"]
        deviation = numpy.sqrt(before.var(0) + 1e-5)
        unit = (before - before.mean(0)) / deviation
        hidden = numpy.tanh(unit * w["scale"] + w["bias"])
        value, dy = cross_entropy(hidden @ w["w2"], labels)
        losses.append(value)
        dh = dy @ w["w2"].T * (1 - hidden ** 2)
        du = dh * w["scale"]
        db = (du - du.mean(0) - unit * (du * unit).mean(0)) / deviation
        slopes = {"w1": x.T @ db, "w2": hidden.T @ dy, "bias": dh.sum(0),
                  "scale": (dh * unit).sum(0)}
        w = {name: w[name] - RATE * slopes[name] for name in w}
    return losses


def check_normalisation(folder):
    """In training mode the model gives what its statistics will be."""
    numbers = numpy.random.default_rng(3)
    x = numbers.standard_normal((12, 5)).astype(numpy.float32)
    labels = numbers.integers(0, 4, 12)
    drawn = perceptron_weights(numbers, 5, 6, 4)
    weights = {"w1": drawn["w1"], "w2": drawn["w2"],
               "scale": numbers.uniform(.5, 2, 6), "bias": drawn["b1"]}
    made = model(
        (("MatMul", "_ w1", {}),
         ("BatchNormalization", "_ scale bias mean square",
          {"training_mode": 1}),
         ("Tanh", "_", {}), ("MatMul", "_ w2", {})), [12, 5], [12, 4],
        weights | {"mean": numpy.zeros(6), "square": numpy.ones(6)})
    made.graph.node[1].output.extend(["mean1", "square1"])
    trainer = Trainer(folder, made, "cross_entropy", "sgd", {
        "x": x, "labels": labels, "learning_rate": numpy.float32(RATE)})
    want = normalised_reference(x, labels, weights, max(STEPS))
    return [f"normalisation, step {step}: {got}, and numpy has "
            f"{want[step - 1]}" for step in STEPS
            if not abs((got := trainer.step(step)[0]) - want[step - 1]) <= 2e-6]


def recurrent_reference(x, labels, weights, steps):
    """The losses of so many steps of a layer that runs over time."""
    w = {name: value.astype(numpy.float32).astype(float)
         for name, value in weights.items()}
    losses = []
    for _ in range(steps):
        states = [numpy.zeros((x.shape[1], w["r"].shape[1]))]
        for row in x:
            states.append(numpy.tanh(row @ w["w"][0].T +
                                     states[-1] @ w["r"][0].T))
        value, dy = cross_entropy(states[-1] @ w["out"], labels)
        losses.append(value)
        slopes = {name: numpy.zeros_like(value) for name, value in w.items()}
        slopes["out"] = states[-1].T @ dy
        dh = dy @ w["out"].T
        for t in reversed(range(len(x))):
            dsum = dh * (1 - states[t + 1] ** 2)
            slopes["w"][0] += dsum.T @ x[t]
            slopes["r"][0] += dsum.T @ states[t]
            dh = dsum @ w["r"][0]
        w = {name: w[name] - RATE * slopes[name] for name in w}
    return losses


def check_recurrent(folder):
    """A loop backwards, in a program that has states."""
    numbers = numpy.random.default_rng(4)
    x = numbers.standard_normal((9, 6, 3)).astype(numpy.float32)
    labels = numbers.integers(0, 4, 6)
    weights = {"w": numbers.standard_normal((1, 5, 3)) / 2,
               "r": numbers.standard_normal((1, 5, 5)) / 3,
               "out": numbers.standard_normal((5, 4)) / 2}
    made = model((("RNN", "_ w r", {"hidden_size": 5}),
                  ("Squeeze", "last zero", {}), ("MatMul", "_ out", {})),
                 [9, 6, 3], [6, 4], weights)
    made.graph.node[0].output.append("last")
    made.graph.initializer.append(
        numpy_helper.from_array(numpy.array([0]), "zero"))
    trainer = Trainer(folder, made, "cross_entropy", "sgd", {
        "x": x, "labels": labels, "learning_rate": numpy.float32(RATE)})
    want = recurrent_reference(x, labels, weights, max(STEPS))
    return [f"recurrent, step {step}: {got}, and numpy has {want[step - 1]}"
            for step in STEPS
            if not abs((got := trainer.step(step)[0]) - want[step - 1]) <= 2e-6]


def digits():
    """Images of 8x8 numbers from 0 to 1, and what they show."""
    with gzip.open(HERE / "digits" / "digits.csv.gz", "rt") as file:
        rows = numpy.loadtxt(file, delimiter=",")
    return (rows[:, :64] / 16).astype(numpy.float32), rows[:, 64].astype(int)


NETWORK = (
    ("Reshape", "_ shape", {}),
    ("Conv", "_ k1 c1", {"pads": [1, 1, 1, 1]}), ("Relu", "_", {}),
    ("MaxPool", "_", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("Conv", "_ k2 c2", {"pads": [1, 1, 1, 1], "group": 2}), ("Relu", "_", {}),
    ("AveragePool", "_", {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("Flatten", "_", {}), ("Gemm", "_ w b", {}))


def network(numbers, count):
    def drawn(*shape):
        return numbers.standard_normal(shape) * (
            2 / numpy.prod(shape[1:])) ** .5
    made = model(NETWORK, [count, 64], [count, 10], {
        "k1": drawn(16, 1, 3, 3), "c1": numpy.zeros(16),
        "k2": drawn(32, 8, 3, 3), "c2": numpy.zeros(32),
        "w": drawn(128, 10), "b": numpy.zeros(10)})
    made.graph.initializer.append(
        numpy_helper.from_array(numpy.array([-1, 1, 8, 8]), "shape"))
    return made


def check_digits(folder, steps, share):
    """Labels that are ignored hold images out."""
    numbers = numpy.random.default_rng(5)
    x, labels = digits()
    held = numbers.permutation(len(x)) < len(x) // 5
    trainer = Trainer(folder, network(numbers, len(x)), "cross_entropy", "adam",
                      {"x": x, "learning_rate": numpy.float32(.02),
                       "labels": numpy.where(held, -100, labels)})
    first, _ = trainer.step(1)
    last, y = trainer.step(steps)
    right = (y.argmax(1) == labels)[held].mean()
    print(f"digits: loss {first:.3f} to {last:.3f}, {right:.1%} of those held "
          "out")
    return [] if last < .1 * first and right >= share else [
        f"digits: {right} are right, loss {first} to {last}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=100)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        wrong = check_formulas(folder) + check_normalisation(folder)
        wrong += check_own_losses(folder) + check_refusal(folder)
        wrong += check_recurrent(folder)
        wrong += check_digits(folder, arguments.steps, .97)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
