"""Shared by the tests of the book: the site, built once, the chapters as the book reads them, and a JupyterLab."""

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from book import chapters, make
from book.lab import lay_out_homework
from tests.jupyterlab import running_lab


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The book in a folder of its own; it is built without a warning, or not at all."""
    folder = tmp_path_factory.mktemp("book")
    command = [sys.executable, "-m", "book.make", "--into", folder]
    process = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (process.returncode, process.stderr) == (0, "")
    return folder


@pytest.fixture(scope="session")
def read() -> list[chapters.Chapter]:
    """The five chapters."""
    return make.read_chapters()


@pytest.fixture(scope="session")
def address(site: Path, read: list[chapters.Chapter]) -> Callable[[str], str]:
    """A function: the address of a page, or of the section that begins with the cell of this id."""
    places = {cell: f"{page}.html#{anchor}" for one in read for cell, (page, anchor) in one.places.items()}
    return lambda name: f"{site.as_uri()}/{places.get(name, f'{name}.html')}"


@pytest.fixture(scope="session")
def lab_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where JupyterLab has its notebooks, its settings and its log."""
    return tmp_path_factory.mktemp("lab")


@pytest.fixture(scope="session")
def lab(lab_folder: Path) -> Iterator[str]:
    """The address of a JupyterLab that was started as `run.py lab 02`, on copies of the chapters and the homework."""
    with running_lab(lab_folder, "02") as address:
        lay_out_homework(lab_folder / "notebooks")
        yield address
