"""The programs that some tests need and a machine may lack."""

import os
import shutil
import subprocess

from book.chromium import CHROMIUM

AS_ROOT = getattr(os, "geteuid", lambda: 1)() == 0


def missing() -> list[str]:
    """The packages of Debian and Ubuntu that bring them."""
    there = {"chromium": CHROMIUM, "bubblewrap": shutil.which("bwrap")}
    return [package for package, path in there.items() if not path]


def install() -> None:
    """Install what is missing where nobody has to be asked: as root, on Debian or Ubuntu. If it fails, go on."""
    if not (AS_ROOT and shutil.which("apt-get") and missing()):
        return
    print(f"Installing {' and '.join(missing())} with apt-get, for the tests (not with --as-is) ...", flush=True)
    variables = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for arguments in (["update"], *(["install", "-y", package] for package in missing())):
        command = ["apt-get", "-qq", "-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=30", *arguments]
        if subprocess.run(command, env=variables, capture_output=True, check=False).returncode:
            print(f"That failed: {' '.join(command)}", flush=True)


def advice() -> str:
    """How to install what is missing, or nothing."""
    sudo = "" if AS_ROOT else "sudo "
    command = f"{sudo}apt-get install -y {' '.join(missing())}"
    return f"On Debian or Ubuntu, this installs what is missing: {command}" if missing() else ""
