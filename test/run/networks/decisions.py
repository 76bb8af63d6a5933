"""decisions.py - branches, loops, scans and sequences around operators on arrays

Conditions and counts are integers that are inputs, so that no rounding changes
what is decided."""
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import contextlib
import math

from onnx import TensorProto, helper

from . import arrays

#: How deep bodies lie in bodies, and elements that a loop may have in all.
DEEPEST, MOST_LOOPED = 2, 20_000


def start(net):
    arrays.start(net)
    net.depth = 0


@contextlib.contextmanager
def body(net):
    """Nodes of a graph in the graph; yields it, whose values are all its own."""
    outer = net.nodes, net.values
    net.nodes, net.values = [], list(net.values)
    net.depth += 1
    yield net.nodes
    net.nodes, net.values = outer
    net.depth -= 1


def graph(net, nodes, inputs, outputs):
    """Of lists of names, types and shapes, which outputs may lack."""
    return helper.make_graph(
        nodes, f"g{net.count()}",
        [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(name, kind, *(shape or [None]))
         for name, kind, *shape in outputs])


def piece(net, value, shape):
    """Some operators of a value; the result has any shape."""
    kinds = arrays.OPERATORS
    if net.depth < DEEPEST and net.chance(0.3):
        kinds = OPERATORS
    net.values.append((value, shape))
    net.grow(kinds, net.between(1, 3))
    return net.values[-1]


def bounded(net, value):
    return net.apply("Tanh", [value])


def settle(net, value, like, shape):
    """A value of any size, added up, to another one of that shape. What is
    infinite somewhere or of no element is well-defined."""
    total = net.apply("ReduceSum", [bounded(net, value)], keepdims=0)
    return net.apply("Add", [like, net.apply("Mul", [total, net.scalar(0.01)])]
                     ), shape


def kept(net, value, shape):
    """A piece whose result has the shape of the value, and is bounded."""
    result, own = piece(net, value, shape)
    if own != shape:
        result, _ = settle(net, result, value, shape)
    return bounded(net, result)


def decision(net):
    """A truth value."""
    return net.apply("Less", [net.input([], TensorProto.INT64),
                              net.scalar_integer(net.between(0, 3))])


def count(net):
    """A number of iterations below 5."""
    return net.apply("Add", [net.input([], TensorProto.INT64),
                             net.scalar_integer(net.between(0, 2))])


def branch(net, value, shape):
    """Both results have one rank."""
    condition, graphs, own = decision(net), {}, []
    for name in ("then_branch", "else_branch"):
        with body(net) as nodes:
            result, result_shape = piece(net, value, shape)
            result = net.apply("Identity", [result])
            if len(result_shape) != len(shape):
                result, result_shape = settle(net, result, value, shape)
            graphs[name] = graph(net, nodes, [],
                                 [(result, TensorProto.FLOAT)])
            own.append(result_shape)
    result = net.apply("If", [condition], **graphs)
    if own[0] == own[1]:
        return result, own[0]
    return settle(net, result, value, shape)


def loop(net, value, shape):
    """Carries a value; each iteration gives another, which are added up."""
    if math.prod(shape) > MOST_LOOPED:
        return None
    name = f"c{net.count()}"
    trip = count(net) if net.chance(0.8) else ""
    last = net.input([], TensorProto.INT64)
    given = [(f"{name}.i", TensorProto.INT64, []),
             (f"{name}.go", TensorProto.BOOL, []),
             (name, TensorProto.FLOAT, shape)]
    with body(net) as nodes:
        test = "Less" if not trip or net.chance(0.5) else "GreaterOrEqual"
        going = net.apply(test, [given[0][0], last]) if test == "Less" else \
            net.apply("Identity", [given[1][0]])
        carried = kept(net, name, shape)
        scan, _ = piece(net, carried, shape)
        scan = net.apply("Identity", [scan])
        inner = graph(net, nodes, given, [
            (going, TensorProto.BOOL), (carried, TensorProto.FLOAT),
            (scan, TensorProto.FLOAT)])
    condition = decision(net) if net.chance(0.3) else ""
    result, scans = net.results("Loop", [trip, condition, value], 2, body=inner)
    net.values.append((result, shape))
    return settle(net, scans, result, shape)


def grow(net, value, shape):
    """Carries a value that is longer after each iteration."""
    if math.prod(shape) > MOST_LOOPED // 4:
        return None
    axis, name = net.between(0, len(shape) - 1), f"c{net.count()}"
    given = [(f"{name}.i", TensorProto.INT64, []),
             (f"{name}.go", TensorProto.BOOL, []),
             (name, TensorProto.FLOAT,
              [None if i == axis else n for i, n in enumerate(shape)])]
    with body(net) as nodes:
        going = net.apply("Identity", [given[1][0]])
        halved = net.apply("Mul", [name, net.scalar(0.5)])
        longer = net.apply("Concat", [halved, value], axis=axis)
        inner = graph(net, nodes, given, [(going, TensorProto.BOOL),
                                          (longer, TensorProto.FLOAT)])
    result = net.apply("Loop", [count(net), "", value], body=inner)
    return (net.apply("ReduceSum", [result, net.integers(axis)]),
            [1 if i == axis else n for i, n in enumerate(shape)])


def scan(net, value, shape):
    """Along one dimension, which is where it was in the end."""
    if len(shape) < 2 or math.prod(shape) > MOST_LOOPED or max(shape) > 12:
        return None
    axis, name = net.between(0, len(shape) - 1), f"c{net.count()}"
    slices = [n for i, n in enumerate(shape) if i != axis]
    given = [(name, TensorProto.FLOAT, slices),
             (f"{name}.x", TensorProto.FLOAT, slices)]
    with body(net) as nodes:
        own = kept(net, f"{name}.x", slices)
        state = bounded(net, net.apply("Add", [name, own]))
        out = net.apply(net.pick("Neg", "Identity"), [state])
        inner = graph(net, nodes, given, [
            (state, TensorProto.FLOAT, slices),
            (out, TensorProto.FLOAT, slices)])
    last, outs = net.results(
        "Scan", [net.weights(slices), value], 2, body=inner, num_scan_inputs=1,
        scan_input_axes=[net.pick(axis, axis - len(shape))],
        scan_input_directions=[net.pick(0, 1)], scan_output_axes=[axis],
        scan_output_directions=[net.pick(0, 1)])
    net.values.append((last, slices))
    return outs, shape


def pieces(net, value, shape):
    """A sequence of pieces, of which one is gone and one is twice there."""
    axis = net.between(0, len(shape) - 1)
    if shape[axis] < 2:
        return None
    first = net.between(1, shape[axis] - 1)
    parts = net.apply("SplitToSequence", [
        value, net.integers(first, shape[axis] - first)], axis=axis)
    place = net.input([], TensorProto.INT64)
    negative = net.apply("Sub", [net.apply("Min", [
        place, net.scalar_integer(1)]), net.scalar_integer(2)])
    again = net.apply("SequenceAt", [parts, negative])
    more = net.apply("SequenceInsert", [parts, again, negative])
    left = net.apply("SequenceErase", [more, net.scalar_integer(0)])
    whole = net.apply("ConcatFromSequence", [left], axis=axis)
    return settle(net, whole, value, shape)


def compress(net, value, shape):
    axis = net.between(0, len(shape) - 1)
    mask = net.apply("Greater", [net.input([shape[axis]], TensorProto.INT64),
                                 net.scalar_integer(0)])
    some = net.apply("Compress", [value, mask], axis=axis)
    return settle(net, net.apply("Exp", [bounded(net, some)]), value, shape)


def found(net, value, shape):
    """Rows at the places of numbers that are not zero."""
    places = net.apply("NonZero", [net.input([shape[0]], TensorProto.INT64)])
    flat = net.apply("Reshape", [places, net.integers(-1)])
    return settle(net, net.apply("Gather", [value, flat], axis=0), value, shape)


OPERATORS = (branch, branch, loop, loop, grow, scan, scan, pieces, compress,
             found, *arrays.OPERATORS[::2])
