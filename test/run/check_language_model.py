#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train a model of the language that Tenon's documentation is written in: a
block of attention over characters, on some pages, evaluated on others."""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

ROOT = pathlib.Path(__file__).parents[2]
LENGTH, BATCH, WIDTH, HEADS = 32, 32, 64, 4


#===-- Text ----------------------------------------------------------------===#

def text_of(paths):
    text = "\n".join(path.read_text(encoding="utf-8") for path in paths)
    return re.sub(r"[^\x20-\x7e\n]", "?", text)


def windows(text, alphabet, count, numbers):
    """Characters as numbers, and the characters that follow them."""
    codes = numpy.array([alphabet.index(c) for c in text])
    starts = numbers.integers(0, len(codes) - LENGTH - 1, count)
    rows = codes[starts[:, None] + numpy.arange(LENGTH + 1)]
    return rows[:, :-1], rows[:, 1:]


#===-- The model -----------------------------------------------------------===#

class Graph:
    """Nodes and weights, made one after the other."""

    def __init__(self, numbers):
        self.numbers, self.nodes, self.weights = numbers, [], []

    def node(self, kind, *inputs, **attributes):
        name = f"{kind.lower()}{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [name], name,
                                           **attributes))
        return name

    def constant(self, name, value):
        self.weights.append(numpy_helper.from_array(numpy.asarray(value), name))
        return name

    def drawn(self, name, *shape):
        value = self.numbers.standard_normal(shape) / shape[0] ** .5
        return self.constant(name, value.astype(numpy.float32))

    def linear(self, x, name, before, after):
        product = self.node("MatMul", x, self.drawn(f"{name}.weight", before,
                                                    after))
        return self.node("Add", product, self.constant(
            f"{name}.bias", numpy.zeros(after, numpy.float32)))

    def norm(self, x, name):
        return self.node(
            "LayerNormalization", x,
            self.constant(f"{name}.scale", numpy.ones(WIDTH, numpy.float32)),
            self.constant(f"{name}.bias", numpy.zeros(WIDTH, numpy.float32)))

    def heads(self, x, name):
        x = self.linear(x, name, WIDTH, WIDTH)
        return self.node("Transpose", self.node("Reshape", x, "by_head"),
                         perm=[0, 2, 1, 3])

    def attention(self, x):
        q, k, v = (self.heads(x, name) for name in "qkv")
        scores = self.node("MatMul", q, self.node("Transpose", k,
                                                  perm=[0, 1, 3, 2]))
        scores = self.node("Mul", scores, self.constant(
            "scale", numpy.float32((HEADS / WIDTH) ** .5)))
        chances = self.node("Softmax", self.node("Where", "past", scores,
                                                 "never"), axis=-1)
        mixed = self.node("Transpose", self.node("MatMul", chances, v),
                          perm=[0, 2, 1, 3])
        return self.linear(self.node("Reshape", mixed, "joined"), "out", WIDTH,
                           WIDTH)


def build(numbers, characters):
    g = Graph(numbers)
    g.constant("by_head", [BATCH, LENGTH, HEADS, WIDTH // HEADS])
    g.constant("joined", [BATCH, LENGTH, WIDTH])
    g.constant("past", numpy.tril(numpy.ones((LENGTH, LENGTH), bool)))
    g.constant("never", numpy.float32(-1e30))
    x = g.node("Add", g.node("Gather", g.drawn("table", characters, WIDTH),
                             "x"), g.drawn("places", LENGTH, WIDTH))
    x = g.node("Add", x, g.attention(g.norm(x, "norm1")))
    hidden = g.node("Relu", g.linear(g.norm(x, "norm2"), "up", WIDTH,
                                     2 * WIDTH))
    x = g.node("Add", x, g.linear(hidden, "down", 2 * WIDTH, WIDTH))
    y = g.linear(g.norm(x, "norm3"), "head", WIDTH, characters)
    # Classes in dimension 1.
    g.nodes.append(helper.make_node("Transpose", [y], ["y"], "y",
                                    perm=[0, 2, 1]))
    graph = helper.make_graph(
        g.nodes, "language",
        [helper.make_tensor_value_info("x", TensorProto.INT64,
                                       [BATCH, LENGTH])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT,
                                       [BATCH, characters, LENGTH])],
        g.weights)
    return helper.make_model(graph, ir_version=10,
                             opset_imports=[helper.make_opsetid("", 21)])


#===-- Training ------------------------------------------------------------===#

def execute(*words):
    done = subprocess.run([str(word) for word in words], timeout=600,
                          capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, words))}\n{done.stdout}{done.stderr}")
    return done.stdout


def train(folder, epochs):
    """The loss on pages that were not seen, in nats a character."""
    numbers = numpy.random.default_rng(12)
    pages = [*(ROOT / "docs").glob("*.md"), *(ROOT / "docs").glob("*/0*.md")]
    held = [page for page in pages if page.stem == "states"]
    seen = text_of(sorted(set(pages) - set(held)))
    held = text_of(held)
    alphabet = sorted(set(seen + held))
    for name, text, count in (("seen", seen, 9600), ("held", held, 320)):
        x, labels = windows(text, alphabet, count, numbers)
        numpy.save(folder / f"{name}_x.npy", x)
        numpy.save(folder / f"{name}_labels.npy", labels)
    onnx.save(build(numbers, len(alphabet)), folder / "model.onnx")
    execute("tenon-compile", folder / "model.onnx", "--train",
            "--loss=cross_entropy", "--optimizer=adamw", "--clip-norm=1",
            "-o", folder / "step.tenon", "--quiet")
    text = execute("tenon-run", folder / "step.tenon",
                   f"--data=x={folder / 'seen_x.npy'}",
                   f"--data=labels={folder / 'seen_labels.npy'}",
                   f"--eval-data=x={folder / 'held_x.npy'}",
                   f"--eval-data=labels={folder / 'held_labels.npy'}",
                   "--eval-every=200", f"--epochs={epochs}", "--shuffle",
                   "--lr=cosine(4e-3, warmup=50)")
    print(text, end="")
    return float(re.findall(r"eval loss ([\d.]+)", text)[-1])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--loss", type=float, default=2.1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        loss = train(pathlib.Path(scratch), arguments.epochs)
    if loss <= arguments.loss:
        return 0
    print(f"a loss of {loss}, more than {arguments.loss}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
