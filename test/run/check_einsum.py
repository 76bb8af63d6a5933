#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare random equations of Einsum with numpy's results.

Valid ones are computed; malformed ones must be refused by name. The same
number is the same equation."""

import argparse
import pathlib
import random
import sys
import tempfile

import numpy

from references.batch import Batch, execute, report

TYPES = (numpy.float32, numpy.float32, numpy.float64, numpy.int32)
LETTERS = "ijkabXY"
# Equations that no operands fit, and their shapes.
MALFORMED = (
    ("i->", [()]), ("ij->", [(3,)]), ("i,j->ij", [(3,)]), ("i", [(3,), (3,)]),
    ("i->ii", [(3,)]), ("i->j", [(3,)]), ("ii->i", [(2, 3)]),
    ("i,i->i", [(2,), (3,)]), ("..i->i", [(3,)]), ("i...j...->ij", [(3, 3)]),
    ("i->i->i", [(3,)]), ("i-", [(3,)]), ("i>", [(3,)]), ("1->1", [(3,)]),
    ("i\t->i", [(3,)]), ("i->i,", [(3,)]), ("i;->i", [(3,)]), ("", [(3,)]),
    ("->", [(3,)]), (",", [(3,)]), ("....i", [(3, 3)]), ("i->.", [(3,)]),
    ("i...->i...j", [(3, 2)]), ("ij...", [(3,)]), ("\u00e9", [(3,)]),
    ("...i,...i", [(2, 3), (4, 3)]), ("i->I", [(3,)]), ("-", [(3,)]),
    ("i->......", [(3,)]), ("i...i->i", [(2, 5, 3)]))


def blanks(chance, text):
    """The same with blanks where they part no sign of several characters."""
    result = ""
    for at, letter in enumerate(text):
        inner = text[at - 1:at + 1] in ("->", "..") if at else False
        result += (" " if chance.random() < 0.1 and not inner else "") + letter
    return result


class Equation:
    def __init__(self, chance):
        self.sizes = {letter: chance.choice((1, 2, 3, 4))
                      for letter in LETTERS}
        self.hidden = [chance.choice((1, 2, 3)) for _ in range(3)]
        self.terms, self.shapes, self.depth = [], [], 0
        for _ in range(chance.choice((1, 1, 2, 2, 2, 3, 4))):
            self.add_term(chance)
        self.result = self.make_result(chance)

    def add_term(self, chance):
        letters = [chance.choice(LETTERS)
                   for _ in range(chance.choice((0, 1, 2, 2, 3)))]
        # A dimension of one element meets any other, but on a diagonal.
        shape = [1 if letters.count(c) == 1 and chance.random() < 0.1
                 else self.sizes[c] for c in letters]
        if chance.random() < 0.3:
            at, count = chance.randint(0, len(letters)), chance.randint(0, 3)
            letters.insert(at, "...")
            shape[at:at] = [1 if chance.random() < 0.2 else size
                            for size in self.hidden[3 - count:]]
            self.depth = max(self.depth, count)
        self.terms.append("".join(letters))
        self.shapes.append(tuple(shape))

    def make_result(self, chance):
        """None for an equation without an arrow."""
        if chance.random() < 0.25:
            return None
        letters = [c for c in sorted(set("".join(self.terms)) - {"."})
                   if chance.random() < 0.6]
        chance.shuffle(letters)
        if any("..." in term for term in self.terms) and chance.random() < 0.8:
            letters.insert(chance.randint(0, len(letters)), "...")
        return "".join(letters)

    def text(self):
        arrow = "" if self.result is None else "->" + self.result
        return ",".join(self.terms) + arrow

    def compute(self, operands):
        """numpy does not sum what "..." hides, as ONNX does."""
        text, isSummed = self.text(), self.depth and self.result is not None \
            and "..." not in self.result
        if isSummed:
            text += "..."
        wide = [o.astype(numpy.float64 if o.dtype.kind == "f" else numpy.int64)
                for o in operands]
        value = numpy.einsum(text, *wide)
        if isSummed:
            value = value.sum(axis=tuple(range(-self.depth, 0)))
        return numpy.asarray(value, operands[0].dtype)


def add_valid(batch, number):
    chance, values = random.Random(number), numpy.random.default_rng(number)
    equation, kind = Equation(chance), chance.choice(TYPES)
    operands = [values.integers(-4, 5, shape).astype(kind)
                if kind is numpy.int32
                else values.standard_normal(shape).astype(kind)
                for shape in equation.shapes]
    want = equation.compute(operands)
    scale = max(1.0, equation.compute([abs(o) for o in operands]).max()) \
        if want.size else 1.0
    tolerance = {numpy.float32: 1e-5, numpy.float64: 1e-13}.get(kind, 0)
    largest = abs(want).max() if want.size and abs(want).max() else 1.0
    batch.add("Einsum", operands, want, tolerance * scale / largest,
              equation=blanks(chance, equation.text()))


def valid(first, count, ways):
    """What is wrong with equations, fifty in a model."""
    wrong = []
    for start in range(first, first + count, 50):
        batch = Batch()
        for number in range(start, min(start + 50, first + count)):
            add_valid(batch, number)
        wrong += batch.wrong(ways)
    return wrong


def refused():
    """Malformed equations that were not refused, or not by name."""
    batch = Batch()
    for equation, shapes in MALFORMED:
        batch.add("Einsum", [numpy.ones(s, numpy.float32) for s in shapes],
                  numpy.float32(0), equation=equation)
    with tempfile.TemporaryDirectory() as scratch:
        model = pathlib.Path(scratch) / "model.onnx"
        batch.write(model)
        status, text = execute("tenon-run", "--interpret", model)
    if status != 1:
        return [f"exit status {status} instead of 1: {text}"]
    return [f"'{equation}' {shapes} is not refused"
            for number, (equation, shapes) in enumerate(MALFORMED)
            if f"node 'node{number}' (Einsum)" not in text]


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--count", type=int, default=1000, metavar="N")
    parser.add_argument("--compile", action="store_true",
                        help="run native code as well")
    arguments = parser.parse_args()
    ways = (None, ()) if arguments.compile else (None,)
    return report(valid(arguments.first, arguments.count, ways) + refused())


if __name__ == "__main__":
    sys.exit(main())
