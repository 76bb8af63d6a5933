# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The instances of the memory benchmark: files, a generator, models."""

import dataclasses
import pathlib
import random
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "test" / "bench" / "data"
MINIMALLOC = 1048576  # what its instances are known to fit into
TIGHT = {"minimalloc-C": 1039360}  # known to fit into less
LARGE = 60000


@dataclasses.dataclass(frozen=True)
class Instance:
    name: str
    path: pathlib.Path
    capacity: int = 0  # bytes that must be enough; 0: unknown
    seconds: float = 0  # limits; 0: none
    mib: float = 0


def training(count, seed=1):
    """Rows like those of a training step: activations that wait for their
    gradient, temporaries, and buffers that stay for a while."""
    generator = random.Random(seed)
    for i in range(count):
        kind = generator.random()
        size = 512 * int(2 ** (generator.random() * 13))
        born = i
        if kind < 0.1 and i < count // 2:
            dies = count - i
        elif kind < 0.9:
            dies = i + 1 + int(generator.random() ** 2 * 20)
        else:
            dies = i + 1 + int(generator.random() * 500)
        yield i, born, max(born + 1, min(dies, count)), size


def generated(folder):
    path = folder / f"generated-{LARGE}.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write("id,lower,upper,size\n")
        for row in training(LARGE):
            file.write(",".join(map(str, row)) + "\n")
    yield Instance(path.stem, path, seconds=30, mib=1024)


def files(folders):
    for folder in folders:
        for path in sorted(p for p in folder.iterdir()
                           if p.suffix in (".csv", ".txt")):
            fits = MINIMALLOC if path.name.startswith("minimalloc-") else 0
            yield Instance(path.stem, path, capacity=fits)
            if path.stem in TIGHT:
                yield Instance(f"{path.stem}-tight", path,
                               capacity=TIGHT[path.stem])


def known_models(folders):
    """(name, file, shapes) of each model that is already made."""
    try:
        import models
        for model in models.MODELS:
            if model.made():
                yield model.name, model.path(), model.shapes
    except ModuleNotFoundError as missing:
        print(f"models of models.py are left out: no {missing.name}",
              file=sys.stderr)
    for folder in folders:
        for path in sorted(folder.glob("*.onnx")):
            yield path.stem, path, ()


def network(count, seed):
    """A program of random branches that meet again, on one stream."""
    generator = random.Random(seed)
    for i in range(count):
        yield f"tensor t{i} {256 * generator.randint(1, 400)} align 64\n"
    for i in range(count):
        near = range(max(0, i - 12), i)
        reads = sorted(generator.sample(near, min(len(near),
                                                  generator.randint(1, 3))))
        reads = " ".join(f"t{r}" for r in reads)
        yield (f"node n{i} on 0 cost {generator.randint(1, 100)} " +
               (f"reads {reads} " if reads else "") + f"writes t{i}\n")


def networks(folder):
    for seed in (1, 2, 3):
        path = folder / f"network-{seed}.txt"
        path.write_text("".join(network(300, seed)), encoding="utf-8")
        yield Instance(path.stem, path)


def planned(options, folder):
    """What the compiler plans for each model: its buffers, and its launches
    as a program."""
    compiler = options.build_dir / "bin" / "tenon-compile"
    for name, path, shapes in known_models(options.onnx):
        if options.only not in name:
            continue
        command = [compiler, path, "--emit=none", "--quiet"]
        for value, dims in shapes:
            command += ["--shape", f"{value}={'x'.join(map(str, dims))}"]
        for kind in ("csv", "txt"):
            run = subprocess.run(
                [str(c) for c in command] +
                [f"--memory-problem={folder / name}.{kind}"],
                capture_output=True, text=True, check=False)
            if run.returncode:
                print(f"{name}: {run.stderr.strip()}", file=sys.stderr)
        # Without the file, the row says what is missing.
        yield Instance(name, folder / f"{name}.csv")
        yield Instance(f"{name}/program", folder / f"{name}.txt")


def every(options, folder):
    sources = [files(options.data or [DATA]), generated(folder),
               networks(folder)]
    if not options.no_models:
        sources.append(planned(options, folder))
    for source in sources:
        for instance in source:
            if options.only in instance.name:
                yield instance
