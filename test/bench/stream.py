# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run silero-vad over speech, chunk by chunk, beside ONNX Runtime.

The speech is read by espeak-ng, if that is there, else it is hum and noise in
turns. Each variant of the model that takes chunks runs at each rate that it
knows; probabilities must agree, and a figure is microseconds for a chunk, the
fastest pass of each engine on one thread."""

import argparse
import io
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import wave

import numpy
import onnxruntime

import figures
from figures import ROOT

SECONDS = 30
TEXT = ("The quick brown fox jumps over the lazy dog. "
        "Pack my box with five dozen liquor jugs, and wait. ") * 12
#: The rates that a variant knows. One of half precision inside and one for a
#: fixed batch take no rate.
VARIANTS = {
    "silero_vad": (16000, 8000),
    "silero_vad_16k_op15": (16000,),
    "silero_vad_half": (16000,),
    "silero_vad_op18_ifless": (16000, 8000),
    "silero_vad_openvino_16k": (16000,),
}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--models", type=pathlib.Path, required=True,
                        help="the folder of silero-vad's .onnx files")
    figures.add_options(parser)
    return parser.parse_args()


def spoken():
    """(samples, rate) of the text as espeak-ng reads it."""
    done = subprocess.run(["espeak-ng", "--stdout", TEXT], check=True,
                          capture_output=True)
    with wave.open(io.BytesIO(done.stdout)) as file:
        rate = file.getframerate()
        frames = file.readframes(file.getnframes())
    return numpy.frombuffer(frames, numpy.int16) / 32768.0, rate


def hummed():
    rate = 22050
    at = numpy.arange(SECONDS * rate) / rate
    voice = sum(numpy.sin(2 * numpy.pi * 130 * k * at) / k for k in range(1, 9))
    noise = numpy.random.default_rng(3).standard_normal(len(at)) * 0.05
    return 0.2 * voice * (at % 2 < 1) + noise, rate


def speech(rate):
    samples, own = spoken() if shutil.which("espeak-ng") else hummed()
    wanted = numpy.arange(SECONDS * rate) * own / rate
    return numpy.interp(wanted, numpy.arange(len(samples)),
                        samples).astype(numpy.float32)


def run_tenon(given, model, samples, rate, folder):
    artifact, chunks, out = (folder / name for name in
                             ("m.tenon", "in.f32", "out.f32"))
    samples.tofile(chunks)
    subprocess.run([given.build_dir / "bin" / "tenon-compile", model, "-o",
                    artifact, "--quiet"], check=True)
    done = subprocess.run([given.build_dir / "bin" / "stream", artifact, chunks,
                           str(rate), out], check=True, capture_output=True,
                          text=True)
    return numpy.fromfile(out, numpy.float32), float(done.stdout)


def run_runtime(model, samples, rate):
    setup = onnxruntime.SessionOptions()
    setup.intra_op_num_threads = 1
    setup.log_severity_level = 4
    session = onnxruntime.InferenceSession(
        model, setup, providers=["CPUExecutionProvider"])
    takes = {value.name for value in session.get_inputs()}
    chunk = rate // 125 * 4
    best = float("inf")
    for _ in range(3):
        state = numpy.zeros((2, 1, 128), numpy.float32)
        feed = numpy.zeros((1, chunk + chunk // 8), numpy.float32)
        found = []
        begin = time.perf_counter()
        for first in range(0, len(samples) // chunk * chunk, chunk):
            feed = numpy.concatenate(
                [feed[:, chunk:], samples[None, first:first + chunk]], 1)
            feeds = {"input": feed, "state": state}
            if "sr" in takes:
                feeds["sr"] = numpy.array(rate, numpy.int64)
            probability, state = session.run(None, feeds)
            found.append(probability[0, 0])
        best = min(best, (time.perf_counter() - begin) / len(found))
    return numpy.array(found), best * 1e6


def main():
    given = options()
    rows, bad = [], 0
    with tempfile.TemporaryDirectory() as name:
        for variant, rates in VARIANTS.items():
            model = given.models / f"{variant}.onnx"
            for rate in rates:
                samples = speech(rate)
                ours, time_of_ours = run_tenon(given, model, samples, rate,
                                               pathlib.Path(name))
                theirs, time_of_theirs = run_runtime(str(model), samples, rate)
                error = numpy.abs(ours - theirs).max()
                bad += error > 1e-3
                print(f"{variant} {rate}: {len(ours)} chunks, "
                      f"{(ours > 0.5).mean():.0%} speech, "
                      f"largest difference {error:.1e}", flush=True)
                rows += [(1, f"{rate} Hz", variant, "", f"{time_of_ours:.1f}",
                          "us"),
                         (1, f"{rate} Hz", variant, "ONNX Runtime",
                          f"{time_of_ours / time_of_theirs:.2f}", "ratio")]
    for row in rows:
        print(*row)
    figures.append(given, rows)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
