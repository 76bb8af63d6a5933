# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A session as ONNX Runtime has it: one import changes.

    from tenon import InferenceSession
    session = InferenceSession("resnet50.onnx")
    outputs = session.run(None, {"input": x})
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from . import _arrays
from ._core import Tensor
from ._models import Model, Source, Value, load

_MARK = b"\x89TNN"
_NAMES = {"float32": "float", "float64": "double"}


class NodeArg(NamedTuple):
    """An input or output: what ONNX Runtime's get_inputs() gives."""

    name: str
    shape: list[int | str | None]
    type: str


class SessionOptions:
    """What is read of ONNX Runtime's options."""

    intra_op_num_threads: int = 0


def _node_arg(value: Value) -> NodeArg:
    dtype = _NAMES.get(value.dtype, value.dtype).replace("float8_", "float8")
    return NodeArg(value.name, list(value.shape or ()), f"tensor({dtype})")


def _is_artifact(source: Source) -> bool:
    """An artifact of Tenon's begins with its mark; all else is a model."""
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            return file.read(len(_MARK)) == _MARK
    return isinstance(source, (bytes, bytearray, memoryview)) and \
        bytes(source[:len(_MARK)]) == _MARK


class InferenceSession:
    """Compiles a model, or loads an artifact, and runs it. Of the arguments
    `sess_options` says how many threads there are; providers are Tenon's own
    alone. `compile` is tenon.compile with other options."""

    def __init__(self, path_or_bytes: Source, sess_options: Any = None,
                 providers: Sequence[Any] | None = None,
                 provider_options: Sequence[Any] | None = None, *,
                 compile: Callable[..., Model] | None = None,
                 **ignored: Any) -> None:
        threads = getattr(sess_options, "intra_op_num_threads", 0)
        if _is_artifact(path_or_bytes):
            self._model = load(path_or_bytes, threads=threads)
        else:
            self._model = (compile or _compiler())(path_or_bytes,
                                                   threads=threads)

    def get_inputs(self) -> list[NodeArg]:
        return [_node_arg(value) for value in self._model.inputs]

    def get_outputs(self) -> list[NodeArg]:
        return [_node_arg(value) for value in self._model.outputs]

    def get_providers(self) -> list[str]:
        return ["TenonExecutionProvider"]

    def run(self, output_names: Sequence[str] | None,
            input_feed: Mapping[str, Any], run_options: Any = None) -> list[Any]:
        """The outputs that are named (None: all), as arrays of numpy's. Arrays
        that are not contiguous are copied, as ONNX Runtime does."""
        numpy = sys.modules.get("numpy")
        feeds = {name: numpy.asarray(array, order="C")
                 if numpy is not None and isinstance(array, numpy.ndarray)
                 else array for name, array in input_feed.items()}
        outputs = self._model.run(feeds)
        known = list(outputs)
        for name in output_names or ():
            if name not in outputs:
                raise ValueError(f"no output '{name}'; there are "
                                 f"{', '.join(known)}")
        wanted = [outputs[name] for name in output_names or known]
        return [_arrays.array(each) if numpy is not None and
                isinstance(each, Tensor) else each for each in wanted]


def _compiler() -> Callable[..., Model]:
    package = sys.modules[__package__]
    if not hasattr(package, "compile"):
        raise ValueError("this is no artifact, and the package runs artifacts "
                         "only: the package tenon compiles models")
    return package.compile  # type: ignore[no-any-return]
