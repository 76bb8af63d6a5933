#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run onnx's node tests: one small model each, with inputs and outputs.

The tests named in the list must pass. A line is `name`, or `name frozen` where
all inputs but the first become constants, or `name constant` where all do:
shapes, axes and scales must be known at compile time. A line ends in
`symbolic` where the interpreter also runs the model with nothing known of the
first input's sizes and the other inputs constant, in `symbolic-native` where
native code does so too.

--symbolic runs those, instead of the models as they are. --update tries every
test and writes the list anew. --compile runs the models as native code, with
--mcpu and --run for another machine; the default is the interpreter. --device
runs them on a GPU; what has control flow or strings no GPU can run, which is
no failure, but counted."""

import argparse
import collections
import concurrent.futures
import os
import shlex
import subprocess
import sys
import tempfile
import typing

import onnx

MODES = ("", "frozen", "constant")
SYMBOLIC = ("symbolic", "symbolic-native")
# What passes, and what is the business of a host.
GOOD = ("pass", "host")
TOLERANCE = ("--rtol", "1e-3", "--atol", "1e-6")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", required=True, help="folder of the tests")
    parser.add_argument("--list", required=True, help="file of those to pass")
    parser.add_argument("--compile", action="store_true")
    parser.add_argument("--mcpu", default="native", metavar="NAME")
    parser.add_argument("--run", default="tenon-run", metavar="COMMAND",
                        help="runs an artifact")
    parser.add_argument("--device", metavar="NAME",
                        help="with --compile: for such a GPU, on one")
    parser.add_argument("--symbolic", action="store_true",
                        help="leave the sizes of the first input open")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--every", type=int, default=1, metavar="N",
                        help="only each Nth of the list")
    parser.add_argument("names", nargs="*", help="only these tests")
    return parser.parse_args()


class Entry(typing.NamedTuple):
    """A line of the list: the words after the name, or ""."""
    name: str
    mode: str
    symbolic: str


def read_line(line):
    name, *words = line.split()
    symbolic = words.pop() if words and words[-1] in SYMBOLIC else ""
    return Entry(name, words[0] if words else "", symbolic)


def read_list(path):
    with open(path, encoding="utf-8") as lines:
        return [read_line(line) for line in lines
                if line.strip() and not line.startswith("#")]


def read_tensor(path):
    tensor = onnx.TensorProto()
    with open(path, "rb") as file:
        tensor.ParseFromString(file.read())
    return tensor


def freeze(model, folder, keep):
    """Makes constants of all tensors among the inputs but the first `keep`."""
    for index, value in reversed(list(enumerate(model.graph.input))):
        path = os.path.join(folder, f"input_{index}.pb")
        if index < keep or not os.path.exists(path) \
                or not value.type.HasField("tensor_type"):
            continue
        tensor = read_tensor(path)
        tensor.name = value.name
        model.graph.initializer.append(tensor)
        del model.graph.input[index]


def leave_open(model):
    """Makes symbols of the first input's sizes; no other shape is told."""
    first = model.graph.input[0]
    for index, dim in enumerate(first.type.tensor_type.shape.dim):
        dim.dim_param = f"{first.name}_{index}"
    del model.graph.value_info[:]
    for value in model.graph.output:
        if value.type.HasField("tensor_type"):
            value.type.tensor_type.ClearField("shape")


def has_open_sizes(model):
    """Whether the first input is a tensor that has dimensions."""
    return bool(model.graph.input
                and model.graph.input[0].type.tensor_type.shape.dim)


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


def on_device(arguments):
    return [f"--device={arguments.device}"] if arguments.device else []


def run_test(name, mode, arguments, native):
    """`pass`, `fail`, `crash`, or `unsupported`, and why."""
    source = os.path.join(arguments.data, name, "model.onnx")
    folder = os.path.join(arguments.data, name, "test_data_set_0")
    if not os.path.isdir(folder):
        return "unsupported", "no data"
    model = onnx.load(source)
    if mode == "symbolic" and not has_open_sizes(model):
        return "unsupported", "no sizes to leave open"
    with tempfile.TemporaryDirectory() as scratch:
        if mode:
            freeze(model, folder, int(mode != "constant"))
            if mode == "symbolic":
                leave_open(model)
            source = os.path.join(scratch, "model.onnx")
            onnx.save(model, source)
        status, text = 0, ""
        command = ["tenon-run", "--interpret", source]
        if native:
            image = os.path.join(scratch, "model.tenon")
            status, text = execute(["tenon-compile", source, "-o", image,
                                    f"--mcpu={arguments.mcpu}",
                                    *on_device(arguments)])
            command = [*shlex.split(arguments.run), image]
            if arguments.device:
                command.append("--device=cuda")
        if status == 0:
            command += tensor_flags("--input", model.graph.input, folder,
                                    "input")
            command += tensor_flags("--expect", model.graph.output, folder,
                                    "output")
            status, text = execute([*command, *TOLERANCE])
    if status == 0:
        return "pass", ""
    if arguments.device and "devices cannot have control flow" in text:
        return "host", ""
    if status != 1:
        return "crash", text
    return ("fail" if "DIFFERS" in text else "unsupported"), text


def first_passing_mode(name, arguments):
    """The mode to list a test with, and its result."""
    result = ()
    for mode in MODES:
        result = run_test(name, mode, arguments, arguments.compile)
        if result[0] != "unsupported":
            return mode, *result
    return "", *result


def symbolic_word(name, arguments):
    """What to list of a test with open sizes, and its result."""
    word, result = "", ()
    for next_word, native in zip(SYMBOLIC, (False, True)):
        result = run_test(name, "symbolic", arguments, native)
        if result[0] != "pass":
            break
        word = next_word
    return word, *result


def try_test(name, arguments):
    """The entry to list, or None; and (name, status, why) of what was run."""
    mode, status, text = first_passing_mode(name, arguments)
    if status != "pass":
        return None, [(name, status, text)]
    word, *result = symbolic_word(name, arguments)
    return Entry(name, mode, word), [(name, status, text),
                                     (f"{name} symbolic", *result)]


def map_tests(function, names, jobs):
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        return list(pool.map(function, names))


def update(arguments, names):
    """Tries every test; keeps the comment at the head of the list."""
    tried = map_tests(lambda name: try_test(name, arguments), names,
                      arguments.jobs)
    with open(arguments.list, encoding="utf-8") as lines:
        head = [line for line in lines if line.startswith("#")]
    with open(arguments.list, "w", encoding="utf-8") as file:
        file.writelines(head)
        for entry, _ in tried:
            if entry:
                file.write(" ".join(filter(None, entry)) + "\n")
    return [result for _, results in tried for result in results]


def listed(arguments):
    """(name, mode) of the tests to run."""
    entries = [entry for entry in read_list(arguments.list)
               if not arguments.names or entry.name in arguments.names]
    if arguments.symbolic:
        words = SYMBOLIC[int(arguments.compile):]
        return [(entry.name, "symbolic") for entry in entries
                if entry.symbolic in words]
    return [(entry.name, entry.mode) for entry in entries]


def check(arguments):
    tests = listed(arguments)[::arguments.every]
    results = map_tests(
        lambda test: run_test(*test, arguments, arguments.compile), tests,
        arguments.jobs)
    return [(name, *result) for (name, _), result in zip(tests, results)]


def main():
    arguments = options()
    if arguments.update:
        names = arguments.names or sorted(os.listdir(arguments.data))
        results = update(arguments, names)
    else:
        results = check(arguments)
    counts = collections.Counter(status for _, status, _ in results)
    for name, status, text in results:
        if status in ("fail", "crash") or (
                status not in GOOD and not arguments.update):
            print(f"{name}: {status}: {text}")
    print(", ".join(f"{count} {status}"
                    for status, count in sorted(counts.items())))
    bad = len(results) - sum(counts[status] for status in GOOD)
    return 1 if not results or (bad and not arguments.update) else 0


if __name__ == "__main__":
    sys.exit(main())
