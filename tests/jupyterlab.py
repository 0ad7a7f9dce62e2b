"""A JupyterLab of one's own, as run.py starts it, driven by a real browser."""

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import nbformat

from tests.browser import TIMEOUT

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[1]
TOKEN = "open"


# --- the server -----------------------------------------------------------------------------------


@contextmanager
def running_lab(folder: Path, *arguments: str) -> Iterator[str]:
    """The address of a JupyterLab with settings of its own, on copies of the chapters and of the page that lists them.

    They are in folder/notebooks, and what it prints is in folder/log.
    """
    shutil.copytree(ROOT / "notebooks", folder / "notebooks", ignore=shutil.ignore_patterns(".*", "hw*"))
    options = ["--no-browser", "--port=0", f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True"]
    options.append(f"--ServerApp.root_dir={folder / 'notebooks'}")
    with (folder / "log").open("w") as log:
        command = [sys.executable, "-m", "book.lab", *arguments, *options]
        server = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings(folder), stdout=log, stderr=log)
    try:
        yield wait_for_address(server, folder / "log")
    finally:
        server.terminate()  # it then ends its kernels
        try:
            server.wait(60)
        except subprocess.TimeoutExpired:
            server.kill()
            server.wait()


def settings(folder: Path) -> dict[str, str]:
    """The variables that keep JupyterLab away from the settings of whoever runs this."""
    own = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / name) for name in ("SETTINGS", "WORKSPACES")}
    return {**own, "IPYTHONDIR": str(folder / "ipython")}


def wait_for_address(server: subprocess.Popen[bytes], log: Path) -> str:
    """The address that is printed, once somebody listens there."""
    deadline = time.monotonic() + TIMEOUT / 1000
    while time.monotonic() < deadline:
        assert server.poll() is None, log.read_text()
        address = re.search(r"http://127\.0\.0\.1:(\d+)(?=/)", log.read_text())
        with socket.socket() as caller:
            if address and caller.connect_ex(("127.0.0.1", int(address[1]))) == 0:
                return address[0]
        time.sleep(0.1)
    raise AssertionError(f"JupyterLab does not start:\n{log.read_text()}")


# --- its notebooks --------------------------------------------------------------------------------


def write_notebook(path: Path, *sources: str) -> None:
    """A new notebook of these cells."""
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(source) for source in sources]
    path.parent.mkdir(exist_ok=True)
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)


# --- its page -------------------------------------------------------------------------------------


def open_notebook(page: "Page", lab: str, name: str) -> None:
    page.set_default_timeout(TIMEOUT)
    page.goto(f"{lab}/lab/tree/{name}.ipynb?token={TOKEN}&reset")


IDLE = "window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === 'idle'"
RUN_ALL = """() => {
    window.hasRun = false;
    jupyterapp.commands.execute('notebook:run-all-cells').then(() => { window.hasRun = true; });
}"""


def run_all_cells(page: "Page") -> None:
    """As the menu does, until the last cell has been run, or one of them has failed."""
    page.wait_for_function(IDLE)
    page.evaluate(RUN_ALL)
    page.wait_for_function("window.hasRun", timeout=TIMEOUT)


def kernel_says(page: "Page", source: str) -> str:
    """What a piece of Python prints in the notebook's kernel."""
    ask = """async source => {
        const kernel = jupyterapp.shell.currentWidget.context.sessionContext.session.kernel;
        const request = kernel.requestExecute({ code: source });
        let printed = "";
        request.onIOPub = message => { printed += message.header.msg_type === "stream" ? message.content.text : "" };
        await request.done;
        return printed;
    }"""
    return str(page.evaluate(ask, source)).strip()
