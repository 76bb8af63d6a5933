#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run onnx's node tests: one small model each, with inputs and outputs.

The tests named in the list must pass. A line is `name`, or `name frozen` where
all inputs but the first become constants, or `name constant` where all do:
shapes, axes and scales must be known at compile time.

--update tries every test and writes the list anew. --compile runs the models
as native code, with --mcpu and --run for another machine; the default is the
interpreter."""

import argparse
import collections
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile

import onnx

MODES = ("", "frozen", "constant")
TOLERANCE = ("--rtol", "1e-3", "--atol", "1e-6")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of the tests")
    parser.add_argument("--list", required=True, help="file of those to pass")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--mcpu", default="native", metavar="NAME")
    parser.add_argument("--run", default="tenon-run", metavar="COMMAND",
                        help="runs an artifact")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only each Nth of the list")
    parser.add_argument("names", nargs="*", help="only these tests")
    return parser.parse_args()


def read_list(path):
    with open(path, encoding="utf-8") as lines:
        return [tuple((line.split() + [""])[:2]) for line in lines
                if line.strip() and not line.startswith("#")]


def read_tensor(path):
    tensor = onnx.TensorProto()
    with open(path, "rb") as file:
        tensor.ParseFromString(file.read())
    return tensor


def freeze(model, folder, keep):
    """Makes constants of all inputs but the first `keep`."""
    for index, value in reversed(list(enumerate(model.graph.input))):
        path = os.path.join(folder, f"input_{index}.pb")
        if index < keep or not os.path.exists(path):
            continue
        tensor = read_tensor(path)
        tensor.name = value.name
        model.graph.initializer.append(tensor)
        del model.graph.input[index]


def tensor_flags(flag, values, folder, stem):
    """--input or --expect of each tensor of which the test has a file."""
    flags = []
    for index, value in enumerate(values):
        path = os.path.join(folder, f"{stem}_{index}.pb")
        if os.path.exists(path):
            flags += [flag, f"{value.name}={path}"]
    return flags


def execute(command):
    """The exit status and the text of a program."""
    try:
        done = subprocess.run(command, capture_output=True, text=True,
                              timeout=120, errors="replace")
    except subprocess.TimeoutExpired:
        return 124, "timeout"
    return done.returncode, (done.stdout + done.stderr).strip()


def run_test(name, mode, arguments):
    """`pass`, `fail`, `crash`, or `unsupported`, and why."""
    source = os.path.join(arguments.data, name, "model.onnx")
    folder = os.path.join(arguments.data, name, "test_data_set_0")
    if not os.path.isdir(folder):
        return "unsupported", "no data"
    model = onnx.load(source)
    with tempfile.TemporaryDirectory() as scratch:
        if mode:
            freeze(model, folder, int(mode == "frozen"))
            source = os.path.join(scratch, "model.onnx")
            onnx.save(model, source)
        status, text = 0, ""
        command = ["tenon-run", "--interpret", source]
        if arguments.compile:
            image = os.path.join(scratch, "model.tenon")
            status, text = execute(["tenon-compile", source, "-o", image,
                                    f"--mcpu={arguments.mcpu}"])
            command = [*shlex.split(arguments.run), image]
        if status == 0:
            command += tensor_flags("--input", model.graph.input, folder,
                                    "input")
            command += tensor_flags("--expect", model.graph.output, folder,
                                    "output")
            status, text = execute([*command, *TOLERANCE])
    if status == 0:
        return "pass", ""
    if status != 1:
        return "crash", text
    return ("fail" if "DIFFERS" in text else "unsupported"), text


def first_passing_mode(name, arguments):
    """The mode to list a test with, and its result."""
    result = ()
    for mode in MODES:
        result = run_test(name, mode, arguments)
        if result[0] != "unsupported":
            return mode, *result
    return "", *result


def map_tests(function, names, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(function, names))


def update(arguments, names):
    """Tries every test; keeps the comment at the head of the list."""
    results = map_tests(
        lambda name: (name, *first_passing_mode(name, arguments)), names,
        arguments.jobs)
    with open(arguments.list, encoding="utf-8") as lines:
        head = [line for line in lines if line.startswith("#")]
    with open(arguments.list, "w", encoding="utf-8") as file:
        file.writelines(head)
        for name, mode, status, _ in results:
            if status == "pass":
                file.write(f"{name} {mode}".rstrip() + "\n")
    return [(name, status, text) for name, _, status, text in results]


def check(arguments, tests):
    return [(name, status, text) for (name, _), (status, text) in zip(
        tests, map_tests(lambda test: run_test(*test, arguments), tests,
                         arguments.jobs))]


def main():
    arguments = options()
    if arguments.update:
        names = arguments.names or sorted(os.listdir(arguments.data))
        results = update(arguments, names)
    else:
        tests = [test for test in read_list(arguments.list)
                 if not arguments.names or test[0] in arguments.names]
        results = check(arguments, tests[::arguments.every])
    counts = collections.Counter(status for _, status, _ in results)
    for name, status, text in results:
        if status in ("fail", "crash") or (
                status != "pass" and not arguments.update):
            print(f"{name}: {status}: {text}")
    print(", ".join(f"{count} {status}"
                    for status, count in sorted(counts.items())))
    bad = len(results) - counts["pass"]
    return 1 if not results or (bad and not arguments.update) else 0


if __name__ == "__main__":
    sys.exit(main())
