# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures operators, in a process of its own: reads jobs (a JSON list on
standard input), prints a line of JSON for each as soon as it is done.

A network meets each weight once per run, and much else in between. A "cold" job
therefore goes through as much memory before each run, then computes for a
while, and then goes through its inputs, which a network has just made."""

import json
import os
import subprocess
import sys
import time

import numpy
import onnx

import engines
import measure

# A line of standard output that starts with it is a result.
MARK = '{"operator": '


def make_inputs(path):
    """{name: array}, positive, so that roots, powers and quotients exist."""
    generator = numpy.random.default_rng(1)
    inputs = {}
    graph = onnx.load(path).graph
    for value in graph.input:
        tensor = value.type.tensor_type
        dims = [dim.dim_value for dim in tensor.shape.dim]
        inputs[value.name] = generator.uniform(0.5, 1.5, dims).astype(
            onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type))
    return inputs


class Reader:
    """Reads as many bytes as a case has weights, which the weather cools down
    as it does those: an engine whose time is what memory allows, whatever
    neighbours leave of the caches meanwhile."""

    def __init__(self, size):
        self.words = numpy.ones(max(size // 8, 1), numpy.int64)

    def run(self):
        self.words.max()


# What calling a reader takes that reads hardly anything.
CALL = Reader(0)


class Weather:
    """Makes caches cold before a run, and the processor warm: one that has
    waited for memory takes a millisecond or so of computing to be at full
    speed, which it is between two operators of a network (without: Granite
    Rapids takes up to twice as long for what runs on its matrix unit)."""

    SECONDS = 2e-3

    def __init__(self, job):
        self.inputs = job["inputs"].values()
        self.sweep = numpy.ones(job["sweep_bytes"] // 8, numpy.int64)
        self.matrix = numpy.eye(128, dtype=numpy.float32)

    def __call__(self, engine):
        self.sweep.sum()
        end = time.perf_counter() + self.SECONDS
        while time.perf_counter() < end:
            numpy.matmul(self.matrix, self.matrix)
        for array in self.inputs:
            array.sum()
        if isinstance(engine, Reader):
            CALL.run()  # its code was cold, too


class Clock:
    """Collects the time of Tenon's own kernels after each of its runs."""

    def __init__(self):
        self.times, self.all = [], []
        self.flops = self.bytes = 0

    def __call__(self, engine):
        if not isinstance(engine, engines.Tenon):
            return
        launches = engine.launches()
        # What computes nothing changes layouts, as a network does at its
        # edges alone; pooling and the like are not counted as computing.
        chosen = [e for e in launches if e.flops] or launches
        self.times.append(sum(e.last_nanoseconds for e in chosen) / 1e6)
        self.flops = sum(e.flops for e in chosen)
        self.bytes = sum(e.bytes for e in chosen)

    def result(self):
        return {**measure.statistics(self.times), "flops": self.flops,
                "bytes": self.bytes}


def roof(build, threads):
    """What `tenon-run --roof` measures."""
    command = [f"{build}/bin/tenon-run", "--roof", "--threads", str(threads)]
    return json.loads(subprocess.run(command, check=True, text=True,
                                     capture_output=True).stdout)


def size(arrays):
    return sum(array.nbytes for array in arrays)


def run(job):
    job["inputs"], job["profile"] = make_inputs(job["path"]), True
    loaded = {name: engines.make(name, job) for name in job["engines"]}
    clock = Clock()
    before = Weather(job) if job["sweep_bytes"] else measure.nothing
    # One thread of Python's tells nothing of what more of them read.
    if job["sweep_bytes"] and job["threads"] == 1:
        loaded["reader"] = Reader(job["weight_bytes"])
    times = measure.alternate(loaded, job["budget"], before, clock)
    reading = times.pop("reader", None)
    agrees, error = measure.compare(loaded["tenon"].outputs(),
                                    loaded["onnxruntime"].outputs())
    stored = size(loaded["tenon"].outputs().values())
    met = size(job["inputs"].values()) + stored + job["arena_bytes"]
    return {"times": {n: measure.statistics(v) for n, v in times.items()},
            "kernel": clock.result(), "agrees": agrees, "error": error,
            "stored_bytes": stored, "target": job["target"],
            "weights_us": reading and 1e3 * max(
                min(reading) - min(measure.burst(
                    CALL, 0, measure.nothing, measure.nothing)), 0),
            "run_bytes": met, "footprint_bytes": met + job["sweep_bytes"]}


def main():
    jobs = json.load(sys.stdin)
    os.sched_setaffinity(0, jobs[0]["processors"])
    before = roof(jobs[0]["build"], jobs[0]["threads"])
    for job in jobs:
        name = job["operator"]
        try:
            result = run(job)
        except Exception as error:  # the parent reports it
            result = {"failure": f"{type(error).__name__}: {error}"}
        after = roof(job["build"], job["threads"])
        result["roofs"], before = [before, after], after
        print("\n" + json.dumps({"operator": name, **result}), flush=True)
    # Engines may crash while Python takes them down; the results are out.
    os._exit(0)


if __name__ == "__main__":
    main()
