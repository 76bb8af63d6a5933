# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tenon as a provider of ONNX Runtime, which keeps what Tenon lacks:

    devices = tenon.onnxruntime.register()
    options = onnxruntime.SessionOptions()
    options.add_provider_for_devices(devices, {"threads": "2"})
    session = onnxruntime.InferenceSession("net.onnx", sess_options=options)
"""

from __future__ import annotations

import importlib
import pathlib
from typing import Any


def ep_name() -> str:
    """What ONNX Runtime calls the provider."""
    return "TenonExecutionProvider"


def library_path() -> str:
    """The library that ONNX Runtime loads."""
    path = pathlib.Path(__file__).parent / "libtenon-onnxruntime.so"
    if not path.exists():
        raise RuntimeError(f"{path} is missing: install the package again")
    return str(path)


def register() -> list[Any]:
    """Registers the provider, once in a process, and returns its devices, for
    `SessionOptions.add_provider_for_devices`."""
    try:
        onnxruntime = importlib.import_module("onnxruntime")
    except ImportError as error:
        raise ImportError("the package onnxruntime is not installed; "
                          "run: pip install 'onnxruntime>=1.23'") from error
    if not hasattr(onnxruntime, "register_execution_provider_library"):
        raise ImportError(f"onnxruntime {onnxruntime.__version__} takes no "
                          "further providers; 1.23 or newer does")
    devices = _devices(onnxruntime)
    if not devices:
        onnxruntime.register_execution_provider_library("tenon", library_path())
        devices = _devices(onnxruntime)
    return devices


def _devices(onnxruntime: Any) -> list[Any]:
    return [device for device in onnxruntime.get_ep_devices()
            if device.ep_name == ep_name()]
