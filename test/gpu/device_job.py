# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One model, batch and precision on a device, for measure-models: Tenon's side
and PyTorch's. `chosen` has its options and `build`, `folder` and `commit`."""

import dataclasses
import datetime
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import gpus
import peers

HERE = pathlib.Path(__file__).resolve().parent
TURN = 90  # seconds that PyTorch may take to be timed


@dataclasses.dataclass
class Job:
    model: str
    batch: int
    precision: str
    path: str = ""
    artifact: pathlib.Path | None = None
    facts: dict = dataclasses.field(default_factory=dict)
    worker: subprocess.Popen | None = None
    ready: dict | None = None

    @property
    def shape(self):
        return self.model if self.batch == 1 else f"{self.model} x{self.batch}"


def tell(job, **figures):
    print(json.dumps({"model": job.shape, "precision": job.precision,
                      **figures}), flush=True)


def run(command, seconds=300):
    """What it printed; raises with its last words."""
    done = subprocess.run([str(word) for word in command], timeout=seconds,
                          capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError((done.stderr or done.stdout).strip()[-400:])
    return done.stdout


#===-- Tenon --------------------------------------------------------------===#

def tool(chosen, name):
    return chosen.build / "bin" / name


def build(chosen, job):
    job.artifact = chosen.folder / \
        f"{job.model}@{job.batch}.{job.precision}.tenon"
    run([tool(chosen, "tenon-compile"), job.path, "-o", job.artifact,
         "--quiet", "--device=cuda", f"--precision={job.precision}",
         "--mcpu=x86-64-v3"])


def error_between(wanted, got):
    """The largest of all outputs."""
    import agreement
    have = agreement.read(got)
    return max(agreement.error(want, have[name][1])
               for name, (_, want) in agreement.read(wanted).items())


def results(chosen, job, device, seed):
    """The folder of the outputs for an input."""
    folder = job.artifact.with_suffix(f".{device}{seed}")
    run([tool(chosen, "tenon-run"), job.artifact, "--input", f"random:{seed}",
         f"--device={device}", "--output-dir", folder])
    return folder


def check(chosen, job):
    wanted = results(chosen, job, "cpu", 1)
    facts = json.loads(run([tool(chosen, "tenon-run"), job.artifact,
                            "--device=cuda", "--input", "random:1",
                            "--benchmark", "--runs=1", "--json"]))
    loaded = [v["name"] for v in facts["variants"] if v["loaded"]]
    job.facts = {
        "device": facts["device"], "variant": loaded[0],
        "error": error_between(wanted, results(chosen, job, "cuda", 1)),
        "change": error_between(wanted, results(chosen, job, "cpu", 2))}


def prepare(chosen, job):
    """Compiles and compares; without an artifact where that failed."""
    try:
        build(chosen, job)
        check(chosen, job)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        tell(job, error=str(error))
        job.artifact.unlink(missing_ok=True)
        job.artifact = None


def time_tenon(chosen, job):
    """Milliseconds, by a process of its own, since a fault takes its device
    with it."""
    found = json.loads(run(
        [sys.executable, "-B", HERE / "runtime.py",
         chosen.build / "lib" / "libtenon-runtime.so", job.artifact,
         chosen.runs]))
    job.artifact.unlink()
    return found["device_us"] / 1e3


#===-- PyTorch ------------------------------------------------------------===#

def start_worker(chosen, job):
    environment = {**os.environ, "TORCHINDUCTOR_COMPILE_THREADS": "1",
                   "OMP_NUM_THREADS": "1"}
    job.worker = subprocess.Popen(
        [sys.executable, "-B", HERE / "peers.py"], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=environment)
    job.worker.stdin.write(json.dumps(
        {"model": job.model, "batch": job.batch, "precision": job.precision,
         "path": job.path, "device": "cpu" if chosen.is_try else "cuda"}) +
        "\n")
    job.worker.stdin.flush()


def line_of(job, seconds):
    """The next line of a worker; one that is late is ended."""
    late = threading.Timer(max(seconds, 1), job.worker.kill)
    late.start()
    for line in job.worker.stdout:
        if line.startswith("{") and line.endswith("\n"):
            late.cancel()
            return json.loads(line)
    late.cancel()
    return {"torch_error": "ended, or took too long"}


def wait_for_workers(wave, until):
    for job in wave:
        if job.worker:
            job.ready = line_of(job, until - time.monotonic())
            tell(job, torch_compile=job.ready)


def time_torch(job):
    if not job.worker or "seconds" not in job.ready:
        return {}
    try:
        job.worker.stdin.write("\n")
        job.worker.stdin.flush()
    except BrokenPipeError:
        pass  # there will be no line
    return line_of(job, TURN)


#===-- Figures -----------------------------------------------------------===#

def rows_of(job, milliseconds, torch):
    yield "a run", "", f"{milliseconds:.3f}", "ms"
    yield "largest error", "", f"{job.facts['error']:.1e}", "ratio"
    yield "another input", "", f"{job.facts['change']:.1e}", "ratio"
    kind = peers.kind_of(job.model)
    for key, names in (("eager", gpus.EAGER), ("compiled", gpus.COMPILED)):
        if key in torch:
            ratio = milliseconds / torch[key]
            yield "a run", names[kind], f"{ratio:.3f}", "ratio"


def measure(chosen, job):
    try:
        milliseconds = time_tenon(chosen, job)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        tell(job, error=str(error))
        return
    torch = time_torch(job)
    tell(job, ms=milliseconds, torch_ms=torch, **job.facts)
    architecture = job.facts["variant"].removeprefix("cuda-")
    gpus.append(chosen.out, (
        datetime.date.today().isoformat(), chosen.commit,
        job.facts["device"], f"{architecture} {job.precision}", "",
        job.shape), rows_of(job, milliseconds, torch))
