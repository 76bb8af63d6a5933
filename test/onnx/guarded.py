#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run models with --guard-memory and compare with their normal runs.

Each program is compiled three times: as always, with guards above and with
guards below. The guarded ones must end without a fault and write the same
bytes, those of networks other ones for other inputs. The programs: onnx's node tests (--every N: each Nth), the graphs of
test/models made small, and with --large those of test/bench/models.py whose
files are there already; nothing is made or fetched."""

import argparse
import concurrent.futures
import filecmp
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile

import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path += [str(ROOT / "test" / folder)
             for folder in ("onnx", "bench", "run")]
node_tests = importlib.import_module("node-tests")
models = importlib.import_module("models")
agreement = importlib.import_module("agreement")

# As the tests agree-*.test make them.
SMALL = {"resnet50": "1x3x32x32", "mobilenet_v2": "1x3x32x32",
         "mobilenet_v3_large": "1x3x32x32", "efficientnet_b0": "1x3x32x32",
         "convnext_tiny": "1x3x32x32", "squeezenet1_1": "1x3x32x32",
         "randwire": "1x3x64x64", "inception_v3": "1x3x75x75",
         "lstm_t128": "4x1x256"}
SIDES = ("above", "below")


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--bin", default="", metavar="DIR",
                        help="folder of tenon-compile and tenon-run")
    parser.add_argument("--mcpu", default="native", metavar="NAME",
                        help="compile for another processor that this one is")
    parser.add_argument("--every", type=int, default=1, metavar="N")
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--tally", type=pathlib.Path,
                        help="write PASSED FAILED SKIPPED to this file")
    parser.add_argument("names", nargs="*", help="only these programs")
    return parser.parse_args()


class Program:
    """A model, how to compile it and what to run it on."""

    def __init__(self, name, make, shapes=(), slow=False):
        self.name, self.make, self.shapes = name, make, shapes
        self.timeout = 1800 if slow else 120
        self.cpu = "native"
        #: Of a network: for these its results must be others.
        self.others = ()

    def execute(self, command):
        try:
            done = subprocess.run(command, capture_output=True, text=True,
                                  timeout=self.timeout, errors="replace")
        except subprocess.TimeoutExpired:
            return 124, "timeout"
        return done.returncode, (done.stdout + done.stderr).strip()

    def run(self, source, inputs, folder, side):
        """The status and text of compiling and running on one side."""
        image = folder / f"{side}.tenon"
        command = ["tenon-compile", source, "--quiet", "-o", image,
                   f"--mcpu={self.cpu}"]
        if side in SIDES:
            command.append(f"--guard-memory={side}")
        for name, dims in self.shapes:
            command += ["--shape", f"{name}={'x'.join(map(str, dims))}"]
        status, text = self.execute(command)
        if status == 0:
            status, text = self.execute(
                ["tenon-run", image, "--output-dir", folder / side,
                 "--threads", "2", *inputs])
        image.unlink(missing_ok=True)
        return status, text

    def check(self):
        """[(name, verdict, why)] of the guarded runs."""
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            source, inputs = self.make(folder)
            status, _ = self.run(source, inputs, folder, "normal")
            if status:
                return [(self.name, "skipped", "does not run unguarded")]
            results = self.check_force(source, folder)
            for side in SIDES:
                status, text = self.run(source, inputs, folder, side)
                if status == 0:
                    text = difference(folder / "normal", folder / side)
                verdict = "failed" if status or text else "passed"
                results.append((f"{self.name} {side}", verdict, text))
            return results

    def check_force(self, source, folder):
        """As check, of the same bytes for any input."""
        if not self.others:
            return []
        status, text = self.run(source, self.others, folder, "other")
        if status == 0:
            want, other = (agreement.read(folder / each)
                           for each in ("normal", "other"))
            text = ", ".join(agreement.compare(want, want, other)[0])
        verdict = "failed" if status or text else "passed"
        return [(f"{self.name} other input", verdict, text)]


def difference(left, right):
    """What differs between two folders of outputs, or ""."""
    names = sorted(os.listdir(left))
    _, different, missing = filecmp.cmpfiles(left, right, names, False)
    return ", ".join(f"output {name} differs" for name in different + missing)


def node_programs(every):
    data = models.CACHE / "onnx-1.22.0-src/onnx/backend/test/data/node"
    for name, mode, _ in node_tests.read_list(
            ROOT / "test/onnx/expected-pass.txt")[::every]:
        folder = data / name / "test_data_set_0"

        def make(scratch, name=name, mode=mode, folder=folder):
            model = onnx.load(data / name / "model.onnx")
            if mode:
                node_tests.freeze(model, folder, int(mode == "frozen"))
            onnx.save(model, scratch / "model.onnx")
            return scratch / "model.onnx", node_tests.tensor_flags(
                "--input", model.graph.input, folder, "input")

        if folder.is_dir():
            yield Program(name, make)


def small_programs():
    for name, shape in SMALL.items():
        def make(scratch, name=name, shape=shape):
            subprocess.run([sys.executable, "-B",
                            ROOT / "test/models/shrink.py", name,
                            f"x={shape}", scratch / "model.onnx"],
                           check=True, capture_output=True)
            return scratch / "model.onnx", ["--input", "random:1"]
        yield network(Program(f"small {name}", make))


def network(program):
    program.others = ["--input", "random:2"]
    return program


def large_programs():
    for model in models.MODELS:
        if model.made():
            yield network(Program(model.name, lambda _, model=model: (
                model.path(), ["--input", "random:1"]), model.shapes, True))


def main():
    arguments = options()
    if arguments.bin:
        os.environ["PATH"] = arguments.bin + os.pathsep + os.environ["PATH"]
    programs = [*node_programs(arguments.every), *small_programs()]
    if arguments.large:
        programs += large_programs()
    if arguments.names:
        programs = [p for p in programs if p.name in arguments.names]
    for program in programs:
        program.cpu = arguments.mcpu
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for results in pool.map(Program.check, programs):
            for name, verdict, why in results:
                counts[verdict] += 1
                if verdict == "failed":
                    print(f"  FAILED {name}: {why}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in counts.items()))
    if arguments.tally:
        arguments.tally.write_text(" ".join(map(str, counts.values())) + "\n",
                                   encoding="utf-8")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
