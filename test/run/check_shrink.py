#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Check that networks shrink to what makes them wrong, and to nothing less.

What is wrong is made up: two operators one behind the other, or side by side."""

import itertools
import sys

import onnx

from networks import groups
from networks.network import Network
from shrink import shrink


def network(seed):
    net = Network(seed)
    groups.start(net)
    net.grow(groups.operators(net), net.between(15, 25))
    return net.model("net") if net.finish() else None


def operators(model):
    return [node.op_type for node in model.graph.node]


def follows(first, second):
    """Whether one operator reads another's value."""
    def is_wrong(model):
        made = {name for node in model.graph.node if node.op_type == first
                for name in node.output}
        return any(node.op_type == second and made & set(node.input)
                   for node in model.graph.node)
    return is_wrong


def have(*kinds):
    def is_wrong(model):
        return all(kind in operators(model) for kind in kinds)
    return is_wrong


CASES = ((have("Softmax"), ["Softmax"]),
         (have("Concat", "Transpose"), ["Concat", "Transpose"]),
         (follows("Slice", "Add"), ["Add", "Slice"]),
         (follows("Transpose", "MatMul"), ["MatMul", "Transpose"]))


def check(is_wrong, expected, count=3):
    """What is left of networks that are wrong, one line where it is too much."""
    wrong = (model for seed in itertools.count()
             if (model := network(seed)) and is_wrong(model))
    for model in itertools.islice(wrong, count):
        small = shrink(model, is_wrong)
        onnx.checker.check_model(small)
        left = sorted(operators(small))
        if left != expected or not is_wrong(small):
            print(f"{expected}: {len(operators(model))} operators become "
                  f"{left}")
            yield left


def main():
    found = [left for case in CASES for left in check(*case)]
    print("networks shrink" if not found else f"{len(found)} do not shrink")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
