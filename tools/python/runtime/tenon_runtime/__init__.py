# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run models that the package tenon, or tenon-compile, compiled.

    model = tenon_runtime.load("net.tenon")
    y, = model(x)

Everything is as in tenon, but that there is no compiler.
"""

from ._core import Error, Tensor, TensorError, __version__
from ._models import Context, Launch, Model, State, Value, load
from ._session import InferenceSession, SessionOptions

__all__ = ["Context", "Error", "InferenceSession", "Launch", "Model",
           "SessionOptions", "State", "Tensor", "TensorError", "Value", "load",
           "__version__"]
