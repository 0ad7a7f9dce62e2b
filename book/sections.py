"""Under which headings a cell of a notebook stands, and in which section: for the site, the decks and the tests."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from nbformat import reader

FURTHER: Final = "Further: "
# A link to a notebook or to the cell of a heading in it, as JupyterLab follows it.
ADDRESS: Final = r"(?P<file>\d\d_\w+)\.ipynb(?:#cell-id=(?P<cell>[\w-]+))?"
HTML_LINK: Final = re.compile(f'href="{ADDRESS}"')


class Heading(NamedTuple):
    """A heading of a notebook, and the id of the cell that begins with it."""

    cell: str
    level: int
    title: str

    @property
    def is_further(self) -> bool:
        return self.title.startswith(FURTHER)


def read(path: Path) -> Any:
    """A notebook of ours; it is not validated, which would take longer than all the rest."""
    return reader.reads(path.read_text(encoding="utf-8"))


def own_heading(cell: Any) -> Heading | None:
    """The heading with which a cell begins, if it begins with one."""
    match = re.match(r"(#+) (.+)", cell.source) if cell.cell_type == "markdown" else None
    return Heading(cell.id, len(match[1]), match[2].strip()) if match else None


def with_headings(notebook: Any) -> Iterator[tuple[Any, list[Heading]]]:
    """Each cell with the headings it stands under, the chapter's own first."""
    path: list[Heading] = []
    for cell in notebook.cells:
        if heading := own_heading(cell):
            path = [*(above for above in path if above.level < heading.level), heading]
        yield cell, path


def section(path: Sequence[Heading]) -> Heading:
    """The section to which these headings lead: the part marked *Further*, or else the one of the second level."""
    further = [heading for heading in path if heading.is_further]
    return further[-1] if further else path[min(1, len(path) - 1)]
