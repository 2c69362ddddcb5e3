"""Build backend (PEP 517) of the wheel: CMake builds the package, and this puts it into one file.

The wheel has the extension, libtutti.so, the shared heap, the libraries for the MPIs that are installed, and the command.
TUTTI_WHEEL_BUILD names a build folder in which the target `python` and the command are there already.
"""

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[3]


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    build = pathlib.Path(os.environ.get("TUTTI_WHEEL_BUILD") or _built())
    name = f"tutti-{_version()}"
    tag = f"{_interpreter()}-{_interpreter()}-{sysconfig.get_platform().replace('-', '_')}"
    wheel = pathlib.Path(wheel_directory) / f"{name}-{tag}.whl"
    files = {f"tutti/{path.name}": path for path in sorted((build / "python" / "tutti").iterdir()) if _is_part(path)}
    files["tutti/tutti"] = build / "tutti"
    contents = {place: path.read_bytes() for place, path in files.items()}
    contents[f"{name}.dist-info/METADATA"] = _metadata().encode()
    contents[f"{name}.dist-info/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: tutti\nRoot-Is-Purelib: false\nTag: {tag}\n".encode()
    record = f"{name}.dist-info/RECORD"
    contents[record] = ("".join(_record(place, data) for place, data in contents.items()) + f"{record},,\n").encode()
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for place, data in contents.items():
            # The same bytes whenever it is made; the mode, because the command is a program.
            entry = zipfile.ZipInfo(place, date_time=(1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if place == "tutti/tutti" else 0o100644) << 16
            archive.writestr(entry, data)
    return wheel.name


def _built():
    """Builds with the preset `release`; returns its folder."""
    subprocess.run(["cmake", "--preset", "release", "-D", "TUTTI_BUILD_TESTS=OFF"], cwd=ROOT, check=True)
    subprocess.run(["cmake", "--build", "--preset", "release", "--target", "python", "tutti_command"], cwd=ROOT, check=True)
    return ROOT / "build" / "release"


def _is_part(path):
    return path.is_file() and path.suffix != ".stamp"


def _interpreter():
    return f"cp{sys.version_info.major}{sys.version_info.minor}"


def _version():
    return re.search(r'define TUTTI_VERSION "(\S+)"', (ROOT / "include/tutti/version.h").read_text()).group(1)


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: tutti\nVersion: {_version()}\n"
        "Summary: Collective communication that is proved, priced, simulated and run\n"
        "License: Apache-2.0\nRequires-Python: >=3.11\nRequires-Dist: numpy>=1.24\n"
    )


def _record(place, data):
    digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
    return f"{place},sha256={digest},{len(data)}\n"
