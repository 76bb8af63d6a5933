#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile and run the cases beside this file, one line each.

What matches runs on other numbers, too, and an output must be another then.

A case is a folder with model.onnx, .npy files and case.json:

  inputs, outputs   lists of {name: file}, an entry for each run
  compile           options for tenon-compile
  expect            "match": compiles, runs, all outputs agree
                    "error": tenon-compile refuses, status 1, and says why
                    "match-or-error": either is good
                    "error-at-run": tenon-compile or tenon-run refuses
  mention_all, mention_any   words that a refusal has to contain
  rtol, atol        |got - want| <= rtol |want| + atol max |want|; integers,
                    shapes, types, NaN and infinities exactly
  twin              another model and how many times its time this one may
                    take (fastest of five alternating runs on one thread)
  limits            compile_s, compile_mib (peak), run_s, run_mib, artifact_mib"""

import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "run"))

import agreement  # noqa: E402
LIMITS = {"compile_s": 60, "compile_mib": 2000, "run_s": 30, "run_mib": 2000,
          "artifact_mib": 64}


# Other inputs give no other results: there is no other number of no elements,
# and 2048 layers, which are there for the time to compile them, end in 0.
UNMOVED = {"empty_reductions", "nodes_4096_old_opset"}


class Wrong(Exception):
    """What is wrong with a case."""


def execute(command, seconds):
    """(status or None when too slow, what it wrote to stderr, peak MiB)."""
    with tempfile.TemporaryFile() as err:
        process = subprocess.Popen(
            [str(word) for word in command], stdout=subprocess.DEVNULL,
            stderr=err, stdin=subprocess.DEVNULL)
        slow = threading.Event()
        timer = threading.Timer(
            seconds, lambda: (slow.set(), process.kill()))
        timer.start()
        _, status, usage = os.wait4(process.pid, 0)
        timer.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        err.seek(0)
        text = err.read().decode(errors="replace").strip()
    status = None if slow.is_set() else process.returncode
    return status, text, usage.ru_maxrss / 1024


def brief(text):
    return " / ".join(line for line in text.split("\n") if line)[-300:]


def refuse_failure(status, text, program):
    if status is None:
        raise Wrong(f"{program} took too long")
    if status not in (0, 1, 2):
        raise Wrong(f"{program} crashed with status {status}: {brief(text)}")
    if status:
        raise Wrong(f"{program}: {brief(text)}")


def mentions(text, word):
    return re.search(r"(?<!\w)" + re.escape(word.lower()) + r"(?!\w)", text)


def check_refusal(text, case, folder):
    low = text.replace(str(folder), "").lower()
    if not text:
        raise Wrong("refused without a message")
    if not all(mentions(low, word) for word in case.get("mention_all", [])):
        raise Wrong(f"not all of {case['mention_all']} in: {brief(text)}")
    any_of = case.get("mention_any", [])
    if any_of and not any(mentions(low, word) for word in any_of):
        raise Wrong(f"none of {any_of} in: {brief(text)}")


def check_floats(got, want, case):
    got, want = got.astype(np.float64), want.astype(np.float64)
    if not np.array_equal(np.isnan(got), np.isnan(want)):
        raise Wrong(f"{int(np.isnan(got).sum())} NaN, or at other places")
    if not np.array_equal(np.where(np.isinf(got), got, 0),
                          np.where(np.isinf(want), want, 0)):
        raise Wrong("infinities at other places")
    finite = np.isfinite(want)
    got, want = got[finite], want[finite]
    if not want.size:
        return
    bound = case["rtol"] * np.abs(want) + case["atol"] * np.abs(want).max()
    wrong = int((np.abs(got - want) > bound).sum())
    if wrong:
        raise Wrong(f"{wrong} of {want.size} elements are wrong, by up to "
                    f"{np.abs(got - want).max():.3g}")


def check_tensor(got, want, case):
    if got.shape != want.shape or got.dtype != want.dtype:
        raise Wrong(f"is {got.dtype} of {got.shape}, not {want.dtype} of "
                    f"{want.shape}")
    if want.dtype.kind in "fc":
        return check_floats(got, want, case)
    if not np.array_equal(got, want):
        raise Wrong(f"{int((got != want).sum())} of {want.size} elements are "
                    "wrong")


def written(results):
    """{output name: array} by the manifest that tenon-run leaves."""
    manifest = json.loads((results / "outputs.json").read_text("utf-8"))
    return {entry["name"]: np.load(results / entry["file"])
            for entry in manifest}


def check_run(programs, artifact, case, number, work, folder):
    results = work / f"out{number}"
    command = [programs / "tenon-run", artifact, "--output-dir", results]
    for name, file in case["inputs"][number].items():
        command += ["--input", f"{name}={folder / file}"]
    status, text, peak = execute(command, case["limits"]["run_s"])
    if case["expect"] == "error-at-run":
        if status not in (1, 2):
            refuse_failure(status, text, "tenon-run")
            raise Wrong("was run; an error was expected")
        return check_refusal(text, case, folder)
    refuse_failure(status, text, "tenon-run")
    if peak > case["limits"]["run_mib"]:
        raise Wrong(f"tenon-run took {peak:.0f} MiB")
    outputs = written(results)
    for name, file in case["outputs"][number].items():
        try:
            check_tensor(outputs[name], np.load(folder / file), case)
        except Wrong as wrong:
            raise Wrong(f"output '{name[:60]}' of run {number}: {wrong}")


def another(value, seed):
    """Numbers of the same type, shape and about the same range."""
    numbers = np.random.default_rng(seed)
    finite = value[np.isfinite(value)] if value.dtype.kind == "f" else value
    if not finite.size or value.dtype.kind not in "fiu":
        return value
    if value.dtype.kind == "f":
        low, high = finite.astype(np.float64).min(), finite.max()
        return numbers.uniform(low - 1, float(high) + 1,
                               value.shape).astype(value.dtype)
    return numbers.choice(value.ravel(), value.shape)


def check_force(programs, artifact, case, work, folder):
    """That the first run's result for other numbers is another. Integers stay
    where there are floats: they may be indices or lengths."""
    values = {name: np.load(folder / file)
              for name, file in case["inputs"][0].items()}
    hasFloats = any(value.dtype.kind == "f" for value in values.values())
    command = [programs / "tenon-run", artifact, "--output-dir", work / "other"]
    for number, (name, value) in enumerate(values.items()):
        if value.dtype.kind == "f" or not hasFloats:
            value = another(value, number)
        np.save(work / f"other{number}.npy", value)
        command += ["--input", f"{name}={work / f'other{number}.npy'}"]
    status, text, _ = execute(command, case["limits"]["run_s"])
    refuse_failure(status, text, "tenon-run on other inputs")
    other, tolerance = written(work / "other"), case["rtol"] + case["atol"]
    found = max(agreement.force(np.load(folder / file), other[name], tolerance)
                for name, file in case["outputs"][0].items())
    if not found >= agreement.FORCE:
        raise Wrong(f"the results for other inputs are only {found:.2g} "
                    "tolerances away")


def compile_case(programs, folder, case, artifact, options):
    """False when the model was refused, as it should be."""
    command = [programs / "tenon-compile", folder / "model.onnx", "-o",
               artifact, "--quiet", *case.get("compile", []), *options]
    status, text, peak = execute(command, case["limits"]["compile_s"])
    if status == 1 and case["expect"] != "match":
        check_refusal(text, case, folder)
        return False
    refuse_failure(status, text, "tenon-compile")
    if case["expect"] == "error":
        raise Wrong("was accepted; an error was expected")
    size = artifact.stat().st_size / 2**20
    if size > case["limits"]["artifact_mib"]:
        raise Wrong(f"the artifact has {size:.3g} MiB")
    if peak > case["limits"]["compile_mib"]:
        raise Wrong(f"tenon-compile took {peak:.0f} MiB")
    return True


def fastest(programs, artifact):
    run = subprocess.run(
        [programs / "tenon-run", artifact, "--input", "random:1",
         "--benchmark", "--threads", "1", "--json"],
        capture_output=True, text=True, timeout=120, check=True)
    return json.loads(run.stdout)["min_ms"]


def check_twin(programs, folder, artifact, twin, work, options):
    other = work / "twin.tenon"
    subprocess.run([programs / "tenon-compile", folder / twin["model"], "-o",
                    other, "--quiet", *options], check=True)
    times = [(fastest(programs, artifact), fastest(programs, other))
             for _ in range(5)]
    ratio = min(t[0] for t in times) / min(t[1] for t in times)
    if ratio > twin["ratio"]:
        raise Wrong(f"takes {ratio:.2f} times as long as its twin (limit "
                    f"{twin['ratio']})")


def check(arguments, folder, case, work):
    """Raises Wrong."""
    artifact = work / "model.tenon"
    options = arguments.compile_option
    if not compile_case(arguments.bin, folder, case, artifact, options):
        return
    for number in range(len(case["inputs"])):
        check_run(arguments.bin, artifact, case, number, work, folder)
    if case["expect"] == "match" and folder.name not in UNMOVED:
        check_force(arguments.bin, artifact, case, work, folder)
    if "twin" in case and not arguments.untimed:
        check_twin(arguments.bin, folder, artifact, case["twin"], work,
                   options)


def outcome(arguments, folder, case):
    """'' or what is wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        work = pathlib.Path(scratch)
        if arguments.keep:
            work = arguments.keep / folder.name
            work.mkdir(parents=True, exist_ok=True)
        try:
            check(arguments, folder, case, work)
        except (Wrong, OSError, ValueError, KeyError,
                subprocess.SubprocessError) as wrong:
            return str(wrong) or type(wrong).__name__
    return ""


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path,
                        help="folder of tenon-compile and tenon-run")
    parser.add_argument("names", nargs="*", help="only these cases")
    parser.add_argument("--untimed", action="store_true",
                        help="leave out the comparisons with twins")
    parser.add_argument("--keep", type=pathlib.Path,
                        help="where to leave artifacts and outputs")
    parser.add_argument("--compile-option", action="append", default=[])
    arguments = parser.parse_intermixed_args()
    passed, bad = 0, []
    for path in sorted(HERE.glob("*/case.json")):
        folder = path.parent
        if arguments.names and folder.name not in arguments.names:
            continue
        case = json.loads(path.read_text("utf-8"))
        case["limits"] = {**LIMITS, **case.get("limits", {})}
        wrong = outcome(arguments, folder, case)
        print(f"{'FAIL' if wrong else 'pass'}  {folder.name:28} {wrong}",
              flush=True)
        passed += not wrong
        bad += [folder.name] if wrong else []
    print(f"{passed} passed, {len(bad)} failed: {' '.join(bad)}")
    return bool(bad)


sys.exit(main())
