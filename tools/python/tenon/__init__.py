# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile ONNX models to native code, and run them.

    model = tenon.compile("net.onnx", dims={"batch": 1})
    y, = model(x)

Arrays are taken without a copy: buffers (numpy), else what has `__dlpack__`.
Results are of the kind of the first input: arrays of numpy's, tensors of
torch's or of what else exchanges tensors by DLPack's table, else
`tenon.Tensor`, a buffer that has `__dlpack__`, too. Types that numpy lacks, such
as bfloat16, are those of ml_dtypes, where that is installed.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from ._core import Error, Tensor, TensorError, __version__
from ._models import Context, Launch, Model, Source, State, Value, load
from ._session import InferenceSession, SessionOptions

__all__ = ["CompileWarning", "Context", "Error", "InferenceSession", "Launch",
           "Model", "Node", "SessionOptions", "State", "Tensor", "TensorError",
           "Value", "check", "compile", "load", "__version__"]


class CompileWarning(UserWarning):
    """What the compiler warns of, with the node in front."""


class Node(NamedTuple):
    """Whether a node can be compiled: then `reason` is None. `code` is that of
    an Error."""

    name: str
    op: str
    reason: str | None
    code: str | None


def _arguments(source: Source, name: str | None,
               options: Iterable[str], named: Mapping[str, Any],
               external: Callable[[str], bytes | None] | None
               ) -> tuple[Any, str | None, tuple[str, ...], Any]:
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
            states: Mapping[str, str] | None = None,
            cpu: str | None = None, options: Iterable[str] = (),
            name: str | None = None, threads: int = 0,
            external: Callable[[str], bytes | None] | None = None,
            isolate: bool = True) -> Model:
    """Compiles a model, a file, bytes or an onnx.ModelProto, and loads it.

    `dims` fixes or bounds symbolic dimensions, `shapes` shapes of inputs;
    `states` binds inputs to the outputs that they are in the next run;
    `options` are words of tenon-compile, such as "--strict". `external` gives
    the bytes that a model in memory calls by a file's name. The compiler runs
    in a process of its own, whose end is an Error, unless `isolate` is false."""
    from . import _compiler

    named = {"dim": dims, "shape": shapes, "state": states, "mcpu": cpu}
    artifact, told, report = _compiler.compile(
        *_arguments(source, name, options, named, external), isolate)
    for node, text in told:
        where = f"node '{node}': " if node else ""
        warnings.warn(where + text, CompileWarning, stacklevel=2)
    model = Model(artifact, threads=threads)
    model._report = report
    return model


def check(source: Source, *, dims: Mapping[str, int | range] | None = None,
          shapes: Mapping[str, Iterable[int | None]] | None = None,
          options: Iterable[str] = (), name: str | None = None,
          external: Callable[[str], bytes | None] | None = None) -> list[Node]:
    """Whether each node of a model can be compiled, and if not, why."""
    from . import _compiler

    named = {"dim": dims, "shape": shapes}
    return [Node(*each) for each in _compiler.check(
        *_arguments(source, name, options, named, external), False)]
