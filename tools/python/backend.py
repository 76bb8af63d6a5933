# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the wheel of a build that is there: what pip calls (PEP 517).

The build's folder is build/release, or $TENON_BUILD. The same build gives the
same bytes. Nothing is fetched."""

import base64
import hashlib
import os
import pathlib
import platform
import re
import subprocess
import tempfile
import tomllib
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATE = (1980, 1, 1, 0, 0, 0)


def version():
    text = (ROOT / "include/tenon-c/Version.h").read_text(encoding="utf-8")
    return ".".join(re.findall(
        r"#define TENON_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", text))


def tag():
    """The stable interface of 3.11, glibc 2.34: test/abi holds us to it."""
    return f"cp311-abi3-manylinux_2_34_{platform.machine()}"


def metadata():
    with open(ROOT / "pyproject.toml", "rb") as file:
        project = tomllib.load(file)["project"]
    return (f"Metadata-Version: 2.1\nName: {project['name']}\n"
            f"Version: {version()}\nSummary: {project['description']}\n"
            f"License: {project['license']['text']}\n"
            f"Requires-Python: {project['requires-python']}\n")


def install(folder):
    build = pathlib.Path(os.environ.get("TENON_BUILD", ROOT / "build/release"))
    if not (build / "python/tenon/_core.abi3.so").exists():
        raise SystemExit(
            f"{build} has no Python modules: run tools/setup release, configure "
            "and build the preset release, or set TENON_BUILD")
    subprocess.run(["cmake", "--install", build, "--component", "python",
                    "--strip", "--prefix", folder], check=True,
                   stdout=subprocess.DEVNULL)


def contents(folder, info):
    """(name in the wheel, bytes), in order, without the record."""
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            name = path.relative_to(folder).as_posix()
            yield name.replace("licences/", f"{info}/licenses/"), \
                path.read_bytes()
    yield f"{info}/METADATA", metadata().encode()
    yield f"{info}/entry_points.txt", (
        "[console_scripts]\n"
        "tenon-compile = tenon._programs:compile\n"
        "tenon-run = tenon._programs:run\n").encode()
    yield f"{info}/WHEEL", (
        "Wheel-Version: 1.0\nGenerator: tenon\nRoot-Is-Purelib: false\n"
        f"Tag: {tag()}\n").encode()


def add(wheel, name, data):
    entry = zipfile.ZipInfo(name, DATE)
    entry.compress_type = zipfile.ZIP_DEFLATED
    runs = ".so" in name or "/bin/" in name
    entry.external_attr = (0o755 if runs else 0o644) << 16
    wheel.writestr(entry, data)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    info = f"tenon-{version()}.dist-info"
    name = f"tenon-{version()}-{tag()}.whl"
    with tempfile.TemporaryDirectory() as folder:
        install(folder)
        record = []
        path = pathlib.Path(wheel_directory, name)
        with zipfile.ZipFile(path, "w", compresslevel=6) as wheel:
            for entry, data in contents(pathlib.Path(folder), info):
                digest = base64.urlsafe_b64encode(
                    hashlib.sha256(data).digest()).rstrip(b"=").decode()
                record.append(f"{entry},sha256={digest},{len(data)}\n")
                add(wheel, entry, data)
            record.append(f"{info}/RECORD,,\n")
            add(wheel, f"{info}/RECORD", "".join(record))
    return name


def build_sdist(sdist_directory, config_settings=None):
    raise SystemExit("there is no source distribution: the compiler needs LLVM")
