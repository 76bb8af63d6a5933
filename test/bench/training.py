# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Train networks that torch exports, and the same in torch on this processor:
the loss and all gradients of the first step, parameters after it, the losses of
more steps, the time of a step and the memory that it takes. The status is 1
where a figure is wrong.

What rounding may change is taken from torch itself, in f64: gradients may be off
by 1e-4 of their scale, or by a few times what torch in f32 is off, where sums
cancel. Losses of later steps may be off by a few times what those of torch are,
as it is or when weights are changed by a millionth: with batches of eight that
is a lot.
Times are processor time of one thread, so that other work on the
machine counts little; engines take turns, and medians are told."""

import argparse
import copy
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import numpy
import torch
from torch.profiler import ProfilerActivity, profile

import figures
import training_networks
from figures import ROOT

BATCHES = 4
TOLERANCE, TIMES_TORCH, UNKNOWN = 1e-4, 8, 1e-2
OPTIMISERS = {"sgd": ("sgd(momentum=0.9)", "momentum", 1),
              "adamw": ("adamw(weight_decay=0.01)", "mean", .1)}


def options():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("networks", nargs="*",
                        default=list(training_networks.NETWORKS))
    parser.add_argument("--build-dir", type=pathlib.Path,
                        default=ROOT / "build" / "release")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=5,
                        help="of timing; 0: none")
    parser.add_argument("--modes", nargs="+", default=["eager", "compile"],
                        choices=["eager", "compile"], help="of torch, timed")
    figures.add_options(parser)
    return parser.parse_args()


#===-- Torch ---------------------------------------------------------------===#

class Torch:
    """A network in training mode, and what it has been through."""

    def __init__(self, network, optimiser, rate, batches, compiled=False):
        self.network = network
        self.optimiser = training_networks.optimiser_of(optimiser, network,
                                                        rate)
        self.call = torch.compile(network) if compiled else network
        self.batches, self.losses = batches, []

    def step(self):
        x, labels = self.batches[len(self.losses) % len(self.batches)]
        loss = torch.nn.functional.cross_entropy(self.call(x), labels)
        loss.backward()
        self.optimiser.step()
        self.losses.append(loss.item())

    def run(self, steps):
        for _ in range(steps):
            self.optimiser.zero_grad()
            self.step()

    @torch.no_grad()
    def change(self):
        for p in self.network.parameters():
            p.mul_(1 + 1e-6 * torch.randn_like(p))

    def gradients(self):
        return {name: p.grad.numpy()
                for name, p in self.network.named_parameters()}

    def parameters(self):
        return {name: p.detach().numpy().copy()
                for name, p in self.network.named_parameters()}

    def means(self):
        """Of normalisations. Their variances are unbiased, as ONNX's are
        not."""
        return {name: b.numpy().copy()
                for name, b in self.network.named_buffers()
                if name.endswith("running_mean")}

    def seconds(self, steps):
        start = time.process_time()
        self.run(steps)
        return (time.process_time() - start) / steps

    def peak(self, folder):
        """The most bytes that a step allocates at once."""
        self.optimiser.zero_grad()
        with profile(activities=[ProfilerActivity.CPU],
                     profile_memory=True) as profiled:
            self.step()
        profiled.export_chrome_trace(str(folder / "trace.json"))
        events = json.loads((folder / "trace.json").read_text())["traceEvents"]
        held = [event["args"]["Total Allocated"] for event in events
                if event.get("name") == "[memory]"]
        return max(held) - min(0, *held)


def in_f64(batches):
    return [(x.double() if x.is_floating_point() else x, labels)
            for x, labels in batches]


#===-- Tenon ---------------------------------------------------------------===#

def read_safetensors(path):
    data = path.read_bytes()
    begin = 8 + int.from_bytes(data[:8], "little")
    tensors = {}
    for name, entry in json.loads(data[8:begin]).items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        first, end = entry["data_offsets"]
        tensors[name] = numpy.frombuffer(
            data[begin + first:begin + end], "f4").reshape(entry["shape"])
    return tensors


class Tenon:
    def __init__(self, given, folder, optimiser, rate, batches):
        self.bin, self.folder = given.build_dir / "bin", folder
        for name, column in (("x", 0), ("labels", 1)):
            numpy.save(folder / f"{name}.npy", numpy.concatenate(
                [batch[column].numpy() for batch in batches]))
        self.rate = rate
        self.execute("tenon-compile", folder / "model.onnx", "--train",
                     "--loss=cross_entropy",
                     f"--optimizer={OPTIMISERS[optimiser][0]}", "-o",
                     folder / "step.tenon", "--quiet", "--report",
                     folder / "report.json")

    def execute(self, program, *words):
        """Seconds of processor time."""
        with open(self.folder / "log", "w+b") as log:
            process = subprocess.Popen(
                [str(self.bin / program), *map(str, words)], stdout=log,
                stderr=log)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            log.seek(0)
            if status:
                sys.exit(log.read().decode())
        return usage.ru_utime + usage.ru_stime

    def run(self, steps, *words):
        return self.execute(
            "tenon-run", self.folder / "step.tenon", "--threads", 1, "--data",
            f"x={self.folder / 'x.npy'}", "--data",
            f"labels={self.folder / 'labels.npy'}", "--steps", steps, "--lr",
            self.rate, *words)

    def state(self):
        """Parameters and moments after one step."""
        path = self.folder / "one.safetensors"
        self.run(1, "--save-state", path)
        return read_safetensors(path)

    def losses(self, steps):
        path = self.folder / "losses.csv"
        self.run(steps, "--loss-curve", path)
        return [float(line.split(",")[1])
                for line in path.read_text().split()[1:]]

    def seconds(self, steps):
        return (self.run(steps + 1) - self.run(1)) / steps

    def bytes(self):
        """Of the arena, scratch and results."""
        report = json.loads((self.folder / "report.json").read_text())
        return report["arena_bytes"] + report["scratch_bytes"]


#===-- Comparison ----------------------------------------------------------===#

def distance(got, want):
    """The largest difference, as a part of the largest value."""
    return float(abs(got - want).max() / max(abs(want).max(), 1e-30))


class Comparison:
    """What is off, and the largest of what is not to be blamed on torch."""

    def __init__(self):
        self.wrong = []

    def tensors(self, what, got, torch32, torch64):
        """The largest distance from torch in f32 of tensors that torch itself
        knows that well."""
        worst = 0
        for name, want in torch64.items():
            if name not in got:
                self.wrong.append(f"{what} of {name} are not there")
                continue
            off = distance(got[name], want)
            own = distance(torch32[name], want)
            if own > UNKNOWN:  # Nothing but rounding errors.
                continue
            if not off <= max(TOLERANCE, TIMES_TORCH * own):
                self.wrong.append(f"{what} of {name}: off by {off:.2g} of the "
                                  f"scale, torch by {own:.2g}")
            if own <= TOLERANCE / TIMES_TORCH:
                worst = max(worst, off)
        return worst

    def losses(self, got, others, torch64):
        """Parts of the first loss: small ones say little of themselves."""
        got, others, torch64 = map(numpy.array, (got, others, torch64))
        off = abs(got - torch64) / torch64[0]
        own = numpy.maximum.accumulate(
            abs(others - torch64).max(0) / torch64[0])
        late = off > numpy.maximum(TOLERANCE, TIMES_TORCH * own)
        if late.any():
            self.wrong.append(f"the loss of step {late.argmax() + 1} is off by "
                              f"{off[late.argmax()]:.2g}")
        return off.max(), own.max()


class Network:
    def __init__(self, given, name, folder):
        make, batch, self.optimiser, self.rate = \
            training_networks.NETWORKS[name]
        self.name, self.given, self.folder = name, given, folder
        torch.manual_seed(0)
        self.made = make().train()
        self.batches = [batch() for _ in range(BATCHES)]
        # This counts as a batch for running statistics.
        training_networks.export(self.made, self.batches[0][0],
                                 folder / "model.onnx")
        self.tenon = Tenon(given, folder, self.optimiser, self.rate,
                           self.batches)
        self.is_wrong = False

    def torch(self, compiled=False, double=False):
        made = copy.deepcopy(self.made)
        if double:
            return Torch(made.double(), self.optimiser, self.rate,
                         in_f64(self.batches))
        return Torch(made, self.optimiser, self.rate, self.batches, compiled)

    def compare(self):
        """Rows of what one step and many do."""
        check, eager, exact = Comparison(), self.torch(), self.torch(double=True)
        state = self.tenon.state()
        eager.run(1)
        exact.run(1)
        _, moment, factor = OPTIMISERS[self.optimiser]
        gradients = {name: state[f"{name}.{moment}"] / factor
                     for name in eager.gradients()
                     if f"{name}.{moment}" in state}
        rows = [("gradients of a step", check.tensors(
                    "gradients", gradients, eager.gradients(),
                    exact.gradients())),
                ("parameters after a step", check.tensors(
                    "parameters", state, eager.parameters(),
                    exact.parameters()))]
        if eager.means():
            rows.append(("running means after a step", check.tensors(
                "means", state, eager.means(), exact.means())))
        changed = self.torch()
        changed.change()
        changed.run(self.given.steps)
        eager.run(self.given.steps - 1)
        exact.run(self.given.steps - 1)
        off, own = check.losses(self.tenon.losses(self.given.steps),
                                [eager.losses, changed.losses], exact.losses)
        rows.append((f"losses of {self.given.steps} steps", off))
        self.is_wrong |= bool(check.wrong)
        print(*(f"{self.name}: {text}" for text in check.wrong), sep="\n",
              end="\n" if check.wrong else "", file=sys.stderr)
        rows = [(what, "torch 64", f"{off:.2e}", "of the scale")
                for what, off in rows]
        return rows + [(f"losses of {self.given.steps} steps, torch 32, also "
                        "from weights changed by 1e-6", "torch 64", f"{own:.2e}", "of the scale")]

    def times(self):
        """Engines in turn."""
        engines = {mode: self.torch(compiled=mode == "compile")
                   for mode in self.given.modes}
        for name, engine in list(engines.items()):
            try:
                engine.run(2)
            except Exception as error:  # Whatever its compiler does not like.
                print(f"{self.name}: torch {name}: {error}", file=sys.stderr)
                del engines[name]
        engines["Tenon"] = self.tenon
        steps, taken = 8, {name: [] for name in engines}
        for _ in range(self.given.rounds):
            for name, engine in engines.items():
                taken[name].append(engine.seconds(steps))
        ms = {name: 1e3 * statistics.median(times)
              for name, times in taken.items()}
        rows = [("time of a step", name, f"{time:.2f}", "ms")
                for name, time in ms.items()]
        best = min(time for name, time in ms.items() if name != "Tenon")
        return rows + [("time of a step", "the better of torch's",
                        f"{ms['Tenon'] / best:.3f}", "x")]

    def memory(self):
        eager, results = self.torch(), 0
        eager.run(2)
        with torch.no_grad():
            results = 4 * self.made(self.batches[0][0]).numel()
        ours, peak = self.tenon.bytes() + results, eager.peak(self.folder)
        return [("memory of a step", "Tenon", ours, "bytes"),
                ("memory of a step", "eager", peak, "bytes"),
                ("memory of a step", "eager's", f"{ours / peak:.3f}", "x")]


def measure(given, name):
    with tempfile.TemporaryDirectory() as folder:
        network = Network(given, name, pathlib.Path(folder))
        rows = network.compare()
        if given.rounds:
            rows += network.times() + network.memory()
    shape = f"{name}, batch {len(network.batches[0][0])}"
    rows = [(1, shape, *row) for row in rows]
    for row in rows:
        print(*row[1:], sep=", ", flush=True)
    figures.append(given, rows)
    return not network.is_wrong


def main():
    warnings.filterwarnings("ignore")
    torch.set_num_threads(1)
    given = options()
    results = [measure(given, name) for name in given.networks]
    sys.exit(0 if all(results) else 1)


main()
