# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Trees of operators, and whether a value of a graph is computed by one.

A tree is
  ("Mul", tree, tree)   a node; operands of COMMUTATIVE ones in either order
  ("ReduceMean", tree, {"axes": [-1]})   one with these attributes
  2.0                   a constant of one element that is near it
  "x"                   any value, the same one wherever the name stands
  Array("w")            any constant
  Scalar("s")           a constant of one element
Bindings have names of values, for Scalar its number."""

import math

COMMUTATIVE = ("Add", "Mul", "Max")


class Array:
    def __init__(self, name):
        self.name = name


class Scalar(Array):
    pass


class Matcher:
    def __init__(self, graph):
        self.graph, self.producers = graph, graph.producers()

    def number(self, value):
        """What a constant of one element is, or None."""
        array = self.graph.constants.get(value)
        return float(array.reshape(-1)[0]) \
            if array is not None and array.size == 1 else None

    def bind(self, tree, value, bound):
        name, what = tree, value
        if isinstance(tree, Array):
            if value not in self.graph.constants:
                return None
            name = tree.name
        if isinstance(tree, Scalar):
            what = self.number(value)
        if what is None or bound.get(name, what) != what:
            return None
        return {**bound, name: what}

    def match(self, tree, value, bound):
        """The bindings, those of `bound` among them, or None."""
        if isinstance(tree, (str, Array)):
            return self.bind(tree, value, bound)
        if isinstance(tree, float):
            number = self.number(value)
            near = number is not None and (
                number == tree or math.isclose(number, tree, rel_tol=1e-4))
            return bound if near else None
        node = self.producers.get(value)
        if node is None or node.op != tree[0] or node.outputs[0] != value:
            return None
        if isinstance(tree[-1], dict):
            if any(node.attributes.get(k) != v for k, v in tree[-1].items()):
                return None
            tree = tree[:-1]
        inputs = [name for name in node.inputs if name]
        orders = [inputs]
        if node.op in COMMUTATIVE and len(inputs) == 2:
            orders.append(inputs[::-1])
        found = (self.operands(tree[1:], order, bound) for order in orders)
        return next((each for each in found if each is not None), None)

    def operands(self, trees, values, bound):
        if len(trees) != len(values):
            return None
        for tree, value in zip(trees, values):
            bound = self.match(tree, value, bound)
            if bound is None:
                return None
        return bound
