#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile models with open sizes for two sets of typical sizes, compare results.

One set is the compiler's own, the other has odd primes, some smaller and some
larger than any size of a run. Typical sizes choose between plans, and a plan
may sum in another order: so floats agree within 1e-5 of the largest of their
tensor (sums here have at most a few hundred terms), and all else, shapes and
types included, exactly. A bound, a stride or a tile that were typical would be
wrong by whole elements."""

import argparse
import concurrent.futures
import json
import pathlib
import sys
import tempfile

import numpy as np

import check_control
import check_symbols
from check_symbols import execute

PRIMES = ("3,5,7,11,13,31,61,127,131,257,1021", "131,3")
TOLERANCE = 1e-5
TESTS = pathlib.Path(__file__).resolve().parent.parent


def differs(got, want):
    if got.shape != want.shape or got.dtype != want.dtype:
        return f"{got.dtype} {got.shape}, not {want.dtype} {want.shape}"
    if want.dtype.kind != "f":
        wrong = int((got != want).sum())
    else:
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        finite = np.isfinite(want)
        bound = TOLERANCE * np.abs(want[finite]).max(initial=0)
        with np.errstate(invalid="ignore"):
            same |= finite & (np.abs(got - want) <= bound)
        wrong = int((~same).sum())
    return f"{wrong} of {want.size} elements differ" if wrong else ""


def results(artifact, inputs, folder):
    """The outputs of a run by name, or why there are none."""
    try:
        execute("tenon-run", artifact, *inputs, "--threads", "2",
                "--output-dir", folder)
    except RuntimeError as refused:
        return str(refused).replace(str(artifact), "")
    manifest = json.loads((folder / "outputs.json").read_text("utf-8"))
    return {entry["name"]: np.load(folder / entry["file"])
            for entry in manifest}


def compare(artifacts, inputs, folder):
    """What differs between the artifacts. All refuse an input, or none."""
    want, *others = [results(artifact, inputs, folder / str(number))
                     for number, artifact in enumerate(artifacts)]
    for got in others:
        if isinstance(want, str) or isinstance(got, str):
            if got != want:
                return f"{got!r}, not {want!r}"
            continue
        for name, array in want.items():
            if text := differs(got[name], array):
                return f"{name}: {text}"
    return ""


def compile_all(model, options, folder):
    artifacts = []
    for number, sizes in enumerate((None, *PRIMES)):
        artifacts.append(folder / f"{number}.tenon")
        given = ["--typical", sizes] if sizes else []
        execute("tenon-compile", model, "-o", artifacts[-1], "--quiet",
                *options, *given)
    return artifacts


def check(model, runs, options, folder):
    """`runs`: a function for each that writes inputs and returns options."""
    try:
        artifacts = compile_all(model, options, folder)
    except RuntimeError as wrong:
        return [f"{folder.name}: {wrong}"]
    failures = []
    for number, run in enumerate(runs):
        place = folder / f"run{number}"
        place.mkdir()
        if text := compare(artifacts, run(place), place):
            failures.append(f"{folder.name} {number}: {text}")
    return failures


def symbol_models(folder):
    """The networks of check_symbols.py, each at four of its sizes."""
    for build, points in check_symbols.NETWORKS:
        net = check_symbols.Network(build.__name__)
        model = net.save(build(net), folder)
        step = max(1, len(points) // 3)
        chosen = points[::-1][::step]
        yield model, [lambda place, net=net, sizes=sizes:
                      check_symbols.feed(net, sizes, place)
                      for sizes in chosen], []


def control_models(folder):
    for name, (text, feeds, _) in check_control.NETWORKS.items():
        model = folder / f"{name}.onnxtxt"
        model.write_text(check_control.HEAD + text)
        yield model, [lambda place, each=each:
                      check_control.given_by(each, place)
                      for each in feeds[:2]], []


def case_models(_):
    """Those of test/cases with dimensions that have no size."""
    import onnx
    for path in sorted(TESTS.glob("cases/*/case.json")):
        case = json.loads(path.read_text("utf-8"))
        model = path.parent / "model.onnx"
        if case["expect"] != "match" or not case.get("inputs"):
            continue
        inputs = onnx.load(model, load_external_data=False).graph.input
        if all(dim.HasField("dim_value") for value in inputs
               for dim in value.type.tensor_type.shape.dim):
            continue
        yield model, [lambda place, files=files, path=path:
                      [word for name, file in files.items()
                       for word in ("--input", f"{name}={path.parent / file}")]
                      for files in case["inputs"]], case.get("compile", [])


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mcpu", default="native", metavar="NAME")
    parser.add_argument("names", nargs="*", help="only these models")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:
        folder = pathlib.Path(name)
        jobs = []
        for make in (symbol_models, control_models, case_models):
            for model, runs, options in make(folder):
                stem = (model.stem if model.stem != "model"
                        else model.parent.name)
                if given.names and stem not in given.names:
                    continue
                place = folder / "work" / stem
                place.mkdir(parents=True)
                jobs.append(pool.submit(
                    check, model, runs, [f"--mcpu={given.mcpu}", *options],
                    place))
        failures = [text for job in jobs for text in job.result()]
    for text in failures:
        print(text, file=sys.stderr)
    print(f"{len(jobs)} models, {len(failures)} failures")
    return 1 if failures or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
