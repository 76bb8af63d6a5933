# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Has the provider use all that it knows of ONNX Runtime's interface, and takes
it away at the end: check_slots.py LIBRARY."""

import gc
import pathlib
import sys
import tempfile

import onnxruntime

import networks

onnxruntime.register_execution_provider_library("tenon", sys.argv[1])


def run(model, config=(), **options):
    devices = [device for device in onnxruntime.get_ep_devices()
               if device.ep_name == "TenonExecutionProvider"]
    given = onnxruntime.SessionOptions()
    given.log_severity_level = 3
    given.intra_op_num_threads = 2
    for key, value in config:
        given.add_session_config_entry(key, value)
    given.add_provider_for_devices(devices, options)
    session = onnxruntime.InferenceSession(
        model.SerializeToString(), sess_options=given, enable_fallback=0)
    session.run(None, networks.feeds(session, 1, 4))


for make in (networks.convolutions, networks.shapes, networks.data_dependent,
             networks.inverse, networks.branches, networks.trees,
             networks.filled):
    run(make())
with tempfile.TemporaryDirectory() as folder:
    run(networks.perceptron(), config=[
        ("ep.context_enable", "1"),
        ("ep.context_file_path", str(pathlib.Path(folder, "held.onnx")))])
try:
    run(networks.perceptron(), threads="many")
except Exception as reason:
    print("refused" if "threads" in str(reason) else reason, flush=True)
gc.collect()
onnxruntime.unregister_execution_provider_library("tenon")
