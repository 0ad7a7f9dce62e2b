"""JupyterLab as run.py starts it."""

import json
import os
import re
import runpy
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def ask(port: int, path: str, method: str = "GET") -> str:
    headers = {"Authorization": "token open"}
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers, method=method)
    with urllib.request.urlopen(request, timeout=30) as answer:
        return str(answer.read().decode())


def test_jupyterlab_serves_the_notebooks_and_leaves_the_network_alone(tmp_path: Path) -> None:
    port, log = free_port(), tmp_path / "log"
    options = ["--no-browser", f"--port={port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=open"]
    words = runpy.run_path(str(ROOT / "run.py"))["WORDS"]
    command = [sys.executable, *(part.format(ROOT=ROOT) for part in words["lab"]["run"]), *options]
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    with log.open("wb") as out:
        process = subprocess.Popen(command, env={**os.environ, **folders}, stdout=out, stderr=subprocess.STDOUT)
    while "is running at" not in log.read_text():
        assert process.poll() is None, log.read_text()
        time.sleep(0.1)
    names = {entry["name"] for entry in json.loads(ask(port, "/api/contents"))["content"]}
    assert names == {path.name for path in (ROOT / "notebooks").iterdir() if not path.name.startswith(".")}
    page = ask(port, "/lab")
    (settings,) = re.findall(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.S)
    assert json.loads(settings)["news"] == {"disabled": True}
    assert json.loads(settings)["extensionManager"]["can_install"] is False
    assert json.loads(ask(port, "/lab/api/update")) == {"notification": None}
    ask(port, "/api/shutdown", "POST")
    assert process.wait(60) == 0, log.read_text()
