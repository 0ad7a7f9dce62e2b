"""Start JupyterLab on chapters that it trusts: python3 run.py

JupyterLab runs the scripts in a stored output, such as the player's of chapter 2, only if the notebook is signed. The
chapters are signed before the server answers, so that their players work for a reader who has not run a cell yet.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, cast

from jupyter_server.serverapp import ServerApp
from jupyter_server.services.contents.manager import ContentsManager
from jupyterlab.labapp import LabApp
from nbformat import ValidationError, reader
from nbformat.sign import NotebookNotary

NOTEBOOKS: Final = Path(__file__).resolve().parents[1] / "notebooks"
# By name: JupyterLab itself signs any other notebook, once its cells have been run and it is saved.
CHAPTERS: Final = ("01_hypothesis_set", "02_pla", "03_convergence_proof", "04_pocket_on_noisy_data", "05_fun_time")
NO_NOTEBOOK: Final = (ValueError, ValidationError, AttributeError, LookupError, TypeError)  # what nbformat raises then


class Lab(LabApp):  # type: ignore[misc]  # it has no types
    """JupyterLab, which signs the chapters before its server answers."""

    @classmethod
    def initialize_server(cls, *arguments: Any, **options: Any) -> ServerApp:
        server = LabApp.initialize_server(*arguments, **options)  # super() would look for JupyterLab in this file
        sign_chapters(server.contents_manager)
        return cast(ServerApp, server)


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


def say(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(Lab.launch_instance())
