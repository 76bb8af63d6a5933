# lit.cfg.py - how lit runs the files under test/
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Tests are discovered by suffix; RUN lines find the programs on the PATH.
# %stdlib_python is any Python, without packages; %agreement compares outputs and
# says whether it could have told those for another input.
# Features: avx2, avx512 (what this processor has), python (numpy and onnx),
# onnx-data (the test data of the onnx sources), magika, rapidocr and silero (models
# that tools/dev/fetch-models downloaded), qemu-aarch64 (the emulator, and the
# preset aarch64 has been built: %aarch64_build), ptxas (%ptxas: the assembler
# for NVIDIA's devices), closed (there is the compiler library, whose programs lie
# in %tenon_build/closed), wheel (and the package for Python), onnxruntime (and
# numpy, onnx: the packages of the benchmarks), mounts (name spaces with mounts of
# their own).
import glob
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "tenon"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".onnxtxt", ".test"]
config.excludes = ["Inputs", "bench", "capi", "consumer", "models", "unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tenon_build, "test")

path = [config.tenon_bin, config.llvm_bin, os.environ.get("PATH", "")]
config.environment["PATH"] = os.pathsep.join(path)
for name in ("HOME", "TENON_CACHE", "XDG_CACHE_HOME", "TMPDIR", "ASAN_OPTIONS",
             "UBSAN_OPTIONS", "LSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]

# The suite's own: the user's cache stays as it is.
config.environment["TENON_KERNEL_CACHE"] = os.path.join(config.test_exec_root,
                                                        "kernels")


def processor_flags():
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as info:
            for line in info:
                if line.startswith("flags"):
                    return line.split()
    except OSError:
        pass
    return []


flags = processor_flags()
if "avx2" in flags and "fma" in flags:
    config.available_features.add("avx2")
if "avx512f" in flags and "avx512vl" in flags:
    config.available_features.add("avx512")
if "amx_tile" in flags and "amx_bf16" in flags:
    config.available_features.add("amx")

cache = os.environ.get("TENON_CACHE") or os.path.join(
    os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"),
    "tenon")
python = os.path.join(cache, "venv-python", "bin", "python")
if os.path.exists(python):
    config.available_features.add("python")
onnx_data = os.path.join(cache, "onnx-1.22.0-src", "onnx", "backend", "test",
                         "data")
if os.path.isdir(onnx_data):
    config.available_features.add("onnx-data")

bench_python = os.path.join(cache, "venv-bench", "bin", "python")
if glob.glob(os.path.join(cache, "venv-bench", "lib", "*", "site-packages",
                          "onnxruntime")):
    config.available_features.add("onnxruntime")
packages = os.environ.get("TENON_PACKAGES", "")
if os.path.isdir(packages) and os.path.exists(bench_python):
    config.available_features.add("packages")

ptxas = shutil.which("ptxas") or shutil.which(
    "ptxas", path=os.pathsep.join((
        os.path.join(os.environ.get("CUDA_HOME") or "/usr/local/cuda", "bin"),
        "/usr/local/cuda/bin")))
if ptxas:
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", ptxas))

wheels = os.path.join(cache, "wheels")
folders = os.listdir(wheels) if os.path.isdir(wheels) else []
for name, inside in (("magika", "magika/models/standard_v3_3"),
                     ("rapidocr", "rapidocr_onnxruntime/models"),
                     ("silero", "silero_vad/data")):
    for folder in sorted(folders):
        if folder.startswith(name) and not folder.endswith(".new"):
            config.available_features.add(name)
            config.substitutions.append(
                (f"%{name}", os.path.join(wheels, folder, inside)))
            break

root = os.path.dirname(config.test_source_root)
aarch64_build = os.path.join(root, "build", "aarch64")
if shutil.which("qemu-aarch64") and os.path.exists(
        os.path.join(aarch64_build, "bin", "tenon-run")):
    config.available_features.add("qemu-aarch64")
# Runs a command on a GPU that is emulated, whose checks are on.
gpu = "env TENON_EMULATE_CHECK=1 TENON_CUDA_LIBRARY=" + os.path.join(
    config.tenon_build, "lib", "libtenon-cuda-emulator.so")
config.substitutions += [
    ("%gpu", gpu),
    ("%agreement", f"{python} -B {config.test_source_root}/run/agreement.py"),
    ("%python", python),
    ("%bench_python", bench_python),
    ("%packages", packages),
    ("%onnx_data", onnx_data),
    ("%tenon_root", root),
    ("%tenon_build", config.tenon_build),
    ("%aarch64_build", aarch64_build),
    ("%data", os.path.join(config.test_source_root, "bench", "data")),
    ("%stdlib_python", sys.executable),
    ("%models", os.path.join(config.test_source_root, "models")),
    ("%llvm_libraries", os.path.join(os.path.dirname(config.llvm_bin), "lib")),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
]
if config.closed == "ON":
    config.available_features.add("closed")
    if os.path.isdir(config.python_include):
        config.available_features.add("wheel")
mounting = shutil.which("unshare") and subprocess.run(
    ["unshare", "-m", "true"], check=False, capture_output=True)
if mounting and mounting.returncode == 0:
    config.available_features.add("mounts")
if config.sanitize:
    config.available_features.add("sanitize")
