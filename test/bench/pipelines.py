# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure chains of operators against ONNX Runtime, OpenVINO and Halide.

Of `programs/`: images (stencils over 2048x2048, also in Halide, scheduled by
its autoschedulers Mullapudi2016 and Adams2019, of which the faster counts),
recurrent (layers and loops), parts (softmax, normalisations, attention,
element-wise chains out of cache) and streams (chains of these that memory
bounds). The engines run in turn in one process, pinned to as many processors as
there are threads; a figure is the median, and all must agree with ONNX Runtime.
`--fusion MODE...` also compiles with these; `--copy` copies as many bytes as
the inputs and outputs have, half of them read and half written: what a program
takes that reads and writes nothing else."""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import traceback

import figures
from figures import ROOT

SCHEDULERS = ("Mullapudi2016", "Adams2019")
PEERS = ("onnxruntime", "openvino", "halide")


def programs():
    """{group: {name: Program}}."""
    from programs import images, parts, recurrent, streams
    return {"images": images.PROGRAMS, "recurrent": recurrent.PROGRAMS,
            "parts": parts.PROGRAMS, "streams": streams.PROGRAMS}


class Copy:
    """As many bytes read as written, together those of all inputs and outputs,
    in a piece for each thread."""

    def __init__(self, outputs, inputs, threads):
        import concurrent.futures
        import engines
        both = [*inputs.values(), *outputs.values()]
        half = sum(array.nbytes for array in both) // 2 // threads
        self.pool = concurrent.futures.ThreadPoolExecutor(threads)
        self.pieces = [(engines.aligned(half, "u1"), engines.aligned(half, "u1"))
                       for _ in range(threads)]

    def run(self):
        import numpy
        list(self.pool.map(lambda piece: numpy.copyto(*piece), self.pieces))


class Halide:
    """A pipeline that one of the autoschedulers has scheduled."""

    def __init__(self, program, scheduler, inputs, threads):
        import halide as hl
        import numpy
        hl.load_plugin(str(pathlib.Path(hl.__file__).parent / "lib64" /
                           f"libautoschedule_{scheduler.lower()}.so"))
        parameters, func = program.halide()
        target = hl.get_host_target()
        options = {"parallelism": str(threads)}
        hl.Pipeline(func).apply_autoscheduler(
            target, hl.AutoschedulerParams(scheduler, options))
        # Halide counts dimensions from the innermost on.
        first = next(iter(inputs.values()))
        channels = 1 if "harris" in str(program.make) else first.shape[1]
        self.result = numpy.zeros((1, channels, *first.shape[2:]),
                                  numpy.float32)
        self.call = func.compile_to_callable(parameters, target)
        self.arguments = [hl.Buffer(array[0], reverse_axes=True)
                          for array in inputs.values()]
        self.arguments.append(hl.Buffer(self.result[0], reverse_axes=True))

    def run(self):
        self.call(*self.arguments)

    def outputs(self):
        return {"": self.result}


def random_inputs(path):
    import engines
    import numpy
    import onnx
    generator, inputs = numpy.random.default_rng(7), {}
    for value in onnx.load(path).graph.input:
        dims = [d.dim_value for d in value.type.tensor_type.shape.dim]
        inputs[value.name] = engines.aligned(dims, numpy.float32)
        generator.random(dims, numpy.float32, inputs[value.name])
    return inputs


def load(program, job):
    """{engine: what runs}; those that cannot are named and left out."""
    import engines
    makers = {name: lambda name=name: engines.make(name, job)
              for name in job["engines"] if name != "halide"}
    makers |= {name: lambda path=path: engines.make(
        "tenon", {**job, "artifact": path})
        for name, path in job["modes"].items()}
    if program.halide and "halide" in job["engines"]:
        makers |= {name: lambda name=name: Halide(
            program, name, job["inputs"], job["threads"])
            for name in SCHEDULERS}
    loaded = {}
    for name, make in makers.items():
        try:
            loaded[name] = make()
            loaded[name].run()
        except Exception as error:  # a peer's own
            print(f"{job['name']}: {name}: {error}", file=sys.stderr)
            loaded.pop(name, None)
    if job["copy"] and "tenon" in loaded:
        loaded["copy"] = Copy(loaded["tenon"].outputs(), job["inputs"],
                              job["threads"])
    return loaded


def inside(array, margin):
    return array[..., margin:-margin, margin:-margin] if margin else array


def agreement(loaded, margin):
    """{engine: its largest error over the scale}, by the outputs of ONNX
    Runtime; infinite where it does not agree."""
    import measure
    errors = {}
    outputs = {name: engine.outputs() for name, engine in loaded.items()
               if name != "copy"}
    wanted = {name: inside(array, margin)
              for name, array in outputs.pop("onnxruntime").items()}
    for name, found in outputs.items():
        if "" in found:
            found = {next(iter(wanted)): found[""]}
        agrees, error = measure.compare(
            {key: inside(array, margin) for key, array in found.items()},
            wanted)
        errors[name] = error if agrees else float("inf")
    return errors


def child(job):
    os.environ["HL_NUM_THREADS"] = str(job["threads"])
    os.sched_setaffinity(0, job["processors"])
    import measure
    program = programs()[job["group"]][job["name"]]
    job["inputs"] = random_inputs(job["path"])
    loaded = load(program, job)
    times = measure.alternate(loaded, job["budget"])
    print("\n" + json.dumps({
        "times": {n: measure.statistics(v) for n, v in times.items()},
        "errors": agreement(loaded, program.margin)}), flush=True)
    # Engines may crash while Python takes them down; the result is out.
    os._exit(0)


def measure_program(given, group, name, files, threads):
    path, artifact, modes = files
    job = {"group": group, "name": name, "path": str(path),
           "artifact": str(artifact), "modes": modes, "copy": given.copy,
           "build": str(given.build_dir),
           "threads": threads, "budget": given.seconds,
           "engines": ["tenon", *given.peers],
           "processors": sorted(os.sched_getaffinity(0))[:threads]}
    run = subprocess.run([sys.executable, "-B", __file__, "--child"],
                         input=json.dumps(job), stdout=subprocess.PIPE,
                         text=True, check=False)
    lines = run.stdout.strip().splitlines()
    return json.loads(lines[-1]) if lines and not run.returncode else None


def rows(threads, shape, name, result):
    """The better scheduler stands for Halide."""
    times = {engine: each["median_ms"]
             for engine, each in result["times"].items()}
    ours = times.pop("tenon")
    chosen = {s: times.pop(s) for s in SCHEDULERS if s in times}
    if chosen:
        times["Halide"] = min(chosen.values())
    yield (threads, shape, name, "", f"{ours:.3f}", "ms")
    for peer, theirs in times.items():
        yield (threads, shape, name, peer, f"{ours / theirs:.2f}", "ratio")
    for scheduler, theirs in chosen.items():
        yield (threads, shape, name, f"Halide, {scheduler}",
               f"{ours / theirs:.2f}", "ratio")


def text_of(threads, name, result):
    """Medians, and minima in parentheses."""
    times = " ".join(f"{engine} {each['median_ms']:.3f} "
                     f"({each['min_ms']:.3f})"
                     for engine, each in result["times"].items())
    worst = max(result["errors"].values())
    return f"{name}, {threads} threads: {times} ms; error {worst:.0e}"


def compile_program(given, program, folder):
    import onnx
    path = folder / "program.onnx"
    onnx.save(program.make(), path)

    def compile_as(name, *options):
        artifact = folder / f"{name}.tenon"
        subprocess.run([given.build_dir / "bin" / "tenon-compile", path, "-o",
                        artifact, "--quiet", *given.compile, *options],
                       check=True)
        return str(artifact)

    modes = {f"--fusion={mode}": compile_as(mode, f"--fusion={mode}")
             for mode in given.fusion}
    return path, compile_as("program"), modes


def measure_all(given, folder):
    """(all rows, whether everything agreed)."""
    out, good = [], True
    for group in given.groups:
        for name, program in programs()[group].items():
            if not re.search(given.filter, name):
                continue
            files = compile_program(given, program, folder)
            for threads in given.threads:
                result = measure_program(given, group, name, files, threads)
                if not result or "tenon" not in result["times"]:
                    print(f"FAILED {name}")
                    good = False
                    continue
                print(text_of(threads, name, result), flush=True)
                good &= max(result["errors"].values()) < float("inf")
                out += rows(threads, program.shape, name, result)
    return out, good


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--seconds", type=float, default=3,
                        help="of each program")
    parser.add_argument("--filter", default="", metavar="REGEX",
                        help="programs whose name matches")
    parser.add_argument("--peers", nargs="*", default=PEERS)
    parser.add_argument("--compile", action="append", default=[],
                        metavar="OPTION", help="for tenon-compile")
    parser.add_argument("--fusion", nargs="*", default=[], metavar="MODE",
                        help="also measured")
    parser.add_argument("--copy", action="store_true",
                        help="also measured: copying as many bytes")
    figures.add_options(parser)
    parser.add_argument("--child", action="store_true",
                        help=argparse.SUPPRESS)
    parser.add_argument("groups", nargs="*",
                        default=["images", "recurrent", "parts", "streams"])
    return parser.parse_args()


def main():
    given = options()
    if given.child:
        try:
            child(json.load(sys.stdin))
        except Exception:
            traceback.print_exc()
            os._exit(1)
    with tempfile.TemporaryDirectory() as name:
        out, good = measure_all(given, pathlib.Path(name))
    figures.append(given, out)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
