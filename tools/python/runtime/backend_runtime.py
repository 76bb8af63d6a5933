# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel and the source archive of tenon-runtime (PEP 517).

The run time and the module are compiled by $CC (cc) in one call. Pythons
without a global lock cannot load modules of the stable interface: there the
module is built for that one."""

import gzip
import io
import os
import pathlib
import shlex
import subprocess
import sys
import sysconfig
import tarfile
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, os.fspath(HERE.parent))
import wheel

ROOT = wheel.ROOT
ABOUT = HERE / "pyproject.toml", HERE / "tenon_runtime"
# Of tools/python/tenon, what needs no compiler.
SHARED = ["_arrays.py", "_core.pyi", "_models.py", "_session.py", "py.typed"]
OLDEST = 34  # of glibc's, that we build for where that is there
FLAGS = ["-std=gnu11", "-O2", "-DNDEBUG", "-fPIC", "-shared",
         "-fvisibility=hidden", "-D_GNU_SOURCE", "-Wl,--gc-sections", "-s",
         "-ffunction-sections", '-DTENON_PYTHON_PACKAGE="tenon_runtime"']


def sources():
    python = sorted((ROOT / "tools/python/src").glob("*.c"))
    return [*sorted((ROOT / "runtime/src").rglob("*.c")),
            *(path for path in python if path.name != "Compile.c")]


def is_free_threaded():
    return bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


def tags():
    if is_free_threaded():
        python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
        return f"{python}-{python}t-" + sysconfig.get_platform().replace(
            "-", "_")
    try:
        here = int(os.confstr("CS_GNU_LIBC_VERSION").split(".")[1])
    except (AttributeError, IndexError, OSError, ValueError):
        return "cp311-abi3-" + sysconfig.get_platform().replace("-", "_")
    return wheel.tag(min(here, OLDEST))


def compile_module(folder):
    """The module's name and bytes."""
    name = "_core" + (sysconfig.get_config_var("EXT_SUFFIX")
                      if is_free_threaded() else ".abi3.so")
    exports = pathlib.Path(folder, "exports.map")
    exports.write_text("{ global: PyInit__core; local: *; };\n",
                       encoding="utf-8")
    flags = [*FLAGS, f"-ffile-prefix-map={ROOT}=.",
             f"-Wl,--version-script={exports}"]
    if is_free_threaded():
        flags.append("-DTENON_PYTHON_FULL_INTERFACE")
    for include in (ROOT / "include", ROOT / "runtime/include",
                    ROOT / "runtime", sysconfig.get_paths()["include"]):
        flags.append(f"-I{include}")
    command = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*command, *flags, *sources(), "-o",
                    pathlib.Path(folder, name), "-lm", "-ldl", "-pthread"],
                   check=True)
    return name, pathlib.Path(folder, name).read_bytes()


def contents(folder):
    name, module = compile_module(folder)
    yield f"tenon_runtime/{name}", module
    yield "tenon_runtime/__init__.py", \
        (HERE / "tenon_runtime/__init__.py").read_bytes()
    for shared in SHARED:
        yield f"tenon_runtime/{shared}", \
            (ROOT / "tools/python/tenon" / shared).read_bytes()
    yield "licenses/LICENSE", (ROOT / "LICENSE").read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        return wheel.write(wheel_directory, "tenon_runtime", tags(),
                           ABOUT, contents(folder))


def archive_contents():
    """(name, bytes) of the source archive: files where they lie here."""
    kept = [ROOT / "LICENSE", ROOT / "tools/python/wheel.py",
            HERE / "backend_runtime.py", HERE / "pyproject.toml",
            HERE / "tenon_runtime/__init__.py",
            *(ROOT / "tools/python/tenon" / name for name in SHARED)]
    for folder in ("include/tenon-c", "runtime/include", "runtime/src",
                   "tools/python/src"):
        kept += [path for path in (ROOT / folder).rglob("*")
                 if path.suffix in (".c", ".h", ".def")]
    for path in sorted(kept):
        if path.name != "Compile.c":
            yield path.relative_to(ROOT).as_posix(), path.read_bytes()
    yield "PKG-INFO", wheel.metadata(*ABOUT).encode()
    yield "pyproject.toml", (HERE / "pyproject.toml").read_bytes().replace(
        b'backend-path = ["."]', b'backend-path = ["tools/python/runtime"]')


def build_sdist(sdist_directory, config_settings=None):
    stem = f"tenon_runtime-{wheel.version()}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, data in archive_contents():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            entry.size = len(data)
            entry.mode = 0o644
            archive.addfile(entry, io.BytesIO(data))
    path = pathlib.Path(sdist_directory, f"{stem}.tar.gz")
    path.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return path.name
