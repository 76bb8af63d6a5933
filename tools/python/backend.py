# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel of a build that is there: what pip calls (PEP 517).

The build's folder is build/release, or $TENON_BUILD. The same build gives the
same bytes. Nothing is fetched."""

import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import wheel

SCRIPTS = (b"[console_scripts]\n"
           b"tenon-compile = tenon._programs:compile\n"
           b"tenon-run = tenon._programs:run\n")


def install(folder):
    build = pathlib.Path(os.environ.get("TENON_BUILD",
                                        wheel.ROOT / "build/release"))
    if not (build / "python/tenon/_core.abi3.so").exists():
        raise SystemExit(
            f"{build} has no Python modules: run tools/setup release, configure "
            "and build the preset release, or set TENON_BUILD")
    subprocess.run(["cmake", "--install", build, "--component", "python",
                    "--strip", "--prefix", folder], check=True,
                   stdout=subprocess.DEVNULL)


def contents(folder):
    """(name in the wheel, bytes), in order."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            yield name.replace("licences/", "licenses/"), path.read_bytes()
    yield "entry_points.txt", SCRIPTS


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        install(folder)
        # test/abi holds the libraries to this glibc.
        return wheel.write(wheel_directory, "tenon", wheel.tag(),
                           (wheel.ROOT / "pyproject.toml",
                            wheel.ROOT / "tools/python/tenon"),
                           contents(pathlib.Path(folder)))


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("there is no source distribution: the compiler needs LLVM")
