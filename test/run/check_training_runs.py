#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run trainings as users do, by files and options: handwritten digits in
batches, runs that are stopped and go on, what is written, options of updates
against numpy in f64, masks against Philox in numpy, and what is refused."""

import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

import check_training as training
from references.philox import bits_of, philox

BATCH = 64
RATE = training.RATE


#===-- Commands ------------------------------------------------------------===#

def run(*words):
    done = subprocess.run([str(word) for word in words], timeout=300,
                          capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def execute(*words):
    code, text = run(*words)
    if code:
        sys.exit(f"{' '.join(map(str, words))}\n{text}")
    return text


def compile_step(model, folder, *words, loss="cross_entropy", optimizer="sgd"):
    onnx.save(model, folder / "model.onnx")
    execute("tenon-compile", folder / "model.onnx", "--train", "--loss", loss,
            "--optimizer", optimizer, "-o", folder / "step.tenon", "--quiet",
            *words)
    return folder / "step.tenon"


def save(folder, **tensors):
    for name, value in tensors.items():
        numpy.save(folder / f"{name}.npy", value)
    return [word for name in tensors
            for word in ("--data", f"{name}={folder / name}.npy")]


def table(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(file))


def losses_of(path):
    return [float(row["loss"]) for row in table(path)]


#===-- Digits --------------------------------------------------------------===#

def digits_data(folder, numbers):
    x, labels = training.digits()
    held = numbers.permutation(len(x)) < len(x) // 5
    words = save(folder, x=x[~held], labels=labels[~held])
    numpy.save(folder / "held_x.npy", x[held])
    numpy.save(folder / "held_labels.npy", labels[held])
    return words, x[held], labels[held]


def outputs_of_eval(folder, step, x, labels):
    """What the program that evaluates gives for a batch."""
    numpy.save(folder / "one_x.npy", x)
    numpy.save(folder / "one_l.npy", labels)
    execute("tenon-run", step, "--entry=eval",
            f"--load-state={folder / 's.safetensors'}",
            f"--input=x={folder / 'one_x.npy'}",
            f"--input=labels={folder / 'one_l.npy'}",
            f"--output-dir={folder / 'eval'}")
    return numpy.load(folder / "eval" / "y.npy")


def outputs_of_model(folder, model, x):
    """The same of a model, by an independent reader where there is one."""
    try:
        import onnxruntime
        return onnxruntime.InferenceSession(str(model)).run(None, {"x": x})[0]
    except ImportError:
        execute("tenon-run", "--interpret", model, f"--input=x="
                f"{folder / 'one_x.npy'}", f"--output-dir={folder / 'model'}")
        return numpy.load(folder / "model" / "y.npy")


def check_trained_model(folder, step, x, labels):
    trained = folder / "trained.onnx"
    execute("tenon-compile", folder / "model.onnx", "--emit=onnx",
            f"--apply-state={folder / 's.safetensors'}", "-o", trained,
            "--quiet")
    onnx.checker.check_model(onnx.load(trained))
    want = outputs_of_eval(folder, step, x[:BATCH], labels[:BATCH])
    got = outputs_of_model(folder, trained, x[:BATCH])
    off = abs(got - want).max()
    return [] if off <= 1e-4 * abs(want).max() else [
        f"the trained model is off by {off}"]


def check_digits(folder, share):
    numbers = numpy.random.default_rng(5)
    words, x, labels = digits_data(folder, numbers)
    step = compile_step(training.network(numbers, BATCH), folder,
                        optimizer="adam")
    text = execute("tenon-run", step, *words, "--epochs=12", "--shuffle",
                   f"--eval-data=x={folder / 'held_x.npy'}",
                   f"--eval-data=labels={folder / 'held_labels.npy'}",
                   "--eval-every=100", "--lr=cosine(1e-2, warmup=20)",
                   f"--loss-curve={folder / 'loss.svg'}",
                   f"--save-state={folder / 's.safetensors'}")
    right = sum((outputs_of_eval(folder, step, x[i:i + BATCH],
                                 labels[i:i + BATCH]).argmax(1)
                 == labels[i:i + BATCH]).sum()
                for i in range(0, len(x) - BATCH + 1, BATCH))
    right /= len(x) // BATCH * BATCH
    print(f"digits: {right:.1%} of those held out;{text.splitlines()[-1]}")
    picture = xml.etree.ElementTree.parse(folder / "loss.svg").getroot()
    dots = len(picture.findall("{http://www.w3.org/2000/svg}circle"))
    wrong = check_trained_model(folder, step, x, labels)
    if right < share:
        wrong.append(f"digits: only {right} are right\n{text}")
    if text.count("eval loss") != 3 or dots != 3:
        wrong.append(f"digits: evaluated {dots} times\n{text}")
    return wrong


#===-- Stopping and going on -----------------------------------------------===#

def perceptron(numbers, batch, drop=None, seed=None):
    weights = training.perceptron_weights(numbers, 5, 6, 4)
    nodes = list(training.PERCEPTRON)
    if drop is not None:
        attributes = {} if seed is None else {"seed": seed}
        nodes.insert(3, ("Dropout", "_ ratio yes", attributes))
    made = training.model(nodes, [batch, 5], [batch, 4], weights)
    if drop is not None:
        made.graph.initializer.extend([
            numpy_helper.from_array(numpy.float32(drop), "ratio"),
            numpy_helper.from_array(numpy.array(True), "yes")])
    return made, weights


def check_stops(folder):
    """Bits of a run that was stopped twice, once between two updates, with one
    thread and with two."""
    numbers = numpy.random.default_rng(7)
    step = compile_step(perceptron(numbers, 8, drop=0.25)[0], folder,
                        "--accumulate=3", "--seed=9", "--clip-norm=1",
                        optimizer="adamw")
    words = save(folder, x=numbers.standard_normal((50, 5)).astype("float32"),
                 labels=numbers.integers(0, 4, 50))
    words += ["--shuffle", "--lr=1e-2"]
    files = []
    for threads in (1, 2):
        options = [*words, f"--threads={threads}"]
        whole = folder / f"whole{threads}.safetensors"
        part = folder / f"part{threads}.safetensors"
        execute("tenon-run", step, *options, "--steps=40", "--seed=4",
                f"--save-state={whole}", f"--loss-curve={folder / 'all.csv'}")
        execute("tenon-run", step, *options, "--steps=17", "--seed=4",
                f"--save-state={part}")
        for steps in (20, 40):
            execute("tenon-run", step, *options, f"--steps={steps}",
                    f"--load-state={part}", f"--save-state={part}",
                    f"--loss-curve={folder / 'rest.csv'}")
        files += [whole.read_bytes(), part.read_bytes()]
    wrong = [] if len(set(files)) == 1 else ["a run that goes on has other bits"]
    if table(folder / "all.csv")[20:] != table(folder / "rest.csv"):
        wrong.append("a run that goes on has another curve")
    return wrong


#===-- Options of updates --------------------------------------------------===#

def slopes_of(x, labels, w):
    hidden = numpy.tanh(x @ w["w1"] + w["b1"])
    loss, dy = training.cross_entropy(hidden @ w["w2"] + w["b2"], labels)
    dh = dy @ w["w2"].T * (1 - hidden ** 2)
    return loss, {"w1": x.T @ dh, "b1": dh.sum(0), "w2": hidden.T @ dy,
                  "b2": dy.sum(0)}


def clipped(slopes, value, norm):
    if value:
        slopes = {name: dx.clip(-value, value) for name, dx in slopes.items()}
    total = math.sqrt(sum((dx ** 2).sum() for dx in slopes.values()))
    factor = min(1, norm / (total + 1e-6)) if norm else 1
    return {name: dx * factor for name, dx in slopes.items()}


def losses_in_numpy(x, labels, weights, steps, value=0, norm=0, accumulate=1,
                    decays=()):
    """What sgd with a weight_decay of 0.1 gives, a batch of 8 rows a step."""
    w = {name: v.astype(numpy.float32).astype(float)
         for name, v in weights.items()}
    losses, sums = [], {name: 0 for name in w}
    for step in range(steps):
        rows = slice(8 * (step % 2), 8 * (step % 2) + 8)
        loss, slopes = slopes_of(x[rows], labels[rows], w)
        losses.append(loss)
        sums = {name: sums[name] + slopes[name] for name in w}
        if (step + 1) % accumulate:
            continue
        mean = {name: dx / accumulate for name, dx in sums.items()}
        mean = clipped(mean, value, norm)
        w = {name: w[name] - RATE * (mean[name] + .1 * w[name] *
                                     (name in decays)) for name in w}
        sums = {name: 0 for name in w}
    return losses


def check_updates(folder):
    numbers = numpy.random.default_rng(8)
    model, weights = perceptron(numbers, 8)
    x = numbers.standard_normal((16, 5)).astype(numpy.float32)
    labels = numbers.integers(0, 4, 16)
    words = save(folder, x=x, labels=labels)
    matrices = ("w1", "w2")
    cases = {("--clip-value=0.01",): dict(value=.01, decays=matrices),
             ("--clip-norm=0.1",): dict(norm=.1, decays=matrices),
             ("--clip-norm=0.1", "--clip-value=0.02", "--accumulate=2"):
                 dict(norm=.1, value=.02, accumulate=2, decays=matrices),
             ("--accumulate=3",): dict(accumulate=3, decays=matrices),
             ("--no-decay=w1|b2",): dict(decays=("w2", "b1"))}
    wrong = []
    for options, meaning in cases.items():
        step = compile_step(model, folder, *options,
                            optimizer="sgd(weight_decay=0.1)")
        execute("tenon-run", step, *words, "--steps=9", f"--lr={RATE}",
                f"--loss-curve={folder / 'loss.csv'}")
        want = losses_in_numpy(x.astype(float), labels, weights, 9, **meaning)
        got = losses_of(folder / "loss.csv")
        if not numpy.allclose(got, want, rtol=0, atol=2e-6):
            wrong.append(f"{options}: {got}, and numpy has {want}")
    return wrong


RATES = {
    "0.5": lambda step: .5,
    "constant(0.5, warmup=4)": lambda step: .5 * min((step + 1) / 4, 1),
    "step(0.5, every=3, factor=0.5)": lambda step: .5 * .5 ** (step // 3),
    "linear(0.5, end=0.1)": lambda step: .5 - .4 * step / 9,
    "cosine(0.5, warmup=2)": lambda step: (
        .25 * (step + 1) if step < 2 else
        .25 * (1 + math.cos(math.pi * (step - 2) / 7)))}


def check_rates(folder):
    numbers = numpy.random.default_rng(9)
    step = compile_step(perceptron(numbers, 8)[0], folder)
    words = save(folder, x=numbers.standard_normal((16, 5)).astype("float32"),
                 labels=numbers.integers(0, 4, 16))
    wrong = []
    for text, rate in RATES.items():
        execute("tenon-run", step, *words, "--epochs=5", "--lr", text,
                f"--loss-curve={folder / 'loss.csv'}")
        got = [float(row["rate"]) for row in table(folder / "loss.csv")]
        want = [rate(step) for step in range(10)]
        if not numpy.allclose(got, want):
            wrong.append(f"{text}: {got}, not {want}")
    return wrong


#===-- What is dropped -----------------------------------------------------===#

def mask_of(shape, ratio, seed, step, node):
    return bits_of(shape, seed, step, node) >= math.floor(ratio * 2 ** 32)


def check_philox():
    words = philox([numpy.uint64(0)] * 4, (0, 0))
    want = [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
    return [] if [int(word) for word in words] == want else ["numpy's Philox"]


def dropped_losses(x, labels, weights, ratio, seed, steps):
    w = {name: v.astype(numpy.float32).astype(float)
         for name, v in weights.items()}
    losses = []
    for step in range(steps):
        before = numpy.tanh(x @ w["w1"] + w["b1"])
        kept = mask_of(before.shape, ratio, seed, step, 0) / (1 - ratio)
        hidden = before * kept
        loss, dy = training.cross_entropy(hidden @ w["w2"] + w["b2"], labels)
        losses.append(loss)
        dh = dy @ w["w2"].T * kept * (1 - before ** 2)
        slopes = {"w1": x.T @ dh, "b1": dh.sum(0), "w2": hidden.T @ dy,
                  "b2": dy.sum(0)}
        w = {name: w[name] - RATE * slopes[name] for name in w}
    return losses


def check_dropout(folder):
    numbers = numpy.random.default_rng(10)
    x = numbers.standard_normal((8, 5)).astype(numpy.float32)
    labels = numbers.integers(0, 4, 8)
    words = save(folder, x=x, labels=labels)
    wrong = check_philox()
    for option, own in ((7 << 33 | 5, None), (1, 3)):
        model, weights = perceptron(numbers, 8, .3, own)
        step = compile_step(model, folder, f"--seed={option}")
        execute("tenon-run", step, *words, "--steps=6", f"--lr={RATE}",
                "--eval-every=6", f"--loss-curve={folder / 'loss.csv'}",
                f"--save-state={folder / 's.safetensors'}")
        want = dropped_losses(x.astype(float), labels, weights, .3,
                              option if own is None else own, 6)
        got = losses_of(folder / "loss.csv")
        if not numpy.allclose(got, want, rtol=0, atol=2e-6):
            wrong.append(f"dropout: {got}, and numpy has {want}")
        wrong += check_trained_model(folder, step, x, labels)
    return wrong


#===-- What is refused -----------------------------------------------------===#

def check_guards(folder):
    """Of a guarded model, which has no program that evaluates."""
    numbers = numpy.random.default_rng(13)
    data = save(folder, x=numbers.standard_normal((16, 5)).astype("float32"),
                labels=numbers.integers(0, 4, 16))
    curves = []
    for words in ((), ("--guard-memory",)):
        step = compile_step(perceptron(numbers, 8)[0] if not curves else
                            onnx.load(folder / "model.onnx"), folder, *words)
        execute("tenon-run", step, *data, "--epochs=2",
                f"--loss-curve={folder / 'loss.csv'}")
        curves.append(losses_of(folder / "loss.csv"))
    code, text = run("tenon-run", step, *data, "--eval-every=1")
    missing = "the model has no entry 'eval'"
    return [] if curves[0] == curves[1] and code and missing in text else [
        f"guards: {curves}, {text}"]


def write_counter(state, path, steps):
    """The file of a state with another number of steps in it."""
    data = bytearray(state.read_bytes())
    size = int.from_bytes(data[:8], "little")
    at = json.loads(data[8:8 + size])["step"]["data_offsets"][0] + 8 + size
    data[at:at + 8] = steps.to_bytes(8, "little", signed=True)
    path.write_bytes(data)


def write_tensors(path, header):
    path.write_bytes(len(header).to_bytes(8, "little") + header)


def check_refusals(folder):
    numbers = numpy.random.default_rng(11)
    step = compile_step(perceptron(numbers, 8)[0], folder)
    x = numbers.standard_normal((16, 5)).astype(numpy.float32)
    data = save(folder, x=x, labels=numbers.integers(0, 4, 16))
    numpy.save(folder / "few.npy", x[:4])
    numpy.save(folder / "wide.npy", numpy.zeros((16, 6), numpy.float32))
    numpy.save(folder / "bad.npy", numpy.full(16, 9))
    state = folder / "s.safetensors"
    execute("tenon-run", step, *data, f"--save-state={state}")
    (folder / "cut.safetensors").write_bytes(state.read_bytes()[:100])
    write_counter(state, folder / "before.safetensors", -3)
    labels, lost = data[2:], folder / "lost.svg"
    cases = [
        (data[:2], "nothing says what the input 'labels' is"),
        (["--data", f"y={folder / 'x.npy'}"], "there is no input 'y'"),
        (["--data", f"x={folder / 'few.npy'}", *labels],
         "'x' has 4 rows, less than a batch, 8"),
        (["--data", f"x={folder / 'wide.npy'}", *labels], "'x' is float32"),
        ([*data[:2], "--data", f"labels={folder / 'bad.npy'}"], "step 1: "),
        ([*data, "--lr=fast"], "--lr: 'fast' is no rate"),
        ([*data, "--lr=wave(1)"], "--lr: there is no 'wave'"),
        ([*data, "--lr=step(1)"], "'step' needs an every"),
        ([*data, "--lr=linear(1, every=2)"], "'every=2' is not known here"),
        ([*data, "--lr=constant(warmup=2)"], "says no rate"),
        ([*data, "--seed=x"], "--seed: 'x' is no number"),
        ([*data, "--seed=-1"], "--seed: '-1' is no number"),
        ([*data, f"--seed={2 ** 64}"], "is no number below 2^64"),
        ([*data, "--epochs=2", "--steps=3"], "contradict each other"),
        ([*data, "--save-every=2"], "--save-every needs --save-state"),
        ([*data, "--benchmark"], "--data trains"),
        (["--epochs=2"], "are for training: give --data"),
        ([*data, "--entry=eval"], "takes no 'learning_rate'"),
        ([*data, "--entry=main"], "the model has no entry 'main'"),
        ([*data, f"--load-state={state}"], "the state has seen 2 steps"),
        ([*data, f"--load-state={folder / 'cut.safetensors'}"], "is cut off"),
        ([*data, f"--load-state={folder / 'none'}"], "cannot open"),
        ([*data, f"--load-state={folder / 'before.safetensors'}"],
         "the state has seen -3 steps, less than none"),
        ([*data, "--input=learning_rate=1.npy"], "--lr says what"),
        ([*data, "--lr=1e38", "--epochs=9", f"--loss-curve={lost}"],
         "the loss is no number in step"),
        (["--entry=main"], "--entry: the model has no 'main'; it has 'step', "
                           "'eval'"),
    ]
    wrong = []
    for words, wanted in cases:
        code, text = run("tenon-run", step, *words)
        if not code or f"{wanted}" not in text:
            wrong.append(f"{words}: exit {code}, '{text}', not '{wanted}'")
    points = lost.read_text("utf-8").partition('points="')[2].partition('"')[0]
    if not points or "n" in points:
        wrong.append(f"the curve of a run that failed is '{points}'")
    return wrong + check_foreign(folder, data) + check_apply_refusals(folder,
                                                                      state)


def check_foreign(folder, data):
    """Of a model with a state whose rate is a byte: it is no step."""
    value = helper.make_tensor_value_info
    graph = helper.make_graph(
        [helper.make_node("ReduceSum", ["x"], ["sum"], keepdims=0),
         helper.make_node("Add", ["sum", "old"], ["new"]),
         helper.make_node("Cast", ["learning_rate"], ["rate"],
                          to=TensorProto.FLOAT),
         helper.make_node("Mul", ["rate", "new"], ["loss"])], "foreign",
        [value("x", TensorProto.FLOAT, [8, 5]),
         value("learning_rate", TensorProto.UINT8, []),
         value("old", TensorProto.FLOAT, [])],
        [value("loss", TensorProto.FLOAT, []),
         value("new", TensorProto.FLOAT, [])])
    onnx.save(helper.make_model(graph, ir_version=8, opset_imports=[
        helper.make_opsetid("", 17)]), folder / "foreign.onnx")
    execute("tenon-compile", folder / "foreign.onnx", "--state=old=new", "-o",
            folder / "foreign.tenon", "--quiet")
    code, text = run("tenon-run", folder / "foreign.tenon", "--entry=main",
                     *data[:2])
    return [] if code and "takes no 'learning_rate'" in text else [
        f"a foreign model: exit {code}, '{text}'"]


def check_apply_refusals(folder, state):
    other = training.model(training.PERCEPTRON, [8, 5], [8, 4],
                           {name: numpy.zeros(shape) for name, shape in
                            {"w1": (5, 6), "b1": 6, "w2": (6, 4),
                             "b2": (1, 4)}.items()})
    onnx.save(other, folder / "other.onnx")
    bare = helper.make_model(helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "bare",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2])]))
    onnx.save(bare, folder / "bare.onnx")
    (folder / "junk.onnx").write_bytes(b"\xff" * 64)
    write_tensors(folder / "empty.safetensors", b"{}")
    write_tensors(folder / "deep.safetensors", b'{"' + b"]" * 2000000 + b'":' +
                  b"[" * 2000000)
    write_tensors(folder / "short.safetensors",
                  b'{"b1":{"dtype":"F32","shape":[6],"data_offsets":[0,0]}}')
    cases = [("other.onnx", state, "'b2' has another type or shape"),
             ("bare.onnx", state, "the state is of another one"),
             ("model.onnx", folder / "cut.safetensors", "is cut off"),
             ("model.onnx", folder / "deep.safetensors", "is cut off"),
             ("model.onnx", folder / "short.safetensors",
              "--apply-state: the file is damaged: it lacks elements of 'b1'"),
             ("model.onnx", folder / "none", "--apply-state: cannot read"),
             ("x.npy", state, "--apply-state takes ONNX models"),
             ("junk.onnx", state, "is not an ONNX model"),
             ("model.onnx", folder / "empty.safetensors",
              "--apply-state: the file has no value for an initialiser of the "
              "model"),
             ("model.onnx", None, "--emit=onnx needs an --apply-state")]
    wrong = []
    for model, file, wanted in cases:
        code, text = run("tenon-compile", folder / model, "--emit=onnx", "-o",
                         folder / "o.onnx", *([f"--apply-state={file}"]
                                              if file else []))
        if not code or wanted not in text:
            wrong.append(f"{model}, {file}: exit {code}, '{text}'")
    return wrong


def main():
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        wrong = check_digits(folder, .97)
        for check in (check_stops, check_updates, check_rates, check_dropout,
                      check_guards, check_refusals):
            wrong += check(folder)
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
