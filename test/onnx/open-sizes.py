#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run onnx's node tests with open sizes, as native code.

Modes: `first` and `all` leave open the extents of the first input, or of all
inputs but lists of integers, which often are shapes; `none` leaves the model as
it is, with shapes, axes and scales as data. Every test that passes with fixed
sizes must pass, but those of the list: a line is `name mode mode...`, and such
a one must be refused, by the name of a node, not be wrong. --update writes the
list anew."""

import argparse
import collections
import concurrent.futures
import importlib
import os
import sys
import tempfile

import onnx

node_tests = importlib.import_module("node-tests")

MODES = ("first", "all", "none")
INTEGERS = (onnx.TensorProto.INT32, onnx.TensorProto.INT64)


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of the tests")
    parser.add_argument("--list", required=True,
                        help="file of those that pass with fixed sizes")
    parser.add_argument("--refused", required=True, help="file of the others")
    parser.add_argument("--mode", action="append", choices=MODES,
                        help="default: all three")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only each Nth test")
    parser.add_argument("names", nargs="*", help="only these tests")
    return parser.parse_args()


def leave_open(model, mode):
    """Makes symbols of sizes, and tells no other; whether there were any."""
    count = 0
    inputs = list(model.graph.input)
    for value in inputs[:1] if mode == "first" else inputs:
        tensor = value.type.tensor_type
        if tensor.elem_type in INTEGERS and len(tensor.shape.dim) == 1:
            continue
        for dim in tensor.shape.dim:
            if dim.HasField("dim_value"):
                dim.dim_param = f"s{count}"
                count += 1
    for value in model.graph.output:
        for dim in value.type.tensor_type.shape.dim:
            dim.Clear()
    del model.graph.value_info[:]
    return count > 0


def has_tensors(model):
    """Whether all it takes and makes are tensors of numbers."""
    values = [*model.graph.input, *model.graph.output]
    return all(value.type.HasField("tensor_type")
               and value.type.tensor_type.elem_type != onnx.TensorProto.STRING
               for value in values)


def run_test(name, mode, data):
    """`pass`, `wrong`, `refused`, `crash` or `left out`, and why."""
    folder = os.path.join(data, name, "test_data_set_0")
    source = os.path.join(data, name, "model.onnx")
    if not os.path.isdir(folder):
        return "left out", "no data"
    model = onnx.load(source)
    if not has_tensors(model):
        return "left out", "no tensors"
    if mode != "none" and not leave_open(model, mode):
        return "left out", "no sizes to leave open"
    with tempfile.TemporaryDirectory() as scratch:
        image = os.path.join(scratch, "model.tenon")
        source = os.path.join(scratch, "model.onnx")
        onnx.save(model, source)
        status, text = node_tests.execute(
            ["tenon-compile", source, "-o", image, "--quiet"])
        if status == 0:
            flags = node_tests.tensor_flags(
                "--input", model.graph.input, folder, "input")
            flags += node_tests.tensor_flags(
                "--expect", model.graph.output, folder, "output")
            status, text = node_tests.execute(
                ["tenon-run", image, *flags, *node_tests.TOLERANCE])
    if status == 0:
        return "pass", ""
    if "DIFFERS" in text:
        return "wrong", text
    named = "node '" in text or "input '" in text
    return ("refused" if status in (1, 2) and named else "crash"), text


def read_refused(path):
    with open(path, encoding="utf-8") as lines:
        return {(name, mode) for line in lines
                if line.strip() and not line.startswith("#")
                for name, *modes in [line.split()] for mode in modes}


def write_refused(path, results):
    """Keeps the comment at the head of the list."""
    refused = collections.defaultdict(list)
    for name, mode, status, _ in results:
        if status == "refused":
            refused[name].append(mode)
    with open(path, encoding="utf-8") as lines:
        head = [line for line in lines if line.startswith("#")]
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(head)
        for name, modes in sorted(refused.items()):
            file.write(" ".join((name, *modes)) + "\n")


def main():
    arguments = options()
    names = arguments.names or [
        entry.name for entry in node_tests.read_list(arguments.list)]
    tests = [(name, mode) for mode in arguments.mode or MODES
             for name in names[::arguments.every]]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = [(*test, *result) for test, result in zip(tests, pool.map(
            lambda test: run_test(*test, arguments.data), tests))]
    expected = read_refused(arguments.refused)
    bad = 0
    for name, mode, status, text in results:
        fine = status in ("pass", "left out") or (
            status == "refused" and (arguments.update
                                     or (name, mode) in expected))
        bad += not fine
        if not fine:
            print(f"{name} {mode}: {status}: {text}")
    for mode in arguments.mode or MODES:
        counts = collections.Counter(status for _, own, status, _ in results
                                     if own == mode)
        print(f"{mode}: " + ", ".join(
            f"{count} {status}" for status, count in sorted(counts.items())))
    if arguments.update:
        write_refused(arguments.refused, results)
    return 1 if bad or not results else 0


if __name__ == "__main__":
    sys.exit(main())
