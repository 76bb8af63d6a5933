"""recurrences.py - recurrent layers with odd sizes and in all directions"""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import itertools

import numpy

GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


def layer(model, operator, direction, hidden):
    steps, batch, inputs = model.pick(1, 3, 5), model.pick(1, 2, 3), model.pick(
        3, 8, 17)
    ways = 2 if direction == "bidirectional" else 1
    rows = GATES[operator] * hidden
    def some(shape, constant=False):
        return model.pick(True, False) and model.value(shape, constant) or ""

    lengths = numpy.array([model.pick(1, steps) for _ in range(batch)],
                          numpy.int32)
    operands = [model.value((steps, batch, inputs)),
                model.value((ways, rows, inputs), True),
                model.value((ways, rows, hidden), True),
                some((ways, 2 * rows), True),
                model.pick(True, False) and model.constant(lengths) or "",
                some((ways, batch, hidden))]
    options = {}
    if operator == "LSTM":
        operands += [some((ways, batch, hidden)),
                     some((ways, 3 * hidden), True)]
    if operator == "GRU":
        options["linear_before_reset"] = model.pick(0, 1)
    count = 3 if operator == "LSTM" else 2
    for name in model.results(operator, operands, count, hidden_size=hidden,
                              direction=direction, **options):
        model.output(name)


def recurrences(model):
    directions = itertools.cycle(("forward", "bidirectional", "reverse"))
    for operator, hidden in itertools.product(
            GATES, (1, 5, 8, 15, 17, 32, 33, 50)):
        layer(model, operator, next(directions), hidden)
