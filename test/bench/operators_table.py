# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds measured operators against the roof of the machine, and prints it.

Ratios are of fastest runs, Tenon's time over the peer's: below 1 Tenon is
faster. The roof is what `tenon-run --roof` measures (lib/Run/Roof.h): rates of
memory right before and after an operator, because neighbours use the same."""

import math

PEAK_BAR, READ_BAR = 0.75, 0.80
# What a polynomial, a root or a quotient for each element binds: neither roof
# counts those.
FUNCTIONS = {"Softmax", "LRN", "Erf", "Gelu", "Tanh", "Sigmoid", "Exp", "Log",
             "Pow", "Sqrt", "Softplus", "Swish", "Mish", "Elu", "Selu"}
# Bits of vectors, by rows of the target table; all others have 512.
VECTOR_BITS = {"avx2": 256, "neon": 128, "baseline": 128}
# Below so many microseconds at the roof, calls count for more than kernels.
LEAST_WORK = 10.0


def place_text(rate):
    """L3 has several rates: its name alone does not tell which."""
    if rate["place"] != "L3":
        return rate["place"]
    return f"L3 to {rate['bytes'] / 2**20:.0f} MiB"


def best(runs):
    """The highest of each rate: neighbours can only lower one."""
    return [max(rates, key=lambda rate: rate["gbytes"]) for rates in zip(*runs)]


class Roof:
    """The best of what some runs of `tenon-run --roof` measured."""

    def __init__(self, runs):
        self.threads = runs[0]["threads"]
        self.peaks = [peak for run in runs for peak in run["peaks"]]
        self.reads = best(run["reads"] for run in runs)
        self.copies = best(run["copies"] for run in runs)

    def peak(self, target=""):
        """GFLOP/s of vectors as wide as `target` has them, or narrower."""
        bits = VECTOR_BITS.get(target, 512)
        return max(peak["gflops"] for peak in self.peaks
                   if peak["vector_bits"] <= bits)

    def cache_bytes(self):
        """Of the largest cache."""
        return max((r["bytes"] for r in self.reads if "bytes" in r), default=0)

    def rates(self, size):
        """GB/s of reading and copying in the smallest place that holds `size`
        bytes."""
        return next((r["gbytes"], c["gbytes"])
                    for r, c in zip(self.reads, self.copies)
                    if size <= r.get("bytes", math.inf))

    def read_rate(self, size):
        return self.rates(size)[0]

    def write_rate(self, size):
        """What copying takes beyond reading half of its bytes."""
        read, copy = self.rates(size)
        return 1 / max(2 / copy - 1 / read, 1 / read)

    def text(self):
        reads = ", ".join(f"{place_text(r)} {r['gbytes']:.1f} GB/s"
                          for r in self.reads)
        return (f"{self.threads} threads: {self.peak():.1f} "
                f"GFLOP/s, {reads}")


def judge(row, roof, gflops):
    """Adds to a row what its kernels reach of the roof, whose peak, which no
    neighbour lowers, is `gflops`. Data comes from the smallest place that holds
    all that was met since: by a run, between two kernels; by a run and what
    cools weights down, between two runs. Cold weights take what reading as many
    bytes took in the same rhythm, where that was measured: a cache that others
    use does not hold what was not met for a while."""
    weights = row["weight_bytes"] if row["cold"] else 0
    own = max(row["bytes"] - weights, 0)
    stored = min(row["stored_bytes"], own)
    compute = row["flops"] / gflops / 1e3
    near, far = row["run_bytes"], row["footprint_bytes"]
    read = (stored / roof.write_rate(far) +
            (own - stored) / roof.read_rate(near)) / 1e3
    read += row["weights_us"] or weights / roof.read_rate(far) / 1e3
    # The smallest kernels are over within a tick of the clock.
    time = max(row["kernel_us"], 1e-3)
    row["of_peak"], row["of_read"] = compute / time, read / time
    row["bound"] = "compute" if compute > read else "memory"
    if row["shape"].split()[0] in FUNCTIONS:
        row["bound"] = "function"
    row["roof_us"] = max(compute, read)
    return row


def of_roof(row):
    return row["of_peak" if row["bound"] == "compute" else "of_read"]


def has_work(row):
    return row["bound"] != "function" and row["roof_us"] >= LEAST_WORK


def is_weak(row):
    bar = PEAK_BAR if row["bound"] == "compute" else READ_BAR
    return has_work(row) and of_roof(row) < bar


def geometric_mean(values):
    return math.exp(sum(math.log(max(v, 1e-9)) for v in values) / len(values))


def cells(row, peers):
    return [row["shape"], f"{row['tenon_us']:.1f}", f"{row['kernel_us']:.1f}",
            f"{100 * row['of_peak']:.0f} %", f"{100 * row['of_read']:.0f} %",
            row["bound"], *(f"{row[f'of_{p}']:.2f}" for p in peers),
            str(row["uses"])]


def line(parts):
    return "| " + " | ".join(parts) + " |"


def table_head(peers):
    names = ["shape", "µs", "kernels µs", "of peak", "of read", "bound",
             *(f"/ {p}" for p in peers), "uses"]
    return line(names) + "\n" + "|---" * len(names) + "|"


def peers_text(rows, peers):
    parts = []
    for peer in peers:
        ratios = [row[f"of_{peer}"] for row in rows]
        parts.append(f"/ {peer} {geometric_mean(ratios):.2f} "
                     f"(worst {max(ratios):.2f})")
    return ", ".join(parts)


def roof_text(rows):
    """How the rows with enough work stand."""
    shares = [of_roof(row) for row in rows if has_work(row)]
    if not shares:
        return "none with enough work for the roof"
    met = len(shares) - sum(map(is_weak, rows))
    return (f"{len(shares)} with enough work for the roof reach "
            f"{100 * geometric_mean(shares):.0f} % of it (least "
            f"{100 * min(shares):.0f} %), {met} are at the bar")


def lost(row):
    """Microseconds above the roof in one run of all models."""
    return (row["kernel_us"] - row["roof_us"]) * row["uses"]


def weak_text(rows):
    """The rows below the bars, those first where most is to gain."""
    weak = sorted(filter(is_weak, rows), key=lost, reverse=True)
    if not weak:
        return []
    heading = (f"\nBelow {100 * PEAK_BAR:.0f} % of the peak or "
               f"{100 * READ_BAR:.0f} % of the reading rate, most time above "
               "the roof first:")
    return [heading] + [
        f"- {100 * of_roof(row):.0f} % ({row['bound']}), {row['uses']} x "
        f"{row['kernel_us'] - row['roof_us']:.0f} µs: {row['shape']}, in "
        f"{row['models']}" for row in weak]


def family_text(family, rows, peers):
    """One family: its table, its means, and what is below the bars."""
    return "\n".join([
        f"\n### {family}", table_head(peers),
        *(line(cells(row, peers)) for row in rows),
        f"\n{len(rows)} shapes: {peers_text(rows, peers)}; {roof_text(rows)}",
        *weak_text(rows)])
