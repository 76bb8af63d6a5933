#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train models of f16 and bf16: parameters are f32, steps whose gradients
overflow change nothing and are counted, the scale of the loss follows its rule
in each step, runs that go on have the bits of one that was not stopped, and
what was trained becomes a model of 16 bits again."""

import json
import pathlib
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, numpy_helper

import check_training as training
import check_training_runs as runs

HALVES = {"f16": TensorProto.FLOAT16, "bf16": TensorProto.BFLOAT16}
# How much smaller than 1 the next number below it is, halved.
ROUNDING = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8}


#===-- Models --------------------------------------------------------------===#

def halve(model, kind):
    """The model with all of its numbers in 16 bits."""
    for tensor in model.graph.initializer:
        if tensor.data_type == TensorProto.FLOAT:
            value = numpy_helper.to_array(tensor)
            tensor.CopyFrom(onnx.helper.make_tensor(
                tensor.name, HALVES[kind], value.shape, value.flatten()))
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = HALVES[kind]
    return model


def widened(model):
    """The initialisers of a model, as their numbers."""
    return {tensor.name: numpy_helper.to_array(tensor).astype(float)
            for tensor in model.graph.initializer}


def normalised(numbers):
    """A model that follows statistics."""
    weights = training.perceptron_weights(numbers, 5, 6, 4)
    made = training.model(
        (("MatMul", "_ w1", {}),
         ("BatchNormalization", "_ scale b1 mean square", {"training_mode": 1}),
         ("Tanh", "_", {}), ("MatMul", "_ w2", {}), ("Add", "_ b2", {})),
        [8, 5], [8, 4], weights | {"scale": numpy.ones(6),
                                   "mean": numpy.zeros(6),
                                   "square": numpy.ones(6)})
    made.graph.node[1].output.extend(["mean1", "square1"])
    return made


#===-- Runs ----------------------------------------------------------------===#

def tensors_of(path):
    """What a file of a state holds, by name."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    types = {"F32": "<f4", "I64": "<i8"}
    return {name: numpy.frombuffer(
                data[start + field["data_offsets"][0]:
                     start + field["data_offsets"][1]],
                types[field["dtype"]]).reshape(field["shape"])
            for name, field in json.loads(data[8:start]).items()
            if name != "__metadata__"}


def data_of(folder, kind, numbers, scale=1.0):
    x = (numbers.standard_normal((8, 5)) * scale).astype(numpy.float16)
    labels = numbers.integers(0, 4, 8)
    if kind == "f16":
        return x.astype(float), labels, runs.save(folder, x=x, labels=labels)
    # numpy has no bfloat16: its bits are those of f32 without the lower half.
    bits = x.astype(numpy.float32).view(numpy.uint32) >> 16
    x = (bits << 16).view(numpy.float32)
    numpy.save(folder / "x.npy", bits.astype(numpy.uint16).view("V2"))
    return x.astype(float), labels, [
        "--data", f"x={folder / 'x.npy'}", *runs.save(folder, labels=labels)]


def train(folder, step, words, steps, *more):
    state = folder / "s.safetensors"
    text = runs.execute("tenon-run", step, *words, f"--steps={steps}",
                        f"--save-state={state}", *more)
    return text, tensors_of(state)


#===-- Checks --------------------------------------------------------------===#

def check_masters(folder, kind):
    """Steps that are smaller than what 16 bits can tell apart add up."""
    numbers = numpy.random.default_rng(21)
    model = halve(runs.perceptron(numbers, 8)[0], kind)
    first = widened(model)
    x, labels, words = data_of(folder, kind, numbers)
    step = runs.compile_step(model, folder)
    _, state = train(folder, step, [*words, "--lr=1e-4"], 60)
    _, slopes = runs.slopes_of(x, labels, first)
    far = (60 - int(state.get("skipped_steps", 0))) * 1e-4
    wrong = []
    for name, slope in slopes.items():
        change = state[name].astype(float) - first[name]
        off = abs(change + far * slope).max() / (far * abs(slope).max())
        if state[name].dtype != numpy.float32 or not off < 8 * ROUNDING[kind]:
            wrong.append(f"{kind}, {name}: the change is off by {off}")
    if ("skipped_steps" in state) != (kind == "f16"):
        wrong.append(f"{kind}: {list(state)}")
    return wrong + check_applied(folder, kind, state)


def check_applied(folder, kind, state):
    """The trained model has the nearest numbers of 16 bits."""
    runs.execute("tenon-compile", folder / "model.onnx", "--emit=onnx",
                 f"--apply-state={folder / 's.safetensors'}", "-o",
                 folder / "trained.onnx", "--quiet")
    trained = onnx.load(folder / "trained.onnx")
    onnx.checker.check_model(trained)
    kinds = {tensor.data_type for tensor in trained.graph.initializer}
    off = [name for name, value in widened(trained).items()
           if not (abs(value - state[name]) <=
                   ROUNDING[kind] * abs(state[name]) + 1e-7).all()]
    return [f"{kind}: trained as {kinds}, {off} are off"] if \
        off or kinds != {HALVES[kind]} else []


def follows(old, new, every, updates):
    """Whether a state may be what comes after another one, in which the scale
    changes; and whether the step was skipped."""
    scale = {name: (old[name], new[name]) for name in
             ("loss_scale", "good_steps", "skipped_steps")}
    same = [name for name in old if (old[name] == new[name]).all()]
    kept = [name for name in old if ".gradient" not in name and name not in
            ("step", *scale)]
    skips = scale["skipped_steps"][1] - scale["skipped_steps"][0]
    if not updates:
        return set(scale) <= set(same), False
    if skips:
        isGood = scale["loss_scale"][1] == scale["loss_scale"][0] / 2 and \
            scale["good_steps"][1] == 0 and skips == 1 and \
            set(kept) <= set(same)
        return isGood, True
    isDue = scale["good_steps"][0] + 1 == every
    isGood = scale["good_steps"][1] == (
        0 if isDue else scale["good_steps"][0] + 1) and \
        scale["loss_scale"][1] == scale["loss_scale"][0] * (1 + isDue) and \
        not set(kept) & set(same)
    return isGood, False


def check_rule(folder, optimizer, accumulate):
    """Each step is a run of its own; together they are one run."""
    numbers = numpy.random.default_rng(22)
    _, _, words = data_of(folder, "f16", numbers, 8)
    words.append("--lr=1e-2")
    step = runs.compile_step(
        halve(normalised(numbers), "f16"), folder, "--clip-norm=1",
        f"--loss-scale=dynamic(first={2 ** 20}, every=3)",
        f"--accumulate={accumulate}", optimizer=optimizer)
    _, old = train(folder, step, words, 1)
    wrong, skipped = [], int(old["skipped_steps"])
    for number in range(2, 25):
        text, new = train(folder, step, words, number,
                          f"--load-state={folder / 's.safetensors'}")
        isGood, skips = follows(old, new, 3, number % accumulate == 0)
        skipped += skips
        if not isGood:
            wrong.append(f"{optimizer}, {accumulate}, step {number}: {old} to "
                         f"{new}")
        old = new
    parts = (folder / "s.safetensors").read_bytes()
    train(folder, step, words, 24)
    if (folder / "s.safetensors").read_bytes() != parts:
        wrong.append(f"{optimizer}: a run that goes on has other bits")
    if not 3 <= skipped < 24 / accumulate - 3 or \
            f"skipped: {skipped} updates in 24 steps" not in text:
        wrong.append(f"{optimizer}: {skipped} steps are skipped: {text}")
    return wrong


def check_skips(folder):
    """A run in which steps were skipped is one of fewer steps: that of a scale
    which none of them needed, but for rounding."""
    numbers = numpy.random.default_rng(23)
    model = halve(runs.perceptron(numbers, 8)[0], "f16")
    _, _, words = data_of(folder, "f16", numbers)
    words.append("--lr=1e-2")
    high = runs.compile_step(model, folder, optimizer="adam",
                             *(f"--loss-scale=dynamic(first={2 ** 22})",))
    _, state = train(folder, high, words, 20)
    skipped = int(state["skipped_steps"])
    low = runs.compile_step(model, folder, "--loss-scale=64", optimizer="adam")
    text, want = train(folder, low, words, 20 - skipped)
    off = max(abs(state[name] - want[name]).max()
              for name in ("w1", "b1", "w2", "b2"))
    return [] if 0 < skipped < 15 and off < 2e-3 and not want[
        "skipped_steps"] and "skipped" not in text else [
        f"{skipped} steps are skipped, and parameters off by {off}"]


def check_constant(folder):
    """A scale that is too large skips all steps."""
    numbers = numpy.random.default_rng(24)
    model = halve(runs.perceptron(numbers, 8)[0], "f16")
    first = widened(model)
    _, _, words = data_of(folder, "f16", numbers)
    step = runs.compile_step(model, folder, f"--loss-scale={2 ** 40}")
    text, state = train(folder, step, words, 5)
    same = all((state[name] == value).all() for name, value in first.items())
    return [] if same and "skipped: 5 updates in 5 steps" in text else [
        f"a scale that is too large: {text}"]


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        wrong = check_masters(folder, "f16") + check_masters(folder, "bf16")
        wrong += check_rule(folder, "adam", 1)
        wrong += check_rule(folder, "sgd(momentum=0.9)", 2)
        wrong += check_skips(folder) + check_constant(folder)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
