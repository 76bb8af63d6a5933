# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compare Tenon with ONNX Runtime and OpenVINO on real models.

Each model is compiled once; then, for each number of threads, one process
pinned to as many processors runs all engines in turn, so that they meet the
same machine. Load time, the first run over the next ones and peak memory come from
processes of their own: what loading and running adds, without the imports.
Compile times are with an empty kernel cache and, after the slash, with what
that left in it.
Ratios are Tenon's time over the peer's: below 1 Tenon is faster. With one
thread, a batch of inputs is measured, too, over ONNX Runtime's time and over
that of as many single runs.
The status is 0 when all outputs agree with ONNX Runtime's (the largest error
is at most 1e-4 of the largest element) and the bars hold for the fastest runs: geometric
mean at most 0.9 of ONNX Runtime's and 1 of OpenVINO's, no model above 1.2 of
the former."""

import argparse
import csv
import json
import math
import os
import pathlib
import shutil
import subprocess
import sys
import time

import models
from batched import Batched, WITHOUT_BATCH

HERE = pathlib.Path(__file__).resolve().parent
PEERS = ["onnxruntime", "openvino"]
MEAN_BARS = {"onnxruntime": 0.9, "openvino": 1.0}
WORST_BAR, COMPILE_BAR = 1.2, 90.0


def timed_compile(command):
    """(seconds, peak MiB) or raises RuntimeError with the compiler's words."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [str(c) for c in command], stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE, text=True)
    message = process.stderr.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(f"tenon-compile ({process.returncode}): "
                           f"{message.strip()[-400:]}")
    return wall, usage.ru_maxrss / 1024


def compile_model(options, model):
    """(artifact, facts); RuntimeError as above."""
    folder = options.build_dir / "bench"
    artifact = folder / f"{model.name}.tenon"
    report = folder / f"{model.name}.json"
    kernels = folder / "kernels" / model.name
    shutil.rmtree(kernels, ignore_errors=True)
    kernels.parent.mkdir(parents=True, exist_ok=True)
    command = [options.build_dir / "bin/tenon-compile", model.path(), "-o",
               artifact, f"--report={report}", f"--kernel-cache={kernels}",
               f"--mcpu={options.mcpu}"]
    for name, dims in model.shapes:
        command += ["--shape", f"{name}={'x'.join(map(str, dims))}"]
    wall, peak = timed_compile(command)
    warm, _ = timed_compile(command)
    facts = json.loads(report.read_text(encoding="utf-8"))
    return artifact, {"compile_s": wall, "warm_compile_s": warm,
                      "compile_peak_mib": peak,
                      "target": facts["target"],
                      "arena_mib": models.arena_bytes(facts) / 2**20,
                      "weights_mib": facts["weights_bytes"] / 2**20}


def child(options, kind, model, artifact, threads, engines=(), **more):
    processors = sorted(os.sched_getaffinity(0))[:threads]
    job = {"kind": kind, "model": model.name, "artifact": str(artifact),
           "build": str(options.build_dir), "threads": threads,
           "processors": processors, "engines": list(engines),
           "budget": options.budget, **more}
    run = subprocess.run([sys.executable, "-B", HERE / "measure.py"],
                         input=json.dumps(job), capture_output=True,
                         text=True, check=False)
    lines = run.stdout.strip().splitlines()
    if run.returncode or not lines:
        return {"failure": f"status {run.returncode}: "
                           f"{run.stderr.strip()[-300:]}"}
    return json.loads(lines[-1])


class Tally:
    """What passed and what did not, and the rows of the CSV file."""

    def __init__(self):
        self.passed, self.failures, self.rows = 0, [], []

    def note(self, good, name, message):
        if good:
            self.passed += 1
        else:
            self.failures.append(f"{name}: {message}")
            print(f"  FAILED {name}: {message}", flush=True)


def check_model(options, model, tally):
    try:
        artifact, facts = compile_model(options, model)
    except RuntimeError as error:
        return tally.note(False, model.name, error)
    result = child(options, "check", model, artifact, 2)
    if "failure" in result:
        return tally.note(False, model.name, result["failure"])
    print(f"  {model.name:20} error {result['error']:.1e}   compiled in "
          f"{facts['compile_s']:.1f} s", flush=True)
    good = result["agrees"] and result["repeated"]
    tally.note(good, model.name, f"error {result['error']:.1e}" if
               not result["agrees"] else "a second run differs")


def measure_model(options, model, tally):
    try:
        artifact, facts = compile_model(options, model)
    except RuntimeError as error:
        return tally.note(False, model.name, error)
    tally.note(facts["compile_s"] <= COMPILE_BAR, f"{model.name} compile time",
               f"{facts['compile_s']:.0f} s")
    for threads in options.threads:
        result = child(options, "time", model, artifact, threads,
                       ["tenon", *PEERS])
        if "failure" in result:
            tally.note(False, model.name, result["failure"])
            continue
        row = {"model": model.name, "threads": threads, **facts,
               "agrees": result["agrees"], "error": result["error"]}
        for engine, times in result["times"].items():
            row |= {f"{engine}_{key}": value for key, value in times.items()}
            if not options.quick:
                alone = child(options, "alone", model, artifact, threads,
                              [engine])
                row |= {f"{engine}_{k}": v for k, v in alone.items()}
        if (threads == 1 and options.batch and
                model.name not in WITHOUT_BATCH):
            row |= measure_batch(options, model, artifact, tally)
        tally.rows.append(row)
        tally.note(row["agrees"], f"{model.name} at {threads} threads",
                   f"error {row['error']:.1e}")
        print_row(row)


def measure_batch(options, model, single, tally):
    """The time of an input in a batch over that of one alone, and the batch's
    over ONNX Runtime's."""
    batch = Batched(model, options.batch)
    try:
        artifact, _ = compile_model(options, batch)
    except RuntimeError as error:
        tally.note(False, batch.name, error)
        return {}
    result = child(options, "batch", model, artifact, 1,
                   ["tenon", "onnxruntime"], single=str(single),
                   batch=options.batch)
    if "failure" in result:
        tally.note(False, batch.name, result["failure"])
        return {}
    tally.note(result["agrees"], batch.name, f"error {result['error']:.1e}")
    times = {name: each["min_ms"] for name, each in result["times"].items()}
    return {"batch": options.batch,
            "batch_over_single":
                times["tenon"] / options.batch / times["single"],
            "batch_over_onnxruntime": times["tenon"] / times["onnxruntime"]}


def ratio(row, peer, key):
    return row[f"tenon_{key}"] / row[f"{peer}_{key}"]


HEADER = (f"{'model':20} thr | {'tenon':>8} {'ort':>8} {'openvino':>8} ms | "
          f"{'/ort':>5} {'(min)':>6} {'/ov':>5} {'(min)':>6} | "
          f"{'compile':>11} {'load ms':>17} {'first':>5} | {'peak MiB':>17} | "
          "error | batch: input / single, / ort")


def triple(row, key, form):
    values = [row.get(f"{e}_{key}") for e in ["tenon", *PEERS]]
    return "/".join("-" if v is None else format(v, form) for v in values)


def print_row(row):
    times = [row[f"{e}_median_ms"] for e in ["tenon", *PEERS]]
    print(f"{row['model']:20} {row['threads']:3} | "
          f"{times[0]:8.3f} {times[1]:8.3f} {times[2]:8.3f}    | "
          f"{ratio(row, 'onnxruntime', 'median_ms'):5.2f} "
          f"({ratio(row, 'onnxruntime', 'min_ms'):4.2f}) "
          f"{ratio(row, 'openvino', 'median_ms'):5.2f} "
          f"({ratio(row, 'openvino', 'min_ms'):4.2f}) | "
          f"{row['compile_s']:4.1f}/{row['warm_compile_s']:4.1f} s "
          f"{triple(row, 'load_ms', '.0f'):>17} "
          f"{row.get('tenon_first_over_steady', math.nan):5.2f} | "
          f"{triple(row, 'peak_mib', '.0f'):>17} | {row['error']:.0e} | "
          f"{row.get('batch_over_single', math.nan):5.3f} "
          f"{row.get('batch_over_onnxruntime', math.nan):5.2f}",
          flush=True)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def summary(options, tally):
    for threads in options.threads:
        rows = [r for r in tally.rows if r["threads"] == threads]
        if not rows:
            continue
        print(f"{threads} threads, geometric mean over {len(rows)} models:")
        for peer in PEERS:
            medians = [ratio(r, peer, "median_ms") for r in rows]
            minima = [ratio(r, peer, "min_ms") for r in rows]
            print(f"  time / {peer:12} {geometric_mean(medians):.3f} "
                  f"(minima {geometric_mean(minima):.3f}), "
                  f"worst {max(medians):.2f}")
            name = f"bar of {peer} at {threads} threads"
            tally.note(geometric_mean(minima) <= MEAN_BARS[peer], name,
                       f"geometric mean above {MEAN_BARS[peer]}")
            if peer == "onnxruntime":
                tally.note(max(minima) <= WORST_BAR, name,
                           f"a model above {WORST_BAR}")


def write_csv(path, rows):
    keys = list(dict.fromkeys(key for row in rows for key in row))
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, keys, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    print(f"wrote {path}")


def arguments():
    parser = argparse.ArgumentParser(
        prog="test/bench/compare", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", default="", metavar="NAME,...",
                        help="names or kinds (static, light, rapidocr, "
                        "magika, block); all by default, blocks only "
                        "with --check")
    parser.add_argument("--threads", default="1,2", metavar="N,...",
                        type=lambda text: [int(t) for t in text.split(",")])
    parser.add_argument("--mcpu", default="native", metavar="NAME",
                        help="what Tenon compiles for; its peers take what "
                        "they find")
    parser.add_argument("--batch", type=int, default=8, metavar="N",
                        help="inputs of a batch, measured with one thread "
                        "(default: %(default)s; 0: none)")
    parser.add_argument("--quick", action="store_true",
                        help="a second per model, no memory measurement, "
                        "no batch")
    parser.add_argument("--check", action="store_true",
                        help="correctness only")
    parser.add_argument("--csv", type=pathlib.Path,
                        help="default: BUILD/bench/compare.csv")
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=models.ROOT / "build/release")
    parser.add_argument("--tally", type=pathlib.Path,
                        help="write PASSED FAILED SKIPPED to this file")
    options = parser.parse_args()
    options.build_dir = options.build_dir.resolve()
    options.budget = 1.0 if options.quick else 6.0
    options.batch = 0 if options.quick else options.batch
    return options


def main():
    options, tally = arguments(), Tally()
    chosen = models.select([n for n in options.models.split(",") if n],
                           blocks=options.check)
    if not options.check:
        print(HEADER, flush=True)
    for model in chosen:
        (check_model if options.check else measure_model)(
            options, model, tally)
    if not options.check:
        summary(options, tally)
        write_csv(options.csv or options.build_dir / "bench/compare.csv",
                  tally.rows)
    print(f"{tally.passed} passed, {len(tally.failures)} failed, 0 skipped")
    if options.tally:
        options.tally.write_text(f"{tally.passed} {len(tally.failures)} 0\n",
                                 encoding="utf-8")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
