# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make a network smaller, as long as it stays as wrong as it is.

What is tried: fewer outputs; fewer operators, half of them first, where what
they made become inputs and what only they read outputs; and users of a value
read an operand of its operator instead, where type and shape are the same."""

import onnx
from onnx import helper, shape_inference


def copy(model):
    other = onnx.ModelProto()
    other.CopyFrom(model)
    return other


def subgraphs(node):
    return [attribute.g for attribute in node.attribute
            if attribute.HasField("g")]


def reads(node):
    """Names that an operator reads, bodies included."""
    names = set(node.input)
    for graph in subgraphs(node):
        names.update(out.name for out in graph.output)
        for inner in graph.node:
            names |= reads(inner)
    return names


def prune(model):
    """Without what no output needs."""
    graph = model.graph
    needed, kept = {out.name for out in graph.output}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            kept.append(copy_of(node))
            needed |= reads(node)
    rest = {"node": kept[::-1],
            "initializer": [copy_of(value) for value in graph.initializer
                            if value.name in needed],
            "input": [copy_of(value) for value in graph.input
                      if value.name in needed]}
    for field, values in rest.items():
        getattr(graph, field).clear()
        getattr(graph, field).extend(values)
    return model


def copy_of(message):
    other = type(message)()
    other.CopyFrom(message)
    return other


def types(model):
    """The types of all values that have one, by name."""
    inferred = shape_inference.infer_shapes(model, data_prop=True).graph
    known = {value.name: value for values in (
        inferred.value_info, inferred.input, inferred.output)
        for value in values if value.type.tensor_type.HasField("shape")}
    for value in inferred.initializer:
        known[value.name] = helper.make_tensor_value_info(
            value.name, value.data_type, value.dims)
    return known


def rename(node, old, new):
    for index, name in enumerate(node.input):
        if name == old:
            node.input[index] = new
    for graph in subgraphs(node):
        for inner in graph.node:
            rename(inner, old, new)
        for out in graph.output:
            if out.name == old:
                out.name = new


def with_outputs(model, outputs):
    other = copy(model)
    other.graph.output.clear()
    other.graph.output.extend(outputs)
    return prune(other)


def fewer_outputs(model):
    """One of several, all but one, or what an output's operator reads."""
    outputs = [copy_of(out) for out in model.graph.output]
    if len(outputs) > 1:
        for out in outputs:
            yield with_outputs(model, [out])
        for out in outputs:
            yield with_outputs(model, [o for o in outputs if o is not out])
    known = types(model)
    made = {name for node in model.graph.node for name in node.output}
    for node in model.graph.node:
        for out in outputs:
            if out.name not in node.output:
                continue
            earlier = [copy_of(known[name]) for name in node.input
                       if name in made and name in known]
            rest = [o for o in outputs if o is not out]
            names = {o.name for o in rest}
            earlier = [o for o in earlier if o.name not in names]
            if earlier:
                yield with_outputs(model, rest + earlier[:1])
                yield with_outputs(model, rest + earlier)


def without(model, first, count):
    """Fewer operators; None where a type is not known."""
    known, nodes = types(model), list(model.graph.node)
    gone, rest = nodes[first:first + count], nodes[:first] + nodes[
        first + count:]
    lost = {name for node in gone for name in node.output if name}
    read = set().union(*(reads(node) for node in rest))
    inputs = sorted(lost & read)
    made = {name for node in rest for name in node.output}
    outputs = [copy_of(out) for out in model.graph.output
               if out.name not in lost]
    loose = sorted({name for node in gone for name in node.input} & made
                   - read - {out.name for out in outputs})
    if any(name not in known for name in inputs + loose):
        return None
    other = copy(model)
    other.graph.node.clear()
    other.graph.node.extend(rest)
    other.graph.input.extend(copy_of(known[name]) for name in inputs)
    return with_outputs(other, outputs + [copy_of(known[name])
                                          for name in loose])


def fewer_operators(model):
    total = len(model.graph.node)
    count = total
    while count > 1:
        count = (count + 1) // 2
        for first in reversed(range(0, total, count)):
            other = without(model, first, count)
            if other:
                yield other


def passed_by(model):
    """The users of a value read an operand of its operator."""
    known = types(model)

    def type_of(name):
        return known[name].type if name in known else None
    for index, node in enumerate(model.graph.node):
        for operand in dict.fromkeys(node.input):
            value = node.output[0]
            if not operand or type_of(value) is None or \
                    type_of(operand) != type_of(value):
                continue
            other = copy(model)
            for later in other.graph.node[index + 1:]:
                rename(later, value, operand)
            yield prune(other)


def size(model):
    return (sum(1 + sum(len(g.node) for g in subgraphs(node))
                for node in model.graph.node),
            len(model.graph.output), len(model.graph.input))


def typed(model):
    """With the shapes of outputs, which a valid network has."""
    known = types(model)
    return with_outputs(model, [copy_of(known.get(out.name, out))
                                for out in model.graph.output])


def shrink(model, is_wrong, most=400):
    """The smallest network found in so many tries of which is_wrong(model) still
    holds. That is asked of valid networks only."""
    model, tries = typed(model), 0
    progress = True
    while progress:
        progress = False
        for way in (fewer_operators, fewer_outputs, passed_by):
            for candidate in way(model):
                if size(candidate) >= size(model) or not candidate.graph.node:
                    continue
                tries += 1
                if tries > most:
                    return model
                if is_valid(candidate) and is_wrong(candidate):
                    model, progress = candidate, True
                    break
            if progress:
                break
    return model


def is_valid(model):
    try:
        onnx.checker.check_model(model)
    except onnx.checker.ValidationError:
        return False
    return bool(model.graph.output)
