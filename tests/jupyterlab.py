"""A JupyterLab of one's own, as run.py starts it, driven by a real browser."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from playwright.sync_api import Page, TimeoutError as PageTimeoutError

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 180_000  # milliseconds to wait for something to be seen, at most: the machine may have other work to do
TOKEN = "open"


# --- the server -----------------------------------------------------------------------------------


@contextmanager
def running_lab(folder: Path) -> Iterator[str]:
    """The address of the JupyterLab that run.py starts, with settings of its own, on what is in folder/notebooks."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{free.getsockname()[1]}"
    with (folder / "log").open("w") as log:
        command = [sys.executable, *lab_command(folder / "notebooks", address)]
        server = subprocess.Popen(command, cwd=ROOT, env=os.environ | settings(folder), stdout=log, stderr=log)
    try:
        wait_for_answer(f"http://{address}/api", server, folder / "log")
        yield f"http://{address}"
        headers = {"Authorization": f"token {TOKEN}"}
        urlopen(Request(f"http://{address}/api/shutdown", headers=headers, method="POST"), timeout=60).close()
        with suppress(subprocess.TimeoutExpired):  # its kernels have ended; what it still waits for is its own affair
            server.wait(20)
    finally:
        server.kill()
        server.wait()


@contextmanager
def lab_on_copies(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab on copies of the course's notebooks."""
    copy_notebooks(folder / "notebooks")
    with running_lab(folder) as address:
        yield address


def copy_notebooks(folder: Path) -> None:
    """As they are, except that the copies do not know how they were numbered: a number there is a cell run here."""
    shutil.copytree(ROOT / "notebooks", folder, ignore=shutil.ignore_patterns(".*", "hw*"))
    for path in folder.glob("*.ipynb"):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in code_cells(notebook):
            cell["execution_count"] = None
        path.write_text(json.dumps(notebook), encoding="utf-8")


def write_notebook(path: Path, *sources: str) -> None:
    """A new notebook of these cells."""
    cells: list[dict[str, Any]] = [
        {"cell_type": "code", "id": f"c{n}", "source": source, "metadata": {}, "outputs": [], "execution_count": None}
        for n, source in enumerate(sources)
    ]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    notebook = {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}
    path.parent.mkdir(exist_ok=True)
    path.write_text(json.dumps(notebook), encoding="utf-8")


def code_cells(notebook: dict[str, Any]) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


def lab_command(folder: Path, address: str) -> list[str]:
    """What `run.py --no-browser` starts."""
    options = ["--no-browser", f"--port={address.split(':')[1]}", "--ServerApp.port_retries=0"]
    options += [f"--IdentityProvider.token={TOKEN}", "--LabApp.expose_app_in_browser=True"]
    # run.py names the folder already, and Jupyter takes no second one; but those who use it may be told another.
    options += [f"--FileContentsManager.root_dir={folder}", f"--MappingKernelManager.root_dir={folder}"]
    return ["-m", "book.lab", *options]


def settings(folder: Path) -> dict[str, str]:
    """The variables that keep JupyterLab away from the settings of whoever runs this."""
    own = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    own |= {f"JUPYTERLAB_{name}_DIR": str(folder / name) for name in ("SETTINGS", "WORKSPACES")}
    return {**own, "IPYTHONDIR": str(folder / "ipython")}


def wait_for_answer(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(TIMEOUT // 250):
        assert server.poll() is None, log.read_text()
        try:
            urlopen(address, timeout=60).close()
            return
        except OSError:
            time.sleep(0.25)
    raise AssertionError(f"JupyterLab does not answer:\n{log.read_text()}")


# --- its page -------------------------------------------------------------------------------------


def open_notebook(page: Page, lab: str, name: str) -> None:
    page.set_default_timeout(TIMEOUT)
    page.goto(f"{lab}/lab/tree/{name}.ipynb?token={TOKEN}&reset")


IDLE = "window.jupyterapp?.shell.currentWidget?.context?.sessionContext?.session?.kernel?.status === 'idle'"
CELLS = "jupyterapp.shell.currentWidget.model.sharedModel.cells.filter(cell => cell.cell_type === 'code')"
FAILED = f"{CELLS}.some(cell => cell.outputs.some(output => output.output_type === 'error'))"


def run_all_cells(page: Page) -> None:
    """By the menu, until the last cell has its number, or one of them has failed."""
    page.wait_for_function(IDLE)
    page.get_by_role("menuitem", name="Run", exact=True).click()
    page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
    for n in range(page.evaluate(f"{CELLS}.length")):
        try:
            page.wait_for_function(f"{CELLS}[{n}].execution_count !== null || {FAILED}")
        except PageTimeoutError:
            source = page.evaluate(f"{CELLS}[{n}].source")
            raise AssertionError(f"This cell does not come to an end:\n{source}") from None


def kernel_says(page: Page, source: str) -> str:
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
