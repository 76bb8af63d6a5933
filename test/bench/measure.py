# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One measurement, in a process of its own: reads a job, prints a result.

Jobs (JSON on standard input): "time" alternates the engines in this process;
"alone" loads one engine, for its load time and peak memory; "batch" alternates
engines with many inputs and Tenon with one; "check" runs Tenon
and ONNX Runtime once; "launches" times each launch of Tenon's. The result is
the last line of standard output."""

import gc
import json
import os
import pathlib
import sys
import time
import traceback

import numpy

import engines
import models
from batched import Batched

sys.path.insert(0, str(models.ROOT / "test" / "run"))
import agreement  # noqa: E402

TOLERANCE = agreement.TOLERANCE["f32"]


def compare(actual, reference):
    """(agrees, largest error over the output's scale) of {name: array}s."""
    error = max(agreement.error(want, actual[name])
                for name, want in reference.items())
    return error <= TOLERANCE, error


def prove_force(tenon, inputs, reference):
    """Raises where Tenon's results for other inputs could pass for the
    reference. It reads the inputs where they lie, and here they change."""
    reference = {name: numpy.array(want) for name, want in reference.items()}
    for value in inputs.values():
        value[...] = numpy.flip(value).copy()
    tenon.run()
    for name, want in reference.items():
        weak = agreement.weakness(want, tenon.outputs()[name], TOLERANCE)
        if weak:
            raise RuntimeError(f"output {name}: {weak}")


def nothing(_):
    pass


def burst(engine, seconds, before, after):
    """Times of a few runs that together take about a fiftieth of a second."""
    times = []
    if seconds < 0.02:
        engine.run()
    for _ in range(max(1, min(20, int(0.02 / max(seconds, 1e-6))))):
        before(engine)
        start = time.perf_counter_ns()
        engine.run()
        times.append((time.perf_counter_ns() - start) / 1e6)
        after(engine)
    return times


def alternate(loaded, budget, before=nothing, after=nothing):
    """{engine: times in ms}: the engines take turns until the time is up.
    `before` and `after` each run are called with its engine, and not timed."""
    estimate, times = {}, {name: [] for name in loaded}
    for name, engine in loaded.items():
        engine.run()
        start = time.perf_counter()
        # A burst is as long with what comes before each run.
        before(engine)
        engine.run()
        estimate[name] = time.perf_counter() - start
    gc.collect()
    gc.disable()
    end, rounds = time.perf_counter() + budget, 0
    while time.perf_counter() < end or rounds < 5:
        for name, engine in loaded.items():
            times[name] += burst(engine, estimate[name], before, after)
            time.sleep(0.001)
        rounds += 1
    gc.enable()
    return times


def statistics(values):
    return {"median_ms": float(numpy.median(values)), "min_ms": min(values),
            "runs": len(values)}


def time_job(job):
    loaded = {name: engines.make(name, job) for name in job["engines"]}
    times = alternate(loaded, job["budget"])
    result = {"times": {n: statistics(values) for n, values in times.items()}}
    if "tenon" in loaded and "onnxruntime" in loaded:
        reference = loaded["onnxruntime"].outputs()
        result["agrees"], result["error"] = compare(
            loaded["tenon"].outputs(), reference)
        prove_force(loaded["tenon"], job["inputs"], reference)
    return result


def batch_job(job):
    """As time_job, for a batch, and "single": Tenon with one input."""
    model = Batched(models.select([job["model"]])[0], job["batch"])
    many = {**job, "inputs": model.inputs(), "path": model.path()}
    loaded = {name: engines.make(name, many) for name in job["engines"]}
    loaded["single"] = engines.make("tenon", {**job, "artifact": job["single"]})
    times = alternate(loaded, job["budget"])
    reference, single = (loaded[name].outputs()
                         for name in ("onnxruntime", "single"))
    agrees, error = compare(loaded["tenon"].outputs(), reference)
    alone, error_alone = compare(
        model.first_of(loaded["tenon"].outputs(), single), single)
    prove_force(loaded["tenon"], many["inputs"], reference)
    return {"times": {n: statistics(values) for n, values in times.items()},
            "agrees": agrees and alone, "error": max(error, error_alone)}


def launches_job(job):
    """The fastest run of each launch, with the nodes that it computes."""
    engine, best = engines.make("tenon", {**job, "profile": True}), []
    engine.run()
    end = time.perf_counter() + job["budget"]
    while time.perf_counter() < end or not best:
        engine.run()
        launches = engine.launches()
        times = [launch.last_nanoseconds / 1e3 for launch in launches]
        best = list(map(min, best, times)) if best else times
    return {"launches": [
        {"nodes": launch.node_names(), "flops": launch.flops, "us": us}
        for launch, us in zip(launches, best)]}


def memory_mib(field):
    status = pathlib.Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines()
                if line.startswith(field)) / 1024


def timed(call):
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def alone_job(job):
    """Load time, the first run over the next ones, and what both add to the
    process's memory."""
    engines.prepare(job["engines"][0])
    # The model was parsed for its inputs, which may have taken more memory
    # than an engine does; the peak starts anew.
    pathlib.Path("/proc/self/clear_refs").write_text("5", encoding="ascii")
    before = memory_mib("VmRSS")
    start = time.perf_counter()
    engine = engines.make(job["engines"][0], job)
    load = time.perf_counter() - start
    runs = [timed(engine.run) for _ in range(8)]
    return {"load_ms": load * 1e3, "peak_mib": memory_mib("VmHWM") - before,
            "first_over_steady": runs[0] / float(numpy.median(runs[1:]))}


def check_job(job):
    tenon = engines.make("tenon", job)
    tenon.run()
    actual = {name: array.copy() for name, array in tenon.outputs().items()}
    tenon.run()
    reference = engines.make("onnxruntime", job)
    reference.run()
    wanted = reference.outputs()
    agrees, error = compare(actual, wanted)
    repeated = all(numpy.array_equal(actual[n], a, equal_nan=True)
                   for n, a in tenon.outputs().items())
    prove_force(tenon, job["inputs"], wanted)
    return {"agrees": agrees, "error": error, "repeated": repeated}


def main():
    job = json.load(sys.stdin)
    os.sched_setaffinity(0, job["processors"])
    model = models.select([job["model"]])[0]
    job["inputs"], job["path"] = model.inputs(), model.fixed_path()
    kinds = {"time": time_job, "alone": alone_job, "check": check_job,
             "batch": batch_job, "launches": launches_job}
    try:
        result = kinds[job["kind"]](job)
    except Exception as error:  # the parent reports it and goes on
        traceback.print_exc()
        result = {"failure": f"{type(error).__name__}: {error}"}
    print("\n" + json.dumps(result), flush=True)
    # Engines may crash while Python takes them down; the result is out.
    os._exit(0)


if __name__ == "__main__":
    main()
