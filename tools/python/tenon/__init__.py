# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile ONNX models to native code, and run them.

    model = tenon.compile("net.onnx", dims={"batch": 1})
    y, = model(x)

Arrays are taken without a copy: buffers (numpy), else what has `__dlpack__`.
Results are numpy arrays or torch tensors where the first input is one, else
`tenon.Tensor`, a buffer that has `__dlpack__`, too; so are those of types that
numpy lacks, such as bfloat16.
"""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, Union

from tenon import _core
from tenon._core import Error, Tensor, TensorError, __version__

__all__ = ["CompileWarning", "Error", "Model", "Node", "Tensor", "TensorError",
           "Value", "check", "compile", "load", "__version__"]

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, Any]


class CompileWarning(UserWarning):
    """What the compiler warns of, with the node in front."""


class Value(NamedTuple):
    """An input or output. In `shape` a name stands for a size that inputs
    decide, None for one without a name; a shape of None has any rank."""

    name: str
    dtype: str
    shape: tuple[int | str | None, ...] | None


class Node(NamedTuple):
    """Whether a node can be compiled: then `reason` is None."""

    name: str
    op: str
    reason: str | None


def _array(tensor: Tensor) -> Any:
    """As an array, where numpy has such elements."""
    try:
        return sys.modules["numpy"].asarray(memoryview(tensor))
    except BufferError:
        return tensor


def _kind(array: object) -> Callable[[Tensor], Any] | None:
    """What makes results of the kind of `array`; no module is loaded for it."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and isinstance(array, numpy.ndarray):
        return _array
    if torch is not None and isinstance(array, torch.Tensor):
        return torch.from_dlpack
    return None


class Model(_core.Model):
    """A loaded artifact. Threads may share one: each run has a context of its
    own, and does not hold the interpreter's lock."""

    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]

    def __init__(self, source: Source, *, threads: int = 0) -> None:
        super().__init__(source, threads=threads)
        self._source = source
        inputs, outputs = self.signature()
        self.inputs = tuple(Value(*each) for each in inputs)
        self.outputs = tuple(Value(*each) for each in outputs)

    def __call__(self, *inputs: Any) -> list[Any]:
        """The outputs, in the order of `outputs`."""
        convert = _kind(inputs[0]) if inputs else None
        results: list[Any] = self.compute(*inputs)
        return results if convert is None else list(map(convert, results))

    def run(self, feeds: Mapping[str, Any]) -> dict[str, Any]:
        """The same by names."""
        names = [value.name for value in self.inputs]
        unknown = sorted(set(feeds) - set(names))
        missing = [name for name in names if name not in feeds]
        if unknown or missing:
            raise TypeError(f"no input '{unknown[0]}'" if unknown else
                            f"input '{missing[0]}' is missing")
        results = self(*(feeds[name] for name in names))
        return {value.name: result
                for value, result in zip(self.outputs, results)}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the artifact of a model that lies in memory."""
        if isinstance(self._source, (str, os.PathLike)):
            raise ValueError(f"the model is the file '{self._source}'")
        with open(path, "wb") as file:
            file.write(memoryview(self._source))


def load(source: Source, *, threads: int = 0) -> Model:
    """Loads an artifact: a file, which is mapped, or bytes. `threads` of a
    run, the caller's among them; 0: all processors at hand."""
    return Model(source, threads=threads)


def _arguments(source: Source, name: str | None,
               options: Iterable[str], named: Mapping[str, Any],
               external: Callable[[str], bytes | None] | None) -> tuple[Any, ...]:
    """What both calls of the compiler take."""
    words = []
    for option, values in named.items():
        if isinstance(values, Mapping):
            words += [f"--{option}={key}={_text(value)}"
                      for key, value in values.items()]
        elif values is not None:
            words.append(f"--{option}={values}")
    if hasattr(source, "SerializeToString"):  # onnx.ModelProto
        source = source.SerializeToString()
    return source, name, (*words, *options), external


def _text(value: Any) -> str:
    """A shape as 1x3x224x224, a range as 1..512, anything else as it is."""
    if isinstance(value, range):
        if value.step != 1:
            raise ValueError("a range of sizes has no step")
        return f"{value.start}..{value.stop - 1}"
    if isinstance(value, (tuple, list)):
        return "x".join("?" if size is None else str(size) for size in value)
    return str(value)


def compile(source: Source, *, dims: Mapping[str, int | range] | None = None,
            shapes: Mapping[str, Iterable[int | None]] | None = None,
            cpu: str | None = None, options: Iterable[str] = (),
            name: str | None = None, threads: int = 0,
            external: Callable[[str], bytes | None] | None = None) -> Model:
    """Compiles a model, a file, bytes or an onnx.ModelProto, and loads it.

    `dims` fixes or bounds symbolic dimensions, `shapes` shapes of inputs;
    `options` are words of tenon-compile, such as "--strict". `external` gives
    the bytes that a model in memory calls by a file's name."""
    from tenon import _compiler

    named = {"dim": dims, "shape": shapes, "mcpu": cpu}
    artifact, told = _compiler.compile(
        *_arguments(source, name, options, named, external))
    for node, text in told:
        where = f"node '{node}': " if node else ""
        warnings.warn(where + text, CompileWarning, stacklevel=2)
    return Model(artifact, threads=threads)


def check(source: Source, *, dims: Mapping[str, int | range] | None = None,
          shapes: Mapping[str, Iterable[int | None]] | None = None,
          options: Iterable[str] = (), name: str | None = None,
          external: Callable[[str], bytes | None] | None = None) -> list[Node]:
    """Whether each node of a model can be compiled, and if not, why."""
    from tenon import _compiler

    named = {"dim": dims, "shape": shapes}
    return [Node(*each) for each in _compiler.check(
        *_arguments(source, name, options, named, external))]
