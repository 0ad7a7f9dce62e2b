"""Shared by the tests of the notebooks: a chapter as it is stored, and the variables that it leaves when it has run."""

import functools
from contextlib import chdir
from pathlib import Path
from typing import Any

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from book import assets, sections

CHAPTERS = {path.name[:2]: path for path in assets.notebooks()}


@functools.cache
def read(number: str) -> Any:
    """A chapter by its number, "01" to "05"; nobody changes it."""
    return sections.read(CHAPTERS[number])


@functools.cache
def run(path: Path) -> dict[str, Any]:
    """Execute the code cells of a notebook in this process, once in a session: the variables that they leave."""
    variables: dict[str, Any] = {"__name__": "__main__"}
    mpl.use("Agg")
    with chdir(path.parent):
        for cell in sections.read(path).cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, f"{path.name}, cell {cell.id}", "exec"), variables)
                plt.close("all")
    return variables


@pytest.fixture(scope="module")
def chapter(request: pytest.FixtureRequest) -> dict[str, Any]:
    """In a file test_chapter02.py, the variables of chapter 2: `chapter["run"].updates == 8`."""
    return run(CHAPTERS[request.module.__name__[-2:]])
