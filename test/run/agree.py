#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run compiled programs and compare with the interpreter.

The interpreter runs here, artifacts where --run says: on this processor or an
emulated one. Each program is compiled for each processor and run
with one and with two threads; for those of --guards also with pages of nothing
above and below each buffer. For other inputs the outputs must be far away: one of
each program, and three in four of all. (An output of random operators may be the same
for any input: a comparison, the softmax of one element.) With --shrink, a network
that does not agree is made as small as it can be and still not agree. A file
without a function @main is a collection, as in test/unit/kernels: its functions
become one program."""

import argparse
import concurrent.futures
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

import agreement

# Integers below 3: some are indices.
INPUTS = ("--input", "random:3:3", "--output-dir")
# More than one: a few integers may be the same by chance.
OTHERS = tuple(("--input", f"random:{seed}:3", "--output-dir")
               for seed in (4, 5, 6))
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


class Reference:
    """The outputs that the interpreter gives. A line "// AGREE: bf16" in a
    program says how its f32 outputs were rounded before."""

    def __init__(self, source, folder, given):
        execute("tenon-run", "--interpret", source, *INPUTS, folder / "want")
        self.outputs, self.folder = agreement.read(folder / "want"), folder
        said = ROUNDED.search(source.read_text()) \
            if source.suffix == ".mlir" else None
        self.given = agreement.TOLERANCE[said[1]] if said else given
        self.forces = {}

    def wrong(self, command, threads):
        """What is wrong with the run of an artifact, one line each."""
        folder = self.folder / "got"
        execute(*command, *INPUTS, folder, "--threads", threads)
        got = agreement.read(folder)
        lines = [] if self.outputs else ["no outputs"]
        for name, (kind, want) in self.outputs.items():
            tolerance = agreement.tolerance_of(kind, self.given)
            text = agreement.disagreement(want, got[name][1], tolerance)
            if text:
                lines.append(f"{threads} threads: {name} {text}")
        return lines

    def measure(self, command):
        """How far away the farthest outputs for other inputs are."""
        for number, words in enumerate(OTHERS):
            folder = self.folder / f"other{number}"
            execute(*command, *words, folder)
            other = agreement.read(folder)
            for name, (kind, want) in self.outputs.items():
                tolerance = agreement.tolerance_of(kind, self.given)
                found = agreement.force(want, other[name][1], tolerance)
                self.forces[name] = max(self.forces.get(name, 0), found)

    def weak(self):
        """As wrong, of a program that could not but agree; and the outputs that
        are counted, far ones and all."""
        far = [name for name, found in self.forces.items()
               if found >= agreement.FORCE]
        lines = [] if far or not self.forces else [
            "no output is far from those for other inputs"]
        return lines, len(far), len(self.forces)


def build_and_run(arguments, source, cpu, guard, reference):
    options = [f"--mcpu={cpu}", *guard, *arguments.compile_option]
    with tempfile.TemporaryDirectory() as scratch:
        image = pathlib.Path(scratch) / "net.tenon"
        command = [*shlex.split(arguments.run.format(cpu=cpu)), image]
        try:
            execute("tenon-compile", source, "--quiet", "-o", image, *options)
            wrong = reference.wrong(command, 2)
            if not guard:
                wrong += reference.wrong(command, 1)
                if not reference.forces:
                    reference.measure(command)
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
    reference = Reference(source, scratch, arguments.tolerance)
    wrong, guarded = [], arguments.guards.split(",")
    for cpu in arguments.mcpu.split(","):
        for guard in ((), *zip(GUARDS)) if cpu in guarded else ((),):
            wrong += build_and_run(arguments, source, cpu, guard, reference)
    lines, far, count = reference.weak()
    arguments.counts.append((far, count))
    return wrong + lines


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
    arguments.counts, failed = [], False
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        results = pool.map(lambda one: verdict(arguments, one),
                           arguments.programs)
        for program, wrong in zip(arguments.programs, results):
            print(f"{program.name}: {'FAILED' if wrong else 'agrees'}")
            if wrong and arguments.shrink and program.suffix == ".onnx":
                wrong += write_small(arguments, program)
            print("".join(f"  {line}\n" for line in wrong), end="")
            failed = failed or bool(wrong)
    far, count = map(sum, zip(*arguments.counts or [(0, 0)]))
    print(f"{far} of {count} outputs are far from those for other inputs")
    return failed or far < 0.75 * count


if __name__ == "__main__":
    sys.exit(main())
