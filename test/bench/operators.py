# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measure single operators, in all shapes that the benchmark's models have.

Each case is a model of one node (attentions: a few) with constant weights. It
is compiled, then Tenon and its peers run it in turn in one pinned process. The
tables show Tenon's fastest run and the part of it in kernels that compute; the
rest changes layouts, which a one-operator model pays at both ends and a
network hardly. The peers pay that too, so ratios of convolutions flatter
whoever reorders less. Kernels are held against the roof that `tenon-run
--roof` measures before and after each. Weights of convolutions and
contractions are cold, as they are in a network, unless --warm. The status is 0
when all outputs agree with ONNX Runtime's. Models, artifacts and reports stay
in BUILD/bench/operators: `tenon-run --profile` on one shows more. All cases
take more than an hour."""

import argparse
import importlib.util
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys

import compare
import models
import operators_cases
import operators_networks
import operators_run
import operators_table

# How often what is weak is measured again: neighbours stay for a minute or so.
MORE_CHANCES = 3
# Families whose weights leave the caches between two runs of a network.
WEIGHTY = {"contraction", "conv"}


def thin(cases, limit):
    """At most `limit` of the cases, in even steps from the largest down to a
    thousandth of it."""
    if len(cases) <= limit:
        return cases
    cases = [c for c in cases if c.flops >= cases[0].flops / 1000]
    count = min(limit, len(cases))
    return [cases[round(i * (len(cases) - 1) / max(count - 1, 1))]
            for i in range(count)]


def choose(cases, options):
    """{family: cases} that --family, --filter and --limit leave."""
    chosen = {}
    for family in options.family:
        some = [c for c in cases if c.family == family and re.search(
            options.filter, " ".join([c.name, c.label(), *c.uses]))]
        chosen[family] = thin(some, options.limit or len(some))
    return chosen


def is_cold(case, options):
    return case.family in WEIGHTY and not options.warm


def measured_roof(options):
    return operators_table.Roof([operators_run.roof(
        options.build_dir, options.threads) for _ in range(3)])


def sweep_bytes(case, options, roof):
    """What goes through the caches between two runs of a cold case: the largest
    of its networks' weights, and maps that are taken to be as large. What has
    left all caches is as cold as it gets."""
    if not is_cold(case, options):
        return 0
    return min(max(2 * roof.cache_bytes(), 2**26), 2 * case.model_bytes)


def make_job(case, artifact, facts, options, roof):
    return {"operator": case.name, "path": str(case.path()),
            "artifact": str(artifact), "build": str(options.build_dir),
            "arena_bytes": int(facts["arena_mib"] * 2**20),
            "weight_bytes": case.weight_bytes(),
            "threads": options.threads, "budget": options.budget,
            "target": facts["target"],
            "processors": sorted(os.sched_getaffinity(0))[:options.threads],
            "engines": ["tenon", *options.peers],
            "sweep_bytes": sweep_bytes(case, options, roof)}


def prepare(cases, options, roof, tally):
    """The jobs of the cases that compile."""
    jobs = []
    for case in cases:
        operators_cases.write(case, options.build_dir / "bench")
        try:
            artifact, facts = compare.compile_model(options, case)
        except RuntimeError as error:
            tally.note(False, case.label(), error)
            continue
        jobs.append(make_job(case, artifact, facts, options, roof))
    return jobs


def results(jobs):
    """The results of jobs in order, as they come. A job that takes its process
    with it is a failure, and the rest goes on in another one."""
    while jobs:
        done = 0
        with subprocess.Popen(
                [sys.executable, "-B", compare.HERE / "operators_run.py"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True) as child:
            child.stdin.write(json.dumps(jobs))
            child.stdin.close()
            for text in child.stdout:
                if text.startswith(operators_run.MARK):
                    done += 1
                    yield json.loads(text)
        if done < len(jobs):
            yield {"operator": jobs[done]["operator"],
                   "failure": f"its process ended with {child.returncode}"}
            done += 1
        jobs = jobs[done:]


def make_row(case, result, options, roof):
    times, kernel = result["times"], result["kernel"]
    row = {"family": case.family, "shape": case.label(), "name": case.name,
           "uses": sum(map(len, case.uses.values())),
           "models": " ".join(case.uses),
           "threads": options.threads, "cold": is_cold(case, options),
           "weight_bytes": case.weight_bytes(),
           "weights_us": result["weights_us"], "flops": kernel["flops"],
           "bytes": kernel["bytes"], "stored_bytes": result["stored_bytes"],
           "run_bytes": result["run_bytes"],
           "footprint_bytes": result["footprint_bytes"],
           "kernel_us": 1e3 * kernel["min_ms"],
           "kernel_median_us": 1e3 * kernel["median_ms"],
           "error": result["error"]}
    for engine, time in times.items():
        row[f"{engine}_us"] = 1e3 * time["min_ms"]
        row[f"{engine}_median_us"] = 1e3 * time["median_ms"]
    for peer in options.peers:
        row[f"of_{peer}"] = row["tenon_us"] / row[f"{peer}_us"]
    around = operators_table.Roof(result["roofs"])
    return operators_table.judge(row, around, roof.peak(result["target"]))


def measure_jobs(jobs, by_name, options, roof, tally):
    """{name: row} of the jobs that run."""
    rows = {}
    for result in results(jobs):
        case = by_name[result["operator"]]
        if "failure" in result:
            tally.note(False, case.label(), result["failure"])
            continue
        tally.note(result["agrees"], case.label(),
                   f"error {result['error']:.1e}")
        rows[case.name] = make_row(case, result, options, roof)
    return rows


def measure_cases(cases, options, roof, tally):
    """The rows of one family. What is weak gets more chances: it may have been
    a neighbour. The fastest run counts, with the roof around it."""
    by_name = {case.name: case for case in cases}
    jobs = prepare(cases, options, roof, tally)
    rows = measure_jobs(jobs, by_name, options, roof, tally)
    for _ in range(MORE_CHANCES):
        weak = [job for job in jobs if job["operator"] in rows and
                operators_table.is_weak(rows[job["operator"]])]
        again = measure_jobs(weak, by_name, options, roof, tally)
        for name, row in again.items():
            rows[name] = min(rows[name], row, key=lambda r: r["kernel_us"])
    return list(rows.values())


def list_cases(cases):
    for case in itertools.chain(*cases.values()):
        print(f"{case.name}  {case.flops / 1e6:9.2f} MFLOP  {case.label()}  "
              f"[{' '.join(case.uses)}]")
    return 0


def arguments():
    parser = argparse.ArgumentParser(
        prog="test/bench/operators", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    families = ", ".join(operators_cases.FAMILIES)
    parser.add_argument("--family", default="", metavar="NAME,...",
                        help=f"of {families}; all by default")
    parser.add_argument("--filter", default="", metavar="REGEX",
                        help="cases whose name, shape or models match")
    parser.add_argument("--limit", type=int, default=0, metavar="N",
                        help="at most N cases of each family, large and small")
    parser.add_argument("--models", default="", metavar="NAME,...",
                        help="take the shapes from these; as in compare")
    parser.add_argument("--mcpu", default="native", metavar="NAME",
                        help="what Tenon compiles for")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    parser.add_argument("--quick", action="store_true",
                        help="--limit 10 unless given, little time for each "
                        "case, models that are at hand: two to three minutes")
    parser.add_argument("--warm", action="store_true",
                        help="leave weights in the caches between runs")
    parser.add_argument("--networks", action="store_true",
                        help="also measure the same operators inside of their "
                        "networks (compiles all of these)")
    parser.add_argument("--list", action="store_true",
                        help="print the cases; measure nothing")
    parser.add_argument("--csv", type=pathlib.Path,
                        help="default: BUILD/bench/operators.csv")
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=models.ROOT / "build/release")
    options = parser.parse_args()
    options.family = [n for n in options.family.split(",") if n] or \
        operators_cases.FAMILIES
    unknown = set(options.family) - set(operators_cases.FAMILIES)
    if unknown:
        parser.error(f"no family {', '.join(sorted(unknown))}; there are "
                     f"{families}")
    try:
        re.compile(options.filter)
    except re.error as error:
        parser.error(f"--filter: {error}")
    options.build_dir = options.build_dir.resolve()
    options.peers = [p for p in compare.PEERS if importlib.util.find_spec(p)]
    options.budget = 0.6 if options.quick else 2.0
    if options.quick and not options.limit:
        options.limit = 10
    return options


def main():
    options, tally = arguments(), compare.Tally()
    chosen = models.select([n for n in options.models.split(",") if n])
    if options.quick:
        chosen = [model for model in chosen if model.made()]
    every, unknown = operators_cases.collect(
        chosen, options.build_dir / "bench/operators")
    if unknown:
        print(f"{unknown} nodes are left out: their shapes are unknown")
    cases = choose(every, options)
    if options.list:
        return list_cases(cases)
    roof = measured_roof(options)
    print(f"{sum(map(len, cases.values()))} cases, {roof.text()}", flush=True)
    used = {name for some in cases.values() for case in some
            for name in case.uses}
    networks = operators_networks.Networks(
        [model for model in chosen if model.name in used], every, options,
        tally) if options.networks else None
    for family, some in cases.items():
        rows = measure_cases(some, options, roof, tally)
        tally.rows += rows
        if networks:
            networks.add_to(rows, some)
        if rows:
            print(operators_table.family_text(family, rows, options.peers),
                  flush=True)
        if networks:
            print(operators_networks.text(rows), flush=True)
    compare.write_csv(options.csv or options.build_dir /
                      "bench/operators.csv", tally.rows)
    print(f"{tally.passed} passed, {len(tally.failures)} failed, 0 skipped")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
