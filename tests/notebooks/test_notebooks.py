"""The five notebooks as they are stored: what a reader sees without running anything, and what a lecturer shows."""

import base64
import functools
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from PIL import Image

from book import refresh, sections
from book.sections import own_heading
from plahelpers import _format
from tests import prose
from tests.jupyterlab import write_notebook
from tests.notebooks.conftest import CHAPTERS, read, run

ROOT = Path(__file__).resolve().parents[2]
MEGABYTES = 1
PNG = "image/png"
WIDEST_LINE, MOST_LINES = 100, 15  # of a code cell; a whole algorithm is one function
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "-"}
CONTINUING = {"code", "picture", "text"}  # what `lecture` may tell
BEGINNING = CONTINUING | {"heading", "minutes", "notes", "part"}
CORE_WORDS, CORE_MINUTES = 1500, 25  # the cores of four chapters are one lecture of two periods
WORDS_A_MINUTE, MINUTES_A_CELL = 100, 0.25  # of a reader whose English is slow; a cell of code, and what it shows


@pytest.fixture(params=CHAPTERS)
def number(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def notebook(number: str) -> Any:
    return read(number)


def cells(notebook: Any, kind: str) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def outputs(notebook: Any) -> Iterator[tuple[Any, Any]]:
    for cell in cells(notebook, "code"):
        for output in cell.outputs:
            yield cell, output


def headings(notebook: Any) -> list[sections.Heading]:
    return [heading for cell in notebook.cells if (heading := own_heading(cell))]


# ---- Hygiene


def test_a_notebook_is_valid_and_small_and_its_cells_have_unique_ids_and_are_not_empty(
    number: str, notebook: Any
) -> None:
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert [cell.id for cell in notebook.cells if not cell.source.strip()] == []
    assert CHAPTERS[number].stat().st_size < MEGABYTES * 1e6
    assert notebook.metadata == {"kernelspec": refresh.KERNEL, "language_info": refresh.LANGUAGE}
    assert "version" not in refresh.LANGUAGE


def test_the_cell_of_a_heading_has_the_id_by_which_links_find_it(notebook: Any) -> None:
    """Else give the cell this id: JupyterLab shows it in the Property Inspector, or edit the file."""
    assert [heading for heading in headings(notebook)[1:] if heading.cell != _format.cell_id(heading.title)] == []


def test_every_cell_is_compared_when_the_notebooks_are_tested(notebook: Any) -> None:
    """No cell is excluded; should one ever have to be, say why in the cell, and here."""
    for cell in notebook.cells:
        assert not any("nbval" in tag for tag in cell.metadata.get("tags", [])), cell.id
        assert "NBVAL" not in cell.source, cell.id


# ---- The anatomy


def test_a_chapter_has_all_the_parts_a_chapter_has_and_leads_to_the_next(number: str, notebook: Any) -> None:
    titles = {heading.title for heading in headings(notebook)}
    assert {"You will", "Where notes go wrong", "Try it yourself", "Take-aways"} <= titles
    assert any(cell.source.startswith("quizzes.") for cell in cells(notebook, "code"))
    following = CHAPTERS.get(f"{int(number) + 1:02d}")
    assert not following or any(f"]({following.name})" in cell.source for cell in cells(notebook, "markdown"))


PREDICT = re.compile(
    r'<div class="box predict alert alert-info">\n\n\*\*Predict\.\*\* (?:(?!</div>).)+\n\n'
    r"<details>\n<summary>Answer</summary>\n\n(?:(?!</div>).)+\n\n</details>\n\n</div>",
    re.DOTALL,
)


def test_a_prediction_stands_in_a_box_and_its_answer_unfolds(notebook: Any) -> None:
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    assert PREDICT.findall(text)
    assert "**Predict" not in PREDICT.sub("", text)


def is_hidden(cell: Any) -> bool:
    return "hide-input" in cell.metadata.get("tags", [])


def test_no_cell_exists_only_to_assert_and_the_first_one_is_folded(notebook: Any) -> None:
    """What a chapter claims is asserted in tests/notebooks, on its own variables."""
    for cell in cells(notebook, "code"):
        assert is_hidden(cell) == cell.metadata.get("jupyter", {}).get("source_hidden", False), cell.id
        assert not re.search(r"(?m)^\s*assert ", cell.source), cell.id
    first = cells(notebook, "code")[0]
    assert is_hidden(first)
    assert first.source.startswith("# Set-up\n")


# ---- Core and further


def reading(notebook: Any, *, further: bool) -> tuple[int, float]:
    """Words, and minutes to read them and the open cells of code; without the exercises and what is folded."""
    chosen = [
        cell
        for cell, path in sections.with_headings(notebook)
        if is_further(path) == further and "Try it yourself" not in [heading.title for heading in path]
    ]
    texts = (re.sub("<details>.*?</details>", "", cell.source, flags=re.DOTALL) for cell in chosen if is_text(cell))
    words = sum(map(prose.words, texts))
    shown = sum(cell.cell_type == "code" and not is_hidden(cell) for cell in chosen)
    return words, words / WORDS_A_MINUTE + shown * MINUTES_A_CELL


def is_text(cell: Any) -> bool:
    return bool(cell.cell_type == "markdown")


def is_further(path: list[sections.Heading]) -> bool:
    return any(heading.is_further for heading in path)


def lecture(notebook: Any, *, further: bool) -> float:
    chosen = [cell for cell, path in sections.with_headings(notebook) if is_further(path) == further]
    return float(sum(cell.metadata.get("lecture", {}).get("minutes", 0) for cell in chosen))


def test_the_core_is_read_and_lectured_in_25_minutes_as_the_reader_is_told(notebook: Any) -> None:
    words, minutes = reading(notebook, further=False)
    more_words, more = reading(notebook, further=True)
    assert more_words <= words <= CORE_WORDS
    assert minutes <= CORE_MINUTES
    opening = " ".join(cell.source for cell in notebook.cells[:8])
    told = re.search(
        r"\*\*Time:\*\* about (\d+) minutes to read the core(?:, (\d+) more for the parts marked \*Further\*)?,"
        r" (\d+) for the exercises; ([\d.]+) minutes to lecture(?:, ([\d.]+) more for \*Further\*)?\.",
        " ".join(opening.split()),
    )
    assert told
    core, further, _, slides, below = map(float, told.groups("0"))
    assert core == pytest.approx(minutes, abs=3)
    assert further == pytest.approx(more, abs=3)
    assert lecture(notebook, further=False) == slides <= CORE_MINUTES
    assert lecture(notebook, further=True) == below


def test_code_cells_can_be_read_from_the_back_row(notebook: Any) -> None:
    for cell in cells(notebook, "code")[1:]:  # the imports are hidden, and on no slide
        lines = [line for line in cell.source.splitlines() if line.strip()]
        assert len(lines) <= MOST_LINES, cell.id
        assert max(map(len, lines)) <= WIDEST_LINE, cell.id
        assert not lines[-1].endswith(";"), f"{cell.id}: `ax = …` says it better, and to every front end"


# ---- The lecture


def test_every_cell_knows_its_place_in_the_lecture(notebook: Any) -> None:
    for cell in notebook.cells:
        kind, told = cell.metadata.slideshow.slide_type, set(cell.metadata.get("lecture", {}))
        assert kind in SLIDE_TYPES, cell.id
        begins = kind in ("slide", "subslide")
        assert told <= (BEGINNING if begins else set() if kind == "skip" else CONTINUING), cell.id
        assert ("minutes" in told) == begins, cell.id
        assert "code" not in told or cell.cell_type == "code", cell.id
    for cell, path in sections.with_headings(notebook):
        is_below = is_further(path) or cell.metadata.get("lecture", {}).get("minutes") == 0  # Further, or for home
        assert cell.metadata.slideshow.slide_type != ("slide" if is_below else "subslide"), cell.id
    assert notebook.cells[0].metadata.slideshow.slide_type == "slide"


# ---- The numbers


def decimals(text: str) -> set[str]:
    return set(re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", text.replace("{,}", "").replace(",", "")))


@functools.cache
def formula_numbers() -> set[str]:
    """The numbers of all formulas of all chapters, such as 4.6: a formula (4.6) is no decimal number."""
    texts = (cell.source for chapter in CHAPTERS for cell in cells(read(chapter), "markdown"))
    return {number for text in texts for number in re.findall(r"\\tag\{(.*?)\}", text)}


def test_every_decimal_number_in_the_prose_is_computed_in_the_notebook(notebook: Any) -> None:
    """To as many digits as the prose gives it, in some output, in a picture's text, or in the code."""
    texts = [cell.source for cell in cells(notebook, "code")]
    for _, output in outputs(notebook):
        data = output.get("data", {})
        texts += [output.get("text", ""), data.get("text/plain", ""), re.sub("<[^>]+>", " ", data.get("text/html", ""))]
        texts += [json.dumps(output.get("metadata", {}), ensure_ascii=False)]
    everything = "\n".join(texts).replace(",", "")
    computed = [float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", everything)]
    for cell in cells(notebook, "markdown"):
        prose = re.sub(r"```.*?```|Exercise \d\.\d|\\tag\{.*?\}", "", cell.source, flags=re.DOTALL)
        for number in formula_numbers():
            prose = prose.replace(f"({number})", "")
        for number in decimals(prose):
            digits = len(number.split(".")[1])
            near = (abs(float(number) - value * scale) for value in computed for scale in (1, 100))
            assert min(near) <= 0.5000001 * 10**-digits, f"{cell.id}: {number}"


# ---- Running them again


@pytest.mark.slow
def test_every_stored_picture_is_what_its_cell_draws_and_has_its_words(number: str, notebook: Any) -> None:
    """(All other outputs are compared by nbval.) Another machine may round oddly on the edges of pictures."""
    stored = {
        cell.id: [output for output in cell.outputs if PNG in output.get("data", {})]
        for cell in cells(notebook, "code")
    }
    for cell, pictures in run(CHAPTERS[number]).pictures.items():
        for output, (words, png) in zip(stored[cell], pictures, strict=True):
            assert output.metadata[PNG]["alt"] == words, cell
            a, b = (Image.open(io.BytesIO(base64.b64decode(data))) for data in (output.data[PNG], packed(png)))
            assert (a.size, a.info) == (b.size, b.info), cell  # no date either
            pixels = [np.asarray(image.convert("RGB"), dtype=int) for image in (a, b)]
            assert np.mean(np.abs(pixels[0] - pixels[1]).max(axis=2) > 8) < 0.001, cell


@pytest.mark.slow
def test_no_word_of_a_figure_is_covered(number: str) -> None:
    assert {cell: words for cell, words in run(CHAPTERS[number]).covered.items() if words} == {}


def packed(png: bytes) -> str:
    return refresh.packed(base64.b64encode(png).decode())


def test_nothing_is_stored_that_a_refresh_would_take_out(number: str) -> None:
    text = CHAPTERS[number].read_text("utf-8")
    notebook = sections.read(CHAPTERS[number])
    assert nbformat.writes(notebook) + "\n" == text
    for _, output in outputs(notebook):
        output.get("data", {}).pop(PNG, None)
    before = nbformat.writes(notebook)
    assert nbformat.writes(refresh.normalised(notebook)) == before


PICTURES = """from matplotlib import pyplot as plt
from plahelpers import pla, plots, running_example
run = pla(*running_example())
_, axes = plt.subplots(1, 2)
plots.points(run.X, run.y, ax=axes[0])
plots.errors(run, ax=axes[1])
plt.show()"""


@pytest.mark.slow
def test_a_refresh_stores_what_comes_out_and_pictures_with_their_words_twice_the_same_and_nothing_where_a_cell_fails(
    tmp_path: Path,
) -> None:
    path = tmp_path / "09_short.ipynb"
    write_notebook(path, "print(1 + 1)", PICTURES, "plt.plot([1, 2]);")
    assert [refresh.refresh(path), refresh.refresh(path)] == [(True, ""), (False, "")]
    assert {str(cell.metadata) for cell in sections.read(path).cells} == {"{}"}
    [printed], [ours], [not_ours] = (cell.outputs for cell in sections.read(path).cells)
    assert printed.text == "2\n"
    image, shown = Image.open(io.BytesIO(base64.b64decode(ours.data[PNG]))), ours.metadata[PNG]
    assert (shown["width"], shown["height"]) == (image.width // 2, image.height // 2)
    assert re.match("Panel 1: 20 points, 7 positive. Panel 2: Mistakes on 20 examples along 8 updates", shown["alt"])
    assert "alt" not in not_ours.metadata.get(PNG, {})
    write_notebook(path, "1 / 0")
    before = path.read_text("utf-8")
    changed, trouble = refresh.refresh(path)
    assert (changed, "ZeroDivisionError" in trouble, path.read_text("utf-8")) == (False, True, before)
