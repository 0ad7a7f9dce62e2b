"""Shared by the tests of the notebooks: a chapter as it is stored, and what its cells leave and draw when they run."""

import functools
from contextlib import chdir
from pathlib import Path
from typing import Any, NamedTuple

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

from book import assets, sections
from plahelpers.plots import alt_text
from plahelpers.plots.stored import drawn
from tests.collisions import collisions

CHAPTERS = {path.name[:2]: path for path in assets.notebooks()}


@functools.cache
def read(number: str) -> Any:
    """A chapter by its number, "01" to "05"; nobody changes it."""
    return sections.read(CHAPTERS[number])


class Executed(NamedTuple):
    """The variables that a chapter leaves; for each cell, its pictures (words and PNG), and which words are covered."""

    variables: dict[str, Any]
    pictures: dict[str, list[tuple[str, bytes]]]
    covered: dict[str, list[str]]


@functools.cache
def run(path: Path) -> Executed:
    """Execute the code cells of a notebook in this process, once in a session."""
    executed = Executed({"__name__": "__main__"}, {}, {})
    mpl.use("Agg")
    plt.close("all")  # what other tests have left
    with chdir(path.parent):
        for cell in sections.read(path).cells:
            if cell.cell_type == "code":
                exec(compile(cell.source, f"{path.name}, cell {cell.id}", "exec"), executed.variables)
                figures = [plt.figure(number) for number in plt.get_fignums()]
                executed.pictures[cell.id] = [(alt_text(figure), drawn(figure)) for figure in figures]
                executed.covered[cell.id] = [words for figure in figures for words in collisions(figure)]
                plt.close("all")
    return executed


@pytest.fixture(scope="module")
def chapter(request: pytest.FixtureRequest) -> dict[str, Any]:
    """In a file test_chapter02.py, the variables of chapter 2: `chapter["run"].updates == 8`."""
    return run(CHAPTERS[request.module.__name__[-2:]]).variables
