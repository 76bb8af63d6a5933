#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile networks that decide while they run, and compare with the interpreter.

Each is compiled once and runs on each of its inputs with one and two threads:
floats within a tolerance, all others exactly. Another run with half of each
float must give floats far outside of it. --step prints what an iteration
takes."""

import argparse
import concurrent.futures
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np

import agreement

RELATIVE = 1e-4
TOLERANCE = ("--rtol", str(RELATIVE), "--atol", "1e-5")
# What half of each float does not change: places of positive numbers, and
# tokens.
UNMOVED = {"where", "tokens"}
HEAD = '<ir_version: 8, opset_import: ["" : 19]>\n'

# The nodes of a tree in postorder: leaves have no children, -1. All states so
# far are in two sequences.
TREE_LSTM = """
tree (float[N, 24] words, int64[N] left, int64[N] right) => (float[1, 16] root)
<float[24, 80] w = {%(w)s}, float[16, 80] l = {%(l)s}, float[16, 80] r = {%(r)s}>
{
  n = Shape<start = 0, end = 1>(words)
  axis = Constant<value = int64[1] {0}>()
  count = Squeeze(n, axis)
  t = Constant<value = bool {1}>()
  none_h = SequenceEmpty<dtype = 1>()
  none_c = SequenceEmpty<dtype = 1>()
  hs, cs = Loop (count, t, none_h, none_c) <body = step
    (int64 i, bool go, seq(float[1, 16]) h_in, seq(float[1, 16]) c_in)
      => (bool go_on, seq(float[1, 16]) h_out, seq(float[1, 16]) c_out) {
    go_on = Identity(go)
    at = Gather(left, i)
    zero = Constant<value = int64 {0}>()
    leaf = Less(at, zero)
    hl, cl, hr, cr = If (leaf) <
      then_branch = blank () => (float[1, 16] h1, float[1, 16] c1,
                                 float[1, 16] h2, float[1, 16] c2) {
        shape = Constant<value = int64[2] {1, 16}>()
        h1 = ConstantOfShape(shape)
        c1 = Identity(h1)
        h2 = Identity(h1)
        c2 = Identity(h1)
      },
      else_branch = children () => (float[1, 16] h1, float[1, 16] c1,
                                    float[1, 16] h2, float[1, 16] c2) {
        at2 = Gather(right, i)
        h1 = SequenceAt(h_in, at)
        c1 = SequenceAt(c_in, at)
        h2 = SequenceAt(h_in, at2)
        c2 = SequenceAt(c_in, at2)
      }>
    axis0 = Constant<value = int64[1] {0}>()
    row = Gather(words, i)
    x = Unsqueeze(row, axis0)
    gx = MatMul(x, w)
    gl = MatMul(hl, l)
    gr = MatMul(hr, r)
    g0 = Add(gx, gl)
    g = Add(g0, gr)
    gi, go1, gu, f1, f2 = Split<axis = 1, num_outputs = 5>(g)
    si = Sigmoid(gi)
    so = Sigmoid(go1)
    su = Tanh(gu)
    s1 = Sigmoid(f1)
    s2 = Sigmoid(f2)
    iu = Mul(si, su)
    k1 = Mul(s1, cl)
    k2 = Mul(s2, cr)
    k = Add(k1, k2)
    c = Add(iu, k)
    tc = Tanh(c)
    h = Mul(so, tc)
    h_out = SequenceInsert(h_in, h)
    c_out = SequenceInsert(c_in, c)
  }>
  last = Constant<value = int64 {-1}>()
  root = SequenceAt(hs, last)
}
"""

# Keeps the best four of all continuations, until the best one ends with token 0
# or there are enough.
BEAM_SEARCH = """
beam (int64[4, 1] begin, float[4] first, int64 most, float[24, 16] e, float[16, 24] o)
  => (int64[4, L] tokens, float[4] scores)
{
  t = Constant<value = bool {1}>()
  tokens, scores = Loop (most, t, begin, first) <body = step
    (int64 i, bool go, int64[4, S] old, float[4] sum)
      => (bool go_on, int64[4, S1] all, float[4] best) {
    axis = Constant<value = int64[1] {1}>()
    minus = Constant<value = int64 {-1}>()
    last = Gather<axis = 1>(old, minus)
    x = Gather(e, last)
    y = MatMul(x, o)
    p = LogSoftmax<axis = 1>(y)
    s = Unsqueeze(sum, axis)
    q = Add(p, s)
    flat = Constant<value = int64[1] {-1}>()
    line = Reshape(q, flat)
    k = Constant<value = int64[1] {4}>()
    best, which = TopK(line, k)
    width = Constant<value = int64 {24}>()
    from = Div(which, width)
    token = Mod(which, width)
    kept = Gather(old, from)
    column = Unsqueeze(token, axis)
    all = Concat<axis = 1>(kept, column)
    zero = Constant<value = int64 {0}>()
    first1 = Gather(token, zero)
    ends = Equal(first1, zero)
    go_on = Not(ends)
  }>
}
"""

# A loop in a loop; the inner one runs as often as the outer one has.
NESTED = """
nested (float[M, N] x, int64 n) => (float[M, N] y, float[T, M, N] all)
{
  t = Constant<value = bool {1}>()
  y, all = Loop (n, t, x) <body = outer (int64 i, bool c, float[M, N] a)
      => (bool c1, float[M, N] b, float[M, N] out) {
    c1 = Identity(c)
    b = Loop (i, c, a) <body = inner (int64 j, bool d, float[M, N] u)
        => (bool d1, float[M, N] v) {
      d1 = Identity(d)
      w = Sub(u, x)
      v = Tanh(w)
    }>
    out = Neg(b)
  }>
}
"""

# Two branches of different lengths; what follows takes either.
LENGTHS = """
lengths (float[N, 8] x) => (float[8] y, float[M, 8] z)
{
  axes = Constant<value = int64[2] {0, 1}>()
  s = ReduceSum<keepdims = 0>(x, axes)
  zero = Constant<value = float {0}>()
  c = Greater(s, zero)
  z = If (c) <
    then_branch = twice () => (float[P, 8] a) { a = Concat<axis = 0>(x, x) },
    else_branch = once () => (float[Q, 8] b) { b = Neg(x) }>
  axis = Constant<value = int64[1] {0}>()
  y = ReduceSum<keepdims = 0>(z, axis)
}
"""

# What is positive, in rows that hold something.
NONZERO = """
found (float[N, M] x) => (float[P] y, int64[2, P] where, float[R, M] rows)
{
  zero = Constant<value = float {0}>()
  c = Greater(x, zero)
  where = NonZero(c)
  at = Transpose(where)
  y = GatherND(x, at)
  axis = Constant<value = int64[1] {1}>()
  most = ReduceMax<keepdims = 0>(x, axis)
  some = Greater(most, zero)
  kept = Compress<axis = 0>(x, some)
  rows = Exp(kept)
}
"""

# A recurrence as a Scan, forwards and backwards.
SCAN = """
scan (float[B, 4] h0, float[T, B, 4] x) => (float[B, 4] h, float[T, B, 4] ys, float[T, B, 4] zs)
{
  h, ys = Scan<num_scan_inputs = 1, body = step (float[B, 4] a, float[B, 4] u)
      => (float[B, 4] b, float[B, 4] out) {
    v = Add(a, u) b = Tanh(v) out = Identity(b) }>(h0, x)
  k, zs = Scan<num_scan_inputs = 1, scan_input_directions = [1],
      scan_output_directions = [1], body = back (float[B, 4] a, float[B, 4] u)
      => (float[B, 4] b, float[B, 4] out) {
    v = Sub(a, u) b = Tanh(v) out = Identity(b) }>(h0, x)
}
"""

RANDOM = np.random.default_rng(11)


def floats(*shape):
    return RANDOM.standard_normal(shape).astype(np.float32)


def listed(*shape):
    return ", ".join(f"{v:.5f}" for v in (floats(*shape) / 4).flat)


def tree(leaves):
    """A tree of so many leaves, built by joining random neighbours."""
    left, right, open_nodes = [], [], []
    while len(open_nodes) > 1 or leaves:
        if leaves and (len(open_nodes) < 2 or RANDOM.random() < 0.5):
            leaves -= 1
            children = -1, -1
        else:
            second = open_nodes.pop()
            children = open_nodes.pop(), second
        open_nodes.append(len(left))
        left.append(children[0])
        right.append(children[1])
    return {"words": floats(len(left), 24), "left": np.array(left),
            "right": np.array(right)}


def beam(most, bias):
    out = floats(16, 24)
    out[:, 0] += bias
    return {"begin": RANDOM.integers(1, 24, (4, 1)), "first": floats(4),
            "most": np.array(most), "e": floats(24, 16), "o": out}


#: name: text, inputs, and the iterations of each input.
NETWORKS = {
    "tree_lstm": (TREE_LSTM % {"w": listed(24, 80), "l": listed(16, 80),
                               "r": listed(16, 80)},
                  [tree(1), tree(2), tree(7), tree(20)], [1, 3, 13, 39]),
    "beam_search": (BEAM_SEARCH, [beam(5, 0), beam(12, 0), beam(12, 0.3),
                                  beam(0, 0)], [5, 12, 12, 0]),
    "nested": (NESTED, [{"x": floats(2, 3), "n": np.array(n)}
                        for n in (0, 1, 4)], [0, 0, 6]),
    "lengths": (LENGTHS, [{"x": np.abs(floats(3, 8))},
                          {"x": -np.abs(floats(5, 8))},
                          {"x": floats(0, 8)}], None),
    "nonzero": (NONZERO, [{"x": floats(4, 5)}, {"x": -np.abs(floats(3, 2))},
                          {"x": np.abs(floats(1, 7))}, {"x": floats(0, 5)}],
                None),
    "scan": (SCAN, [{"h0": floats(b, 4), "x": floats(t, b, 4)}
                    for b, t in ((1, 1), (3, 5), (2, 0))], [2, 10, 0]),
}


def execute(*command):
    done = subprocess.run([str(word) for word in command], timeout=300,
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {done.stderr.strip()}")
    return done.stdout


def given_by(feeds, folder):
    options = []
    for name, values in feeds.items():
        np.save(folder / f"{name}.npy", values)
        options += ["--input", f"{name}={folder / name}.npy"]
    return options


def compare(model, artifact, feeds, folder):
    """The outputs, which agree with the interpreter's; else an error."""
    inputs, want = given_by(feeds, folder), folder / "want"
    execute("tenon-run", "--interpret", model, *inputs, "--output-dir", want)
    wanted = []
    for path in sorted(want.glob("*.npy")):
        wanted += ["--expect", f"{path.stem}={path}"]
    if not wanted:
        raise RuntimeError("the interpreter gave nothing")
    for threads in (1, 2):
        execute("tenon-run", artifact, *inputs, "--threads", threads, *wanted,
                *TOLERANCE)
    return agreement.read(want)


def changed(feeds):
    """The same sizes, lengths and decisions with other floats."""
    return {name: value * np.float32(0.5) if value.dtype.kind == "f" else value
            for name, value in feeds.items()}


def weak(artifact, feeds, want, folder):
    """Outputs that are near those for other floats, one line each."""
    if any(value.dtype.kind == "f" and not value.size
           for value in feeds.values()):
        return []  # There are no other numbers of no rows.
    folder.mkdir()
    execute("tenon-run", artifact, *given_by(changed(feeds), folder),
            "--output-dir", folder / "other")
    other = agreement.read(folder / "other")
    return [f"{name}: {text}" for name, (_, values) in want.items()
            if values.size and name not in UNMOVED and
            (text := agreement.weakness(values, other[name][1], RELATIVE))]


def step(artifact, feeds, iterations, folder):
    text = execute("tenon-run", artifact, *given_by(feeds, folder),
                   "--threads", 1, "--benchmark", "--json")
    return json.loads(text)["min_ms"] * 1000 / iterations


def check(name, given, folder):
    text, inputs, iterations = NETWORKS[name]
    model, artifact = folder / f"{name}.onnxtxt", folder / f"{name}.tenon"
    model.write_text(HEAD + text)
    failures = []
    try:
        execute("tenon-compile", model, "-o", artifact, "--quiet",
                f"--mcpu={given.mcpu}")
        for number, feeds in enumerate(inputs):
            place = folder / f"{name}.{number}"
            place.mkdir()
            want = compare(model, artifact, feeds, place)
            failures += [f"{name} {number}: {line}" for line in weak(
                artifact, feeds, want, folder / f"{name}.{number}.other")]
            if given.step and iterations and iterations[number]:
                time = step(artifact, feeds, iterations[number], place)
                print(f"{name} {number}: {time:.2f} us for an iteration")
    except RuntimeError as wrong:
        failures.append(f"{name}: {wrong}")
    return failures


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--mcpu", default="native", metavar="NAME")
    parser.add_argument("--step", action="store_true")
    parser.add_argument("names", nargs="*", default=list(NETWORKS),
                        help="only these networks")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(1 if given.step else 2) as pool:
        results = pool.map(
            lambda name: check(name, given, pathlib.Path(folder)), given.names)
        failures = [text for result in results for text in result]
    for text in failures:
        print(text, file=sys.stderr)
    print(f"{len(given.names)} networks, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
