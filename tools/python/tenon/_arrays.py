# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of numpy and torch around tenon.Tensor. Neither is loaded for it:
whoever passes an array has loaded what it is of. ml_dtypes gives numpy the
types that it lacks, where it is installed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from typing import Any

from . import _core

# What numpy has no name for; ml_dtypes has. Elements of less than a byte take
# one, in its low bits, to both.
_ADDED = {"int4", "uint4", "int2", "uint2", "float4_e2m1fn", "bfloat16",
          "float8_e4m3fn", "float8_e4m3fnuz", "float8_e5m2", "float8_e5m2fnuz",
          "float8_e8m0fnu"}


def kind(kind: type) -> Callable[[_core.Tensor], Any] | type | None:
    """What makes results of the kind of an input of this type: a function, or
    numpy's ndarray, which the C code makes by itself."""
    numpy, torch = sys.modules.get("numpy"), sys.modules.get("torch")
    if numpy is not None and issubclass(kind, numpy.ndarray):
        return numpy.ndarray  # type: ignore[no-any-return]
    if torch is not None and issubclass(kind, torch.Tensor):
        return torch.from_dlpack  # type: ignore[no-any-return]
    return None


def dtype(name: str) -> Any:
    """numpy's type of that name, or a function that makes an array of a tensor
    of such elements."""
    numpy = sys.modules["numpy"]
    if name not in _ADDED:
        return numpy.dtype(name)
    added = _added(name)
    return added if added is not None else lambda tensor: tensor


def array(tensor: _core.Tensor) -> Any:
    """As an array of numpy's, or the tensor itself where that has no such
    type."""
    found = dtype(tensor.dtype)
    if callable(found):
        return found(tensor)
    return sys.modules["numpy"].ndarray(tensor.shape, found, tensor)


def _added(name: str) -> Any:
    try:
        types = importlib.import_module("ml_dtypes")
    except ImportError:
        return None
    found = getattr(types, name, None)
    return None if found is None else sys.modules["numpy"].dtype(found)


def adapt(array: Any, wrong: Exception, writes: int) -> _core.Tensor:
    """A tensor of an array whose buffer has no format, since its type is
    ml_dtypes' one; raises what is wrong with any other."""
    numpy = sys.modules.get("numpy")
    name = getattr(getattr(array, "dtype", None), "name", "")
    if numpy is None or not isinstance(array, numpy.ndarray) or \
            name not in _ADDED:
        raise TypeError(str(wrong))
    if not array.flags.c_contiguous:
        raise TypeError("ndarray is not C-contiguous")
    return _core.borrow(array.reshape(-1).view(numpy.uint8), name, array.shape,
                        bool(writes))


def fit(array: Any, dtype_name: str) -> Any:
    """A copy of the type and layout that a run wants, where it is needed."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(array, torch.Tensor):
        return array.detach().to("cpu", getattr(torch, dtype_name)).contiguous()
    numpy = importlib.import_module("numpy")
    wanted = dtype(dtype_name)
    if callable(wanted):
        return array
    return numpy.asarray(array, dtype=wanted, order="C")
