"""Start JupyterLab on the chapters and the homework: python3 run.py

It opens on a page that lists them, or on the tabs of last time, or on a notebook that is named: run.py lab 03. How it
is set up stands in book/jupyter, which Jupyter reads as it does the settings of a user.

The homework stands beside the chapters as working copies of exercises/release. They are made once: what a student has
changed is never written over.

JupyterLab runs the scripts in a stored output, such as the player's of chapter 2, only if the notebook is signed. The
chapters are signed before the server answers, so that their players work for a reader who has not run a cell yet.
"""

# ruff: noqa: E402
from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast

# jsonschema would import it to check addresses with letters such as é, of which Jupyter has none. It builds a grammar
# whenever it is imported, which takes as long as all the rest together.
sys.modules["rfc3987_syntax"] = cast(Any, None)

from jupyter_client.kernelspec import NoSuchKernel
from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.largefilemanager import AsyncLargeFileManager
from jupyter_server.services.contents.manager import ContentsManager
from jupyterlab.commands import get_workspaces_dir
from jupyterlab.labapp import LabApp
from jupyterlab_server.workspaces_handler import WorkspacesManager
from nbformat import ValidationError, reader
from nbformat.sign import NotebookNotary
from traitlets.config import Config

HERE: Final = Path(__file__).resolve().parent
NOTEBOOKS: Final = HERE.parent / "notebooks"
RELEASE: Final = HERE.parent / "exercises" / "release"
SETTINGS: Final = HERE / "jupyter"
# By name: JupyterLab itself signs any other notebook, once its cells have been run and it is saved.
CHAPTERS: Final = ("01_hypothesis_set", "02_pla", "03_convergence_proof", "04_pocket_on_noisy_data", "05_fun_time")
NO_NOTEBOOK: Final = (ValueError, ValidationError, AttributeError, LookupError, TypeError)  # what nbformat raises then


# What refresh.py stores in place of the kernel's own words, and what the kernel says of its language, as in ipykernel.
NEUTRAL: Final = {"name": "python"}
LANGUAGE: Final = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": sys.version.split()[0],
}


class Lab(LabApp):  # type: ignore[misc]  # it has no types
    """JupyterLab, which signs the chapters before its server answers."""

    @classmethod
    def initialize_server(cls, *arguments: Any, **options: Any) -> ServerApp:
        config = Config({"ServerApp": {"contents_manager_class": Contents}, "LabApp": {"default_url": start()}})
        server = LabApp.initialize_server(
            *arguments, config=config, **options
        )  # super() would look for it in this file
        sign_chapters(server.contents_manager)
        return cast(ServerApp, server)


def start() -> str:
    """The page to begin with: the tabs of last time, if one of them is a notebook of ours, or else the list of all."""
    tabs: Any = {}
    with suppress(OSError, ValueError, LookupError):
        tabs = WorkspacesManager(get_workspaces_dir()).load("default")["data"]
    ours = [*CHAPTERS, *(path.stem for path in homework())]
    return "/lab" if any(f"notebook:{name}.ipynb" in tabs for name in ours) else "/lab/tree/README.md"


def homework(release: Path = RELEASE) -> list[Path]:
    """The blank copies of the homework."""
    return sorted(release.glob("*/*.ipynb"))


class Contents(AsyncLargeFileManager):
    """Files as ever, but a chapter comes with the name and version of the kernel that it will have.

    They are not stored, since they differ from machine to machine. JupyterLab writes them into a notebook that it has
    opened. If they were new to it, it would call the notebook unsaved before the reader has done anything.
    """

    async def get(self, *arguments: Any, **options: Any) -> Any:
        model = await super().get(*arguments, **options)
        if model["type"] == "notebook" and model.get("content"):
            self.name_kernel(model["content"].metadata)
        return model

    def name_kernel(self, metadata: Any) -> None:
        kernel = metadata.get("kernelspec", {}).get("name")
        if metadata.get("language_info") == NEUTRAL and kernel:
            with suppress(NoSuchKernel):
                spec = cast(Any, self.parent).kernel_spec_manager.get_kernel_spec(kernel)
                metadata.kernelspec.update(display_name=spec.display_name, language=spec.language)
                metadata.language_info = LANGUAGE


def sign_chapters(contents: ContentsManager, folder: Path = NOTEBOOKS) -> None:
    """Sign the chapters in this folder for this server; what cannot be read or stored gets a sentence on stderr."""
    notebooks = list(readable_chapters(folder))
    try:
        sign(contents.notary, notebooks)
    except (OSError, sqlite3.Error) as error:
        say(f"Jupyter cannot store signatures ({error}); until it ends, it keeps them in memory.")
        # Without this, the server could not open a chapter at all: it looks its signature up first.
        contents.notary = NotebookNotary(db_file=":memory:", secret=os.urandom(1024))
        sign(contents.notary, notebooks)


def sign(notary: NotebookNotary, notebooks: list[Any]) -> None:
    """Sign those of the notebooks that are not signed yet."""
    for notebook in notebooks:
        if not notary.check_signature(notebook):
            notary.sign(notebook)


def readable_chapters(folder: Path) -> Iterator[Any]:
    """The chapters that are in this folder, as nbformat reads them; a sentence on stderr for each that it cannot."""
    for name in CHAPTERS:
        path = folder / f"{name}.ipynb"
        try:
            yield read(path)
        except FileNotFoundError:
            continue  # a reader may delete a chapter
        except OSError as error:
            say(f"{path.name} cannot be read and is not signed: {error.strerror}.")
        except NO_NOTEBOOK:
            say(f"{path.name} holds no notebook and is not signed; `git checkout notebooks` brings the original back.")


def read(path: Path) -> Any:
    """A notebook as the server reads it. It is not validated, which would take longer than all the rest."""
    notebook = reader.reads(path.read_text(encoding="utf-8"))
    if notebook.nbformat != 4:
        raise ValueError(f"{path.name} is not in version 4 of the format")
    return notebook


def lay_out_homework(folder: Path = NOTEBOOKS, release: Path = RELEASE) -> None:
    """Put a working copy of each homework into this folder; a sentence on stderr for each that cannot be put there."""
    for path in homework(release):
        try:
            lay_out(path, folder)
        except OSError as error:
            say(f"{path.name} cannot be copied to {folder}: {error.strerror}.")


def lay_out(blank: Path, folder: Path) -> None:
    """Copy one homework, or bring a copy up to date that nobody has changed; a copy with changes stays as it is."""
    copy, original = folder / blank.name, folder / ".homework" / blank.name  # the original: as it was when copied
    new, own, old = (content(path) for path in (blank, copy, original))
    if own in (None, old, new):
        for path in (copy, original):
            if content(path) != new:
                replace(path, new)
    elif old != new:
        say(f"There is a new {blank.name}. Yours is kept. To work on the new one, rename yours and start again.")


def content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def replace(path: Path, data: bytes | None) -> None:
    """Write the whole file or nothing, whatever happens meanwhile."""
    path.parent.mkdir(exist_ok=True)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    new.write_bytes(data or b"")
    new.replace(path)


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def place(argument: str) -> str:
    """The path of the notebook whose name begins so, if there is one; the name of a file that is here stays."""
    paths = [path for path in NOTEBOOKS.glob("*.ipynb") if path.name.startswith(argument)]
    return str(paths[0]) if len(paths) == 1 and not Path(argument).exists() else argument


def main(arguments: list[str]) -> None:
    """Start JupyterLab with our settings, and with whatever arguments it takes."""
    path = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([str(SETTINGS), *([path] if path else [])])
    lay_out_homework()
    Lab.launch_instance([f"--ServerApp.root_dir={NOTEBOOKS}", *map(place, arguments)])


if __name__ == "__main__":
    main(sys.argv[1:])
