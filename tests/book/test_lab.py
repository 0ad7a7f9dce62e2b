"""JupyterLab as run.py starts it, and the signatures with which it trusts the chapters."""

import asyncio
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
import pytest
from ipykernel.ipkernel import IPythonKernel
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_events import EventLogger
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.filemanager import FileContentsManager
from nbformat.sign import NotebookNotary

from book import lab
from tests.jupyterlab import code_cells, write_notebook

ROOT = Path(__file__).resolve().parents[2]


START = "/lab/tree/README.md"
FILES = {f"{name}.ipynb" for name in lab.CHAPTERS}
HOMEWORK = {path.name for path in (ROOT / "exercises" / "release").rglob("*.ipynb")}

# --- the server -----------------------------------------------------------------------------------


class Server:
    """A JupyterLab that answers."""

    def __init__(self, port: int, log: Path) -> None:
        self.port, self.log = port, log

    def ask(self, path: str, method: str = "GET") -> str:
        headers = {"Authorization": "token open"}
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return str(answer.read().decode())

    def leads_to(self, path: str) -> str:
        """Where a browser gets that asks for this path."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}?token=open", timeout=30) as answer:
            return urllib.parse.urlsplit(answer.url).path

    def listens(self) -> bool:
        with socket.socket() as caller:
            return caller.connect_ex(("127.0.0.1", self.port)) == 0

    def content(self, path: str = "") -> Any:
        return json.loads(self.ask(f"/api/contents/{path}"))["content"]

    def metadata(self, chapter: str) -> Any:
        return self.content(f"{chapter}.ipynb")["metadata"]

    def page_config(self) -> Any:
        page = self.ask("/lab")
        (config,) = re.findall(r'<script id="jupyter-config-data" type="application/json">(.*?)</script>', page, re.S)
        return json.loads(config)

    def default(self, plugin: str, setting: str) -> Any:
        """What a setting of JupyterLab is for somebody who has not set it."""
        return json.loads(self.ask(f"/lab/api/settings/{plugin}"))["schema"]["properties"][setting]["default"]

    def trusts(self, chapter: str) -> bool:
        """Whether all outputs of a chapter would be shown with their scripts."""
        return all(cell["metadata"]["trusted"] for cell in code_cells(self.content(f"{chapter}.ipynb")))


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def serving(folder: Path) -> Iterator[Server]:
    """A JupyterLab with settings of its own in this folder, which ends with exit code 0 when it is told to."""
    server = Server(free_port(), folder / "log")
    options = ["--no-browser", f"--port={server.port}", "--ServerApp.port_retries=0", "--IdentityProvider.token=open"]
    command = [sys.executable, "-m", "book.lab", *options]
    folders = {f"JUPYTER_{name}_DIR": str(folder / name) for name in ("CONFIG", "DATA", "RUNTIME")}
    folders["JUPYTERLAB_WORKSPACES_DIR"] = str(folder / "WORKSPACES")
    with server.log.open("wb") as out:
        process = subprocess.Popen(command, env={**os.environ, **folders}, stdout=out, stderr=subprocess.STDOUT)
    try:
        while "is running at" not in server.log.read_text() or not server.listens():
            assert process.poll() is None, server.log.read_text()
            time.sleep(0.1)
        yield server
        server.ask("/api/shutdown", "POST")
        assert process.wait(60) == 0, server.log.read_text()
    finally:
        process.kill()
        process.wait()


def test_jupyterlab_serves_the_notebooks_trusts_them_and_leaves_the_network_alone(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        names = {entry["name"] for entry in server.content()}
        assert names == {path.name for path in (ROOT / "notebooks").iterdir() if not path.name.startswith(".")}
        assert {*FILES, *HOMEWORK, "README.md"} <= names
        assert all(server.trusts(chapter) for chapter in lab.CHAPTERS)
        assert server.leads_to("/") == START
        assert server.page_config()["news"] == {"disabled": True}
        assert server.page_config()["extensionManager"]["can_install"] is False
        assert json.loads(server.ask("/lab/api/update")) == {"notification": None}
        assert server.default("@jupyterlab/apputils-extension:notification", "fetchNews") == "false"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("lab")) as server:
        yield server


def test_jupyterlab_shows_nothing_of_nbgrader_although_it_is_installed(server: Server) -> None:
    config = server.page_config()
    installed = {extension["name"] for extension in config["federated_extensions"]}
    assert {"@jupyter/nbgrader", "@jupyter-notebook/lab-extension"} <= installed & {*config["disabledExtensions"]}
    assert not {"anywidget", "@jupyter-widgets/jupyterlab-manager"} & {*config["disabledExtensions"]}
    assert "nbgrader" not in server.log.read_text()
    assert subprocess.run([sys.executable, "-m", "nbgrader", "--version"], check=False).returncode == 0


def test_a_chapter_comes_with_the_kernel_that_it_will_have(server: Server) -> None:
    spec = json.loads(server.ask("/api/kernelspecs"))["kernelspecs"]["python3"]["spec"]
    for chapter in lab.CHAPTERS:
        metadata = server.metadata(chapter)
        assert metadata["kernelspec"] == {"name": "python3", **{key: spec[key] for key in ("display_name", "language")}}
        assert metadata["language_info"] == IPythonKernel.language_info


def test_jupyterlab_starts_and_trusts_the_chapters_where_it_cannot_store_signatures(tmp_path: Path) -> None:
    (tmp_path / "DATA").touch()  # no folder can be made there
    with serving(tmp_path) as server:
        assert server.trusts("02_pla")
    assert server.log.read_text().count("Jupyter cannot store signatures") == 1


@pytest.mark.parametrize(
    ("kernel", "language"),
    [
        pytest.param("python3", {"name": "python", "version": "2.7"}, id="as it was saved"),
        pytest.param("octave", {"name": "python"}, id="a kernel that is not there"),
    ],
)
def test_other_notebooks_come_as_they_are_stored(tmp_path: Path, kernel: str, language: dict[str, str]) -> None:
    metadata = {"kernelspec": {"name": kernel, "display_name": "Mine"}, "language_info": language}
    nbformat.write(nbformat.v4.new_notebook(metadata=metadata), tmp_path / "mine.ipynb")
    server = ServerApp(kernel_spec_manager=KernelSpecManager(), event_logger=EventLogger())
    with NotebookNotary(data_dir=str(tmp_path)) as notary:
        contents = lab.Contents(root_dir=str(tmp_path), parent=server, notary=notary)
        assert asyncio.run(contents.get("mine.ipynb"))["content"]["metadata"] == metadata


@pytest.mark.parametrize(
    ("workspace", "page"),
    [
        pytest.param('{"data": {"notebook:02_pla.ipynb": {}}, "metadata": {}}', "/lab", id="a chapter was open"),
        pytest.param('{"data": {"notebook:hw1_pla.ipynb": {}}, "metadata": {}}', "/lab", id="a homework was open"),
        pytest.param('{"data": {"notebook:mine.ipynb": {}}, "metadata": {}}', START, id="another notebook was"),
        pytest.param("<<<", START, id="rubbish"),
        pytest.param(None, START, id="nothing yet"),
    ],
)
def test_jupyterlab_begins_with_the_tabs_of_last_time_or_a_list_of_the_chapters(
    workspace: str | None, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JUPYTERLAB_WORKSPACES_DIR", str(tmp_path))
    if workspace:
        (tmp_path / "default-37a8.jupyterlab-workspace").write_text(workspace)  # as JupyterLab names it
    assert lab.start() == page


def test_a_chapter_is_named_by_the_beginning_of_its_name_and_other_arguments_are_jupyters(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    third = str(ROOT / "notebooks" / "03_convergence_proof.ipynb")
    assert [lab.place(name) for name in ("03", "03_convergence_proof.ipynb", third)] == 3 * [third]
    others = ["0", "--no-browser", "9999", "06_mine.ipynb", "/somewhere/03_convergence_proof.ipynb"]
    assert [lab.place(argument) for argument in others] == others
    (tmp_path / "03").touch()
    assert lab.place("03") == "03"


def test_a_homework_is_named_by_the_beginning_of_its_name_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(lab, "NOTEBOOKS", tmp_path / "notebooks")
    (tmp_path / "notebooks").mkdir()
    lab.lay_out_homework(tmp_path / "notebooks")
    assert lab.place("hw1") == str(tmp_path / "notebooks" / "hw1_pla.ipynb")


# --- the homework ---------------------------------------------------------------------------------


@pytest.fixture
def desk(tmp_path: Path) -> Path:
    """A folder in which working copies of two assignments have been laid out."""
    for name in ("hw1", "hw2"):
        (tmp_path / "release" / name).mkdir(parents=True)
        (tmp_path / "release" / name / f"{name}.ipynb").write_text(f"{name}, first edition")
    (tmp_path / "notebooks").mkdir()
    lab.lay_out_homework(tmp_path / "notebooks", tmp_path / "release")
    return tmp_path / "notebooks"


def texts(desk: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in desk.glob("*.ipynb")}


def new_edition(desk: Path) -> None:
    """Of both assignments; then JupyterLab is started again."""
    for path in desk.parent.glob("release/*/*.ipynb"):
        path.write_text(f"{path.stem}, second edition")
    lab.lay_out_homework(desk, desk.parent / "release")


def test_each_homework_lies_beside_the_chapters_and_nothing_else_is_seen_there(desk: Path) -> None:
    assert texts(desk) == {"hw1.ipynb": "hw1, first edition", "hw2.ipynb": "hw2, first edition"}
    assert {path.name for path in desk.iterdir() if not path.name.startswith(".")} == {"hw1.ipynb", "hw2.ipynb"}


def test_the_work_of_a_student_is_kept_when_jupyterlab_starts_again_and_when_the_homework_changes(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "hw1.ipynb").write_text("my answers")
    lab.lay_out_homework(desk, desk.parent / "release")
    assert texts(desk) == {"hw1.ipynb": "my answers", "hw2.ipynb": "hw2, first edition"}
    assert capsys.readouterr().err == ""
    new_edition(desk)
    assert texts(desk) == {"hw1.ipynb": "my answers", "hw2.ipynb": "hw2, second edition"}
    message = "There is a new hw1.ipynb. Yours is kept. To work on the new one, rename yours and start again.\n"
    assert capsys.readouterr().err == message
    (desk / "hw1.ipynb").rename(desk / "mine.ipynb")
    lab.lay_out_homework(desk, desk.parent / "release")
    assert texts(desk)["hw1.ipynb"] == "hw1, second edition"
    assert texts(desk)["mine.ipynb"] == "my answers"
    assert capsys.readouterr().err == ""


def test_work_is_kept_although_nobody_knows_what_it_began_with(desk: Path) -> None:
    (desk / "hw1.ipynb").write_text("my answers")
    shutil.rmtree(desk / ".homework")
    new_edition(desk)
    assert texts(desk) == {"hw1.ipynb": "my answers", "hw2.ipynb": "hw2, first edition"}


def test_a_homework_that_cannot_be_copied_gets_a_sentence_and_the_others_are_copied(
    desk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (desk / "hw1.ipynb").unlink()
    (desk / "hw1.ipynb").mkdir()
    new_edition(desk)
    assert (desk / "hw2.ipynb").read_text() == "hw2, second edition"
    assert re.fullmatch(r"hw1\.ipynb cannot be copied to .+: [A-Z].+\.\n", capsys.readouterr().err)


def test_the_first_page_lists_every_chapter_and_every_homework() -> None:
    page = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\((\w+\.ipynb)\)", page)) == FILES | HOMEWORK


# --- the signatures -------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Small notebooks with the names of the chapters."""
    for name in lab.CHAPTERS:
        write_notebook(tmp_path / "notebooks" / f"{name}.ipynb", f"print({name!r})")
    return tmp_path / "notebooks"


@pytest.fixture
def contents(tmp_path: Path, folder: Path) -> Iterator[FileContentsManager]:
    """What opens the notebooks of this folder in a server, with a key and signatures of its own."""
    (tmp_path / "data").mkdir()
    with NotebookNotary(data_dir=str(tmp_path / "data")) as notary:
        yield FileContentsManager(root_dir=str(folder), notary=notary)


def trusted(contents: FileContentsManager) -> set[str]:
    """The notebooks of the folder that would be shown with their scripts."""
    names = [entry["name"] for entry in contents.get("")["content"] if entry["type"] == "notebook"]
    cells = {name: code_cells(contents.get(name)["content"]) for name in names}
    return {name for name in names if all(cell["metadata"]["trusted"] for cell in cells[name])}


def test_the_five_chapters_are_signed_and_no_other_notebook_of_the_folder(
    contents: FileContentsManager, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert {path.name for path in (ROOT / "notebooks").glob("[0-9]*.ipynb")} == FILES
    for name in ("02_pla-Copy1", "06_mine", "mine"):
        write_notebook(folder / f"{name}.ipynb", "print('not ours')")
    assert trusted(contents) == set()
    lab.sign_chapters(contents, folder)
    assert trusted(contents) == FILES
    assert capsys.readouterr() == ("", "")


def test_what_is_signed_is_not_signed_again_and_a_chapter_that_changed_is(
    contents: FileContentsManager, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources: list[str] = []
    sign = contents.notary.sign

    def note_and_sign(notebook: Any) -> None:
        sources.append(notebook.cells[0].source)
        sign(notebook)

    lab.sign_chapters(contents, folder)
    monkeypatch.setattr(contents.notary, "sign", note_and_sign)
    lab.sign_chapters(contents, folder)
    assert sources == []
    write_notebook(folder / "02_pla.ipynb", "print('a new edition')")
    lab.sign_chapters(contents, folder)
    assert sources == ["print('a new edition')"]


def test_a_chapter_that_was_deleted_is_not_missed(
    contents: FileContentsManager, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "02_pla.ipynb").unlink()
    lab.sign_chapters(contents, folder)
    assert trusted(contents) == FILES - {"02_pla.ipynb"}
    assert capsys.readouterr().err == ""


def test_a_chapter_that_cannot_be_read_gets_a_sentence_and_the_others_are_signed(
    contents: FileContentsManager, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "02_pla.ipynb").unlink()
    (folder / "02_pla.ipynb").mkdir()
    lab.sign_chapters(contents, folder)
    assert trusted(contents) == FILES - {"02_pla.ipynb"}
    assert re.fullmatch(r"02_pla\.ipynb cannot be read and is not signed: [A-Z].+\.\n", capsys.readouterr().err)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"<<<<<<< HEAD", id="a merge that was not resolved"),
        pytest.param(b'{"a": "\xff"}', id="not UTF-8"),
        pytest.param(b"[]", id="a list"),
        pytest.param(b"{}", id="nothing in it"),
        pytest.param(b'{"nbformat": 4}', id="no cells"),
        pytest.param(b'{"nbformat": 4, "metadata": {}, "cells": 3}', id="a number for cells"),
        pytest.param(b'{"nbformat": [4]}', id="a list for the version"),
        pytest.param(b'{"nbformat": 3, "metadata": {}, "worksheets": []}', id="an old version"),
        pytest.param(b'{"nbformat": 9}', id="a version to come"),
    ],
)
def test_a_chapter_that_holds_no_notebook_gets_a_sentence_and_the_others_are_signed(
    content: bytes, contents: FileContentsManager, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "02_pla.ipynb").write_bytes(content)
    lab.sign_chapters(contents, folder)
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("02_pla.ipynb holds no notebook and is not signed; ")
    (folder / "02_pla.ipynb").unlink()
    assert trusted(contents) == FILES - {"02_pla.ipynb"}


def no_key(contents: FileContentsManager) -> None:
    Path(contents.notary.secret_file).mkdir()


def no_writing(contents: FileContentsManager) -> None:
    contents.notary.store.db.execute("PRAGMA query_only = 1")  # as on a disk that is read-only


def no_database(contents: FileContentsManager) -> None:
    contents.notary.store.db.close()


@pytest.mark.parametrize("break_it", [no_key, no_writing, no_database])
def test_signatures_that_cannot_be_stored_get_a_sentence_and_count_until_the_server_ends(
    break_it: Any, contents: FileContentsManager, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    break_it(contents)
    lab.sign_chapters(contents, folder)
    (line,) = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"Jupyter cannot store signatures \(.+\); until it ends, it keeps them in memory\.", line)
    assert trusted(contents) == FILES
    contents.notary.close()


def test_a_database_that_is_rubbish_is_replaced_and_the_chapters_are_signed(tmp_path: Path, folder: Path) -> None:
    (tmp_path / "nbsignatures.db").write_bytes(1000 * b"rubbish")
    with NotebookNotary(data_dir=str(tmp_path)) as notary:
        contents = FileContentsManager(root_dir=str(folder), notary=notary)
        lab.sign_chapters(contents, folder)
    with NotebookNotary(data_dir=str(tmp_path)) as notary:
        assert trusted(FileContentsManager(root_dir=str(folder), notary=notary)) == FILES
