#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run compiled programs and compare with the interpreter.

The interpreter runs here, artifacts where --run says: on this processor or an
emulated one. Each program is compiled for each processor and run
with one and with two threads; for those of --guards also with pages of nothing
above and below each buffer. With --shrink, a network that does not agree is
made as small as it can be and still not agree. A file without a function @main is a collection, as in
test/unit/kernels: its functions become one program."""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import numpy

# Errors over the largest element of an output; integers are the same. A line
# "// AGREE: bf16" in a program says how its f32 outputs were rounded before.
TOLERANCE = {"f64": 1e-10, "f32": 1e-4, "f16": 4e-3, "bf16": 2e-2}
# Integers below 3: some are indices.
INPUTS = ("--input", "random:3:3", "--output-dir")
GUARDS = ("--guard-memory=above", "--guard-memory=below")
UNGUARDED = "buffers cannot be guarded in a model of several programs"
FUNCTION = re.compile(
    r"func\.func @(\w+)\((.*?)\) -> \(?(.*?)\)? \{\n(.*?)"
    r"\n  return (.*?) : [^\n]*\n\}", re.DOTALL)
TENSOR = re.compile(r"tensor<[^>]*>")
ROUNDED = re.compile(r"^// AGREE: (\w+)$", re.MULTILINE)


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--run", required=True, metavar="COMMAND",
                        help="runs an artifact; {cpu} is the processor")
    parser.add_argument("--mcpu", required=True, metavar="NAME,NAME")
    parser.add_argument("--compile-option", action="append", default=[],
                        metavar="OPTION", help="for tenon-compile")
    parser.add_argument("--guards", default="", metavar="NAME,NAME",
                        help="those of --mcpu with guarded memory, too")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tolerance", type=float, metavar="NUMBER",
                        help="for f32, where programs compute with less")
    parser.add_argument("--shrink", type=pathlib.Path, metavar="FOLDER",
                        help="writes small networks that do not agree")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def merged(text):
    """One @main of all functions of a collection."""
    functions = FUNCTION.findall(text)
    if len(functions) != text.count("func.func"):
        raise RuntimeError("the functions are not written as expected")
    arguments, body, values, types = [], [], [], []
    rename = re.compile(r"%(?=\w)").sub
    for name, given, results, code, returned in functions:
        own = f"%{name}_"
        arguments += [f'%{value}: {kind} {{onnx.name = "{value}"}}'
                      for value, kind in re.findall(
                          r"%(\w+): (tensor<[^>]*>)", rename(own, given))]
        body.append(rename(own, code))
        values += rename(own, returned).split(", ")
        types += TENSOR.findall(results)
    named = [f'{kind} {{onnx.name = "y{i}"}}' for i, kind in enumerate(types)]
    return (f"func.func @main({', '.join(arguments)}) -> ({', '.join(named)})"
            " {\n" + "\n".join(body) +
            f"\nreturn {', '.join(values)} : {', '.join(types)}\n}}\n")


def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=300,
                          capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise RuntimeError((done.stdout + done.stderr).strip())
    return done.stdout


def read(path, kind):
    values = numpy.load(path)
    if kind == "bf16":
        return (values.astype(numpy.uint32) << 16).view(numpy.float32)
    return values


def difference(want, got, kind, rounded):
    """Why two outputs do not agree, or ""."""
    if kind not in TOLERANCE:
        return "" if numpy.array_equal(want, got) else "differs"
    want, got = want.astype(numpy.float64), got.astype(numpy.float64)
    finite = numpy.isfinite(want)
    if not numpy.array_equal(want[~finite], got[~finite], equal_nan=True):
        return "differs where it is not finite"
    if not finite.any():
        return ""
    scale = numpy.abs(want[finite]).max() or 1.0
    error = numpy.abs(want[finite] - got[finite]).max() / scale
    bound = TOLERANCE[rounded if kind == "f32" and rounded else kind]
    return "" if error <= bound else f"error {error:.2g}"


def kinds(signature):
    """The element type of each output, by its name."""
    short = {"float64": "f64", "float32": "f32", "float16": "f16",
             "bfloat16": "bf16"}
    found = re.findall(r"^output +(.+): (\w+) \[", signature, re.MULTILINE)
    return {name: short.get(kind, kind) for name, kind in found}


def run(command, threads, want, rounded):
    """What is wrong with the run of an artifact, one line each."""
    types, wrong = kinds(execute(*command, "--signature")), []
    with tempfile.TemporaryDirectory() as folder:
        execute(*command, *INPUTS, folder, "--threads", threads)
        for name, kind in types.items():
            file = name + ".npy"
            text = difference(read(want / file, kind),
                              read(pathlib.Path(folder) / file, kind), kind,
                              rounded)
            if text:
                wrong.append(f"{threads} threads: {name} {text}")
    return wrong if types else ["no outputs"]


def build_and_run(arguments, source, cpu, guard, want):
    is_text = source.suffix == ".mlir"
    said = ROUNDED.search(source.read_text()) if is_text else None
    rounded = said and said[1]
    options = [f"--mcpu={cpu}", *guard, *arguments.compile_option]
    with tempfile.TemporaryDirectory() as scratch:
        image = pathlib.Path(scratch) / "net.tenon"
        command = [*shlex.split(arguments.run.format(cpu=cpu)), image]
        try:
            execute("tenon-compile", source, "--quiet", "-o", image, *options)
            wrong = run(command, 2, want, rounded)
            if not guard:
                wrong += run(command, 1, want, rounded)
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            # Control flow has no guards yet.
            wrong = [] if guard and UNGUARDED in str(error) else [str(error)]
    return [f"{' '.join(options)}: {line}" for line in wrong]


def check(arguments, program, scratch):
    """What is wrong with a program, one line each."""
    source = program
    if program.suffix == ".mlir" and "@main" not in program.read_text():
        source = scratch / program.name
        source.write_text(merged(program.read_text()))
    want = scratch / "want"
    execute("tenon-run", "--interpret", source, *INPUTS, want)
    wrong, guarded = [], arguments.guards.split(",")
    for cpu in arguments.mcpu.split(","):
        for guard in ((), *zip(GUARDS)) if cpu in guarded else ((),):
            wrong += build_and_run(arguments, source, cpu, guard, want)
    return wrong


def verdict(arguments, program):
    with tempfile.TemporaryDirectory() as scratch:
        try:
            return check(arguments, program, pathlib.Path(scratch))
        except (RuntimeError, subprocess.TimeoutExpired) as error:
            return [str(error)]


def symptom(arguments, program):
    """The first thing wrong, without numbers and names; "" where nothing is, or where
    the interpreter has no answer either."""
    try:
        with tempfile.TemporaryDirectory() as scratch:
            wrong = check(arguments, program, pathlib.Path(scratch))
    except (RuntimeError, subprocess.TimeoutExpired):
        return ""
    text = wrong[0].replace(str(program), "").splitlines()[0] if wrong else ""
    return re.sub(r"y?\d[\d.e+-]*", "N", text)


def write_small(arguments, program):
    """Where the small network lies, and what it is."""
    import onnx
    import shrink
    arguments.shrink.mkdir(parents=True, exist_ok=True)
    path = arguments.shrink / program.name
    wanted = symptom(arguments, program)
    if not wanted:
        return []

    def is_wrong(model):
        onnx.save(model, path)
        return symptom(arguments, path) == wanted
    small = shrink.shrink(onnx.load(program), is_wrong)
    onnx.save(small, path)
    return [f"small: {path}", *onnx.printer.to_text(small).splitlines()]


def main():
    arguments = options()
    if arguments.tolerance:
        TOLERANCE["f32"] = arguments.tolerance
    failed = False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda one: verdict(arguments, one),
                           arguments.programs)
        for program, wrong in zip(arguments.programs, results):
            print(f"{program.name}: {'FAILED' if wrong else 'agrees'}")
            if wrong and arguments.shrink and program.suffix == ".onnx":
                wrong += write_small(arguments, program)
            print("".join(f"  {line}\n" for line in wrong), end="")
            failed = failed or bool(wrong)
    return failed


if __name__ == "__main__":
    sys.exit(main())
