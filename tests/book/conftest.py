"""Shared by the tests of the book: the site, built once, and the chapters as the book reads them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from book import chapters, make


@pytest.fixture(scope="session")
def site(shared_folder: Callable[..., Path]) -> Path:
    """The book in a folder of its own; it is built without a warning, or not at all."""

    def build(folder: Path) -> None:
        command = [sys.executable, "-m", "book.make", "--into", folder]
        process = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (process.returncode, process.stderr) == (0, "")

    return shared_folder("book", build)


@pytest.fixture(scope="session")
def read() -> list[chapters.Chapter]:
    """The five chapters."""
    return make.read_chapters()


@pytest.fixture(scope="session")
def address(site: Path, read: list[chapters.Chapter]) -> Callable[[str], str]:
    """A function: the address of a page, or of the section that begins with the cell of this id."""
    places = {cell: f"{page}.html#{anchor}" for one in read for cell, (page, anchor) in one.places.items()}
    return lambda name: f"{site.as_uri()}/{places.get(name, f'{name}.html')}"
