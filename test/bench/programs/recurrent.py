# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Recurrences: the operators, and a decoder as a loop."""

import functools
import itertools

from onnx import TensorProto, helper

from blocks.net import Net
from programs import Program

WIDTH, VOCABULARY = 256, 1000
GATES = {"LSTM": 4, "GRU": 3}


def layer(kind, steps, batch):
    """One direction, from zeros; all its states are results."""
    net, gates = Net(kind), GATES[kind] * WIDTH
    x = net.input(steps, batch, WIDTH)
    more = {"linear_before_reset": 1} if kind == "GRU" else {}
    results = net.op(kind, x, net.weight(1, gates, WIDTH, fan=WIDTH),
                     net.weight(1, gates, WIDTH, fan=WIDTH),
                     net.weight(1, 2 * gates, fan=16),
                     outputs=GATES[kind] - 1, hidden_size=WIDTH, **more)
    return net.model(*results[:2])


def gated(net, x, state, weights):
    """A GRU's step in plain operators."""
    inner = net.op("Gemm", x, weights["W"], weights["b"])
    outer = net.op("Gemm", state, weights["R"], weights["c"])
    xs, hs = (net.split(v, 1, WIDTH, WIDTH, WIDTH) for v in (inner, outer))
    update, reset = (net.op("Sigmoid", net.op("Add", xs[i], hs[i]))
                     for i in range(2))
    new = net.op("Tanh", net.op("Add", xs[2], net.op("Mul", reset, hs[2])))
    kept = net.op("Mul", update, net.op("Sub", state, new))
    return net.op("Add", kept, new)


def weights_of(net):
    wide = 3 * WIDTH
    return {"W": net.weight(WIDTH, wide, fan=WIDTH), "b": net.weight(
        wide, fan=16), "R": net.weight(WIDTH, wide, fan=WIDTH),
        "c": net.weight(wide, fan=16)}


def body_of(states):
    """The net of a loop's step: its names are its own. `states` are (type,
    dims)."""
    body = Net("step")
    body.count = 1000
    body.inputs = [helper.make_tensor_value_info(name, *state) for name, state
                   in zip(("step", "on"), ((TensorProto.INT64, []),
                                           (TensorProto.BOOL, [])))]
    body.inputs += [helper.make_tensor_value_info(f"state_{i}", *state)
                    for i, state in enumerate(states)]
    return body


def loop(net, body, steps, begin, results):
    """Adds it; `results` are (name, (type, dims)): the next states, then what
    is collected."""
    outputs = [helper.make_tensor_value_info(
        body.op("Identity", "on"), TensorProto.BOOL, [])]
    outputs += [helper.make_tensor_value_info(name, *kind)
                for name, kind in results]
    graph = helper.make_graph(body.nodes, "step", body.inputs, outputs,
                              body.constants)
    return net.op("Loop", net.const(steps, "int64"), "", *begin,
                  outputs=len(results), body=graph)


def cell(steps, batch):
    """A GRU written as a loop over the rows of a sequence."""
    net = Net("cell")
    x, begin = net.input(steps, batch, WIDTH), net.input(batch, WIDTH)
    weights = weights_of(net)
    state = (TensorProto.FLOAT, [batch, WIDTH])
    body = body_of([state])
    row = body.op("Gather", x, "step", axis=0)
    new = gated(body, row, "state_0", weights)
    out = body.op("Identity", new)
    return net.model(*loop(net, body, steps, [begin],
                           [(new, state), (out, state)]))


def decoder(steps, batch):
    """Each token is the likeliest after the one before."""
    net = Net("decoder")
    begin = net.input(batch, WIDTH)
    weights = weights_of(net)
    table = net.weight(VOCABULARY, WIDTH, fan=1)
    project = net.weight(WIDTH, VOCABULARY, fan=WIDTH)
    state = (TensorProto.FLOAT, [batch, WIDTH])
    token = (TensorProto.INT64, [batch])
    body = body_of([state, token])
    row = body.op("Gather", table, "state_1", axis=0)
    new = gated(body, row, "state_0", weights)
    best = body.op("ArgMax", body.op("MatMul", new, project), axis=1,
                   keepdims=0)
    out = body.op("Identity", best)
    results = loop(net, body, steps, [begin, net.const([0] * batch, "int64")],
                   [(new, state), (best, token), (out, token)])
    return net.model(results[0], results[2])


MAKERS = {"LSTM": functools.partial(layer, "LSTM"),
          "GRU": functools.partial(layer, "GRU"),
          "GRU as Loop": cell, "decoder as Loop": decoder}
PROGRAMS = {f"{name}, T={steps}, batch {batch}": Program(
    f"T{steps} {batch}x{WIDTH}", functools.partial(make, steps, batch))
    for name, make in MAKERS.items()
    for steps, batch in itertools.product((16, 128), (1, 8))}
