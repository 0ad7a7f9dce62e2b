"""The five notebooks as they are stored: what a reader sees without running anything, and what a lecturer shows."""

import base64
import functools
import io
import itertools
import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import nbformat
import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb
from PIL import Image

from book import assets, refresh, sections
from book.sections import own_heading
from plahelpers import _format, _theme, pla, plots, running_example
from tests import prose
from tests.oracles import separable_exactly, textbook_mistakes, textbook_pla

ROOT = Path(__file__).resolve().parents[2]


CHAPTERS = {path.name[:2]: path.name for path in assets.notebooks()}
MEGABYTES = 1
WIDEST_LINE, MOST_LINES = 88, 8  # of a code cell that is read from the back row
SLIDE_TYPES = {"slide", "subslide", "fragment", "skip", "-"}
BEGINNING, CONTINUING = {"minutes", "heading", "text", "notes", "code"}, {"text", "code"}  # what `lecture` may tell
CORE_WORDS, CORE_MINUTES = 2800, 30
WORDS_A_MINUTE, MINUTES_A_CELL = 150, 0.25  # read aloud; a cell of code, and what it shows
KINDS = {"Code": True, "Construction": True, "On paper": False, "Proof": False, "Explanation": False}  # with a cell?


def read(chapter: str) -> Any:
    return nbformat.read(ROOT / "notebooks" / CHAPTERS[chapter], as_version=4)


@pytest.fixture(scope="module", params=list(CHAPTERS))
def chapter(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def notebook(chapter: str) -> Any:
    return read(chapter)


def cells(notebook: Any, kind: str) -> list[Any]:
    return [cell for cell in notebook.cells if cell.cell_type == kind]


def outputs(notebook: Any) -> Iterator[tuple[Any, Any]]:
    for cell in cells(notebook, "code"):
        for output in cell.outputs:
            yield cell, output


def output_text(notebook: Any) -> str:
    """The text of all its outputs, with every minus a hyphen and every array's brackets and commas gone."""
    texts = []
    for _, output in outputs(notebook):
        texts += [output.get("text", ""), output.get("data", {}).get("text/plain", "")]
        texts += [re.sub("<[^>]+>", " ", output.get("data", {}).get("text/html", ""))]
    return plain("\n".join(texts))


def plain(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"[\[\](),;|]", " ", text.replace("−", "-")))


def headings(notebook: Any) -> list[sections.Heading]:
    return [heading for cell in notebook.cells if (heading := own_heading(cell))]


# ---- Hygiene


def test_the_five_chapters_and_no_other_notebooks_are_there() -> None:
    assert list(CHAPTERS.values()) == list(_format.CHAPTERS.values())


def test_a_notebook_is_valid_and_small_and_its_cells_have_unique_ids_and_are_not_empty(
    chapter: str, notebook: Any
) -> None:
    nbformat.validate(notebook)
    ids = [cell.id for cell in notebook.cells]
    assert len(set(ids)) == len(ids)
    assert [cell.id for cell in notebook.cells if not cell.source.strip()] == []
    assert (ROOT / "notebooks" / CHAPTERS[chapter]).stat().st_size < MEGABYTES * 1e6
    assert notebook.metadata == {"kernelspec": refresh.KERNEL, "language_info": refresh.LANGUAGE}
    assert "version" not in refresh.LANGUAGE


def test_one_title_and_no_level_of_headings_is_skipped(notebook: Any) -> None:
    levels = [heading.level for heading in headings(notebook)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(deeper <= level + 1 for level, deeper in itertools.pairwise(levels))


def test_the_cell_of_a_heading_has_the_id_by_which_links_find_it(notebook: Any) -> None:
    """Else give the cell this id: JupyterLab shows it in the Property Inspector, or edit the file."""
    assert [heading for heading in headings(notebook)[1:] if heading.cell != _format.cell_id(heading.title)] == []


def test_links_lead_to_files_that_are_there_and_each_chapter_to_the_next(chapter: str, notebook: Any) -> None:
    prose = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    targets = re.findall(r"\]\(([^)#]+)\)", re.sub(r"\$[^$]*\$", "", prose))
    assert [target for target in targets if not (ROOT / "notebooks" / target).is_file()] == []
    following = f"{int(chapter) + 1:02d}"
    assert following not in CHAPTERS or CHAPTERS[following] in targets


def test_every_picture_has_an_alternative_text(notebook: Any) -> None:
    for cell, output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            assert len(output.metadata["image/png"]["alt"]) > 20, cell.id
    for cell in cells(notebook, "markdown"):
        assert not re.search(r"!\[\s*\]\(|<img(?![^>]*alt=)", cell.source), cell.id


def test_every_cell_is_compared_when_the_notebooks_are_tested(notebook: Any) -> None:
    """No cell is excluded; should one ever have to be, say why in the cell, and here."""
    for cell in notebook.cells:
        assert not any("nbval" in tag for tag in cell.metadata.get("tags", [])), cell.id
        assert "NBVAL" not in cell.source, cell.id


# ---- The anatomy


def test_a_chapter_has_all_the_parts_a_chapter_has(notebook: Any) -> None:
    titles = {heading.title for heading in headings(notebook)}
    assert {"You will", "Where notes go wrong", "Try it yourself", "Take-aways"} <= titles
    assert any(cell.source.startswith("quizzes.") for cell in cells(notebook, "code"))


PREDICT = re.compile(
    r'<div class="box predict alert alert-info">\n\n\*\*Predict\.\*\* (?:(?!</div>).)+\?(?:(?!</div>).)*\n\n'
    r"<details>\n<summary>Answer</summary>\n\n(?:(?!</div>).)+\n\n</details>\n\n</div>",
    re.DOTALL,
)


def test_a_prediction_is_a_question_in_a_box_whose_answer_unfolds(notebook: Any) -> None:
    text = "\n".join(cell.source for cell in cells(notebook, "markdown"))
    assert len(PREDICT.findall(text)) >= 2
    assert "**Predict" not in PREDICT.sub("", text)


def test_boxes_are_closed_and_their_contents_are_markdown(notebook: Any) -> None:
    for cell in cells(notebook, "markdown"):
        opened = re.findall(r'(?m)^<div class="box (?:predict|theorem|proof|caution) alert alert-\w+">\n$', cell.source)
        assert len(opened) == cell.source.count("<div") == len(re.findall(r"\n\n</div>$", cell.source, re.M)), cell.id


def is_hidden(cell: Any) -> bool:
    return "hide-input" in cell.metadata.get("tags", [])


def test_what_only_verifies_is_folded_and_says_in_one_line_what_was_checked(notebook: Any) -> None:
    for cell in cells(notebook, "code"):
        assert is_hidden(cell) == cell.metadata.get("jupyter", {}).get("source_hidden", False), cell.id
        if re.search(r"(?m)^\s*assert ", cell.source):
            assert is_hidden(cell), cell.id
            assert cell.metadata.slideshow.slide_type == "skip", cell.id
            assert re.fullmatch(r"Checked: .+\n", "".join(output.text for output in cell.outputs)), cell.id
    assert is_hidden(cells(notebook, "code")[0])  # the imports


# ---- Core and further


def reading(notebook: Any, *, further: bool) -> tuple[int, float]:
    """Words, and minutes to read them and the open cells of code; the exercises are counted elsewhere."""
    chosen = [
        cell
        for cell, path in sections.with_headings(notebook)
        if is_further(path) == further and "Try it yourself" not in [heading.title for heading in path]
    ]
    words = sum(prose.words(cell.source) for cell in chosen if cell.cell_type == "markdown")
    shown = sum(cell.cell_type == "code" and not is_hidden(cell) for cell in chosen)
    return words, words / WORDS_A_MINUTE + shown * MINUTES_A_CELL


def is_further(path: list[sections.Heading]) -> bool:
    return any(heading.is_further for heading in path)


def lecture(notebook: Any, *, further: bool) -> float:
    chosen = [cell for cell, path in sections.with_headings(notebook) if is_further(path) == further]
    return float(sum(cell.metadata.get("lecture", {}).get("minutes", 0) for cell in chosen))


def test_the_core_is_read_in_half_an_hour_and_lectured_in_35_to_40_minutes_as_the_reader_is_told(notebook: Any) -> None:
    words, minutes = reading(notebook, further=False)
    _, more = reading(notebook, further=True)
    assert words <= CORE_WORDS
    assert minutes <= CORE_MINUTES
    opening = " ".join(cell.source for cell in notebook.cells[:8])
    told = re.search(
        r"\*\*Time:\*\* about (\d+) minutes to read the core, (\d+) more for the parts marked \*Further\*,"
        r" (\d+) for the exercises; ([\d.]+) minutes to lecture, ([\d.]+) more for \*Further\*\.",
        " ".join(opening.split()),
    )
    assert told
    core, further, _, slides, below = map(float, told.groups())
    assert core == pytest.approx(minutes, abs=5)
    assert further == pytest.approx(more, abs=5)
    assert 35 <= lecture(notebook, further=False) == slides <= 40
    assert lecture(notebook, further=True) == below


def test_the_start_of_a_run_and_the_weight_of_the_constant_have_different_symbols(notebook: Any) -> None:
    start = re.compile(r"\b(?:from|start|at) (?:any )?\$[^$]*w_0\b|\\\|w_0\\\||w_0,\s*w_1,[^.]{0,20}w_T")
    assert [cell.id for cell in cells(notebook, "markdown") if start.search(cell.source)] == []


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
        assert cell.metadata.slideshow.slide_type != ("slide" if is_further(path) else "subslide"), cell.id
    assert notebook.cells[0].metadata.slideshow.slide_type == "slide"


# ---- The exercises


def exercises() -> list[tuple[str, str]]:
    return [
        (chapter, cell.source.splitlines()[0].removeprefix("### "))
        for chapter in CHAPTERS
        for cell in cells(read(chapter), "markdown")
        if cell.source.startswith("### Exercise")
    ]


def parts(chapter: str, title: str) -> tuple[str, str, str]:
    """An exercise's kind, its code cell, if it has one, and what is folded under it."""
    notebook = read(chapter)
    at = next(k for k, cell in enumerate(notebook.cells) if cell.source.startswith(f"### {title}"))
    kind = re.match(r"### .+\n\n\*(.+?)\.\*", notebook.cells[at].source)
    assert kind, f"{title}: of what kind is it?"
    task = notebook.cells[at + 1].source if KINDS[kind[1]] else ""
    return kind[1], task, notebook.cells[at + 1 + bool(task)].source


def test_each_chapter_has_three_to_five_exercises_of_at_least_three_kinds(chapter: str) -> None:
    titles = [title for where, title in exercises() if where == chapter]
    assert [title.split(":")[0] for title in titles] == [f"Exercise {int(chapter)}.{n + 1}" for n in range(len(titles))]
    assert 3 <= len(titles) <= 5
    assert len({parts(chapter, title)[0] for title in titles}) >= 3


@pytest.mark.parametrize(("chapter", "title"), exercises())
def test_an_exercise_has_hints_and_a_solution_that_passes_its_check(chapter: str, title: str) -> None:
    kind, task, folded = parts(chapter, title)
    assert re.findall(r"<summary>(.*?)</summary>", folded) == ["Hint", "A bigger hint", "Solution"]
    if not task:
        return
    solution = code_of_solution(folded)
    if kind == "Construction":
        judge = CONSTRUCTIONS[title.partition(":")[0]]
        assert [judge(data_in(code, chapter)) for code in (task, solution)] == [False, True]
        return
    names: dict[str, Any] = {}
    exec(imports(chapter), names)
    *_, call = task.splitlines()
    assert call.startswith("checks.")
    for code, passes in ((task, False), (solution, True)):
        exec(code.removesuffix(call), names)
        report = eval(call, names)
        assert report.passed is passes, f"{report}"


def code_of_solution(folded: str) -> str:
    solution = re.search(r"<summary>Solution</summary>\s.*?```python\n(.*?)```", folded, flags=re.DOTALL)
    assert solution, "no code in the solution"
    return solution[1]


# A construction has no check. Here each is judged by the oracles and by arithmetic of its own, from the data that its
# code gives to `pla` or `separate`. Its cell, as a learner finds it, does not have the property that is asked for.


class Data(NamedTuple):
    """Labelled points that a piece of code hands over, as plain lists."""

    X: list[list[float]]
    y: list[int]

    def updates(self, order: Sequence[int] | None = None) -> int:
        picks, _, halted = textbook_pla(self.X, self.y, order or range(len(self.y)))
        assert halted
        return len(picks)

    @property
    def separable(self) -> bool:
        return bool(separable_exactly(np.array(self.X, dtype=float), self.y))


def data_in(code: str, chapter: str) -> list[Data]:
    """The data on which the code calls `pla` or, if it never does, `separate`."""
    names: dict[str, Any] = {}
    exec(imports(chapter), names)
    seen: dict[str, list[Data]] = {"pla": [], "separate": []}
    for name, data in seen.items():
        names[name] = recording(names[name], data) if name in names else None
    exec(code, names)
    return seen["pla"] or seen["separate"]


def recording(function: Callable[..., Any], data: list[Data]) -> Callable[..., Any]:
    """The same function, which also keeps the data that it is called with."""

    def call(X: Any, y: Any, **options: Any) -> Any:
        data.append(Data(np.asarray(X, dtype=float).tolist(), [int(label) for label in y]))
        return function(X, y, **options)

    return call


def three_against_one(given: list[Data]) -> bool:
    """Three + and one −, no three on a line, and no line gets them right."""
    [(X, y)] = given
    corners = itertools.combinations(X, 3)
    bent = all((b[0] - a[0]) * (c[1] - a[1]) != (b[1] - a[1]) * (c[0] - a[0]) for a, b, c in corners)
    return sorted(y) == [-1, 1, 1, 1] and bent and not given[0].separable


def order_matters(given: list[Data]) -> bool:
    """Three points, whole from −5 to 5: one update in the order 0, 1, 2, and more than 20 in another order."""
    mine = given[0]
    whole = all(value == round(value) and abs(value) <= 5 for x in mine.X for value in x)
    updates = [mine.updates(order) for order in itertools.permutations(range(3))]
    return whole and len(mine.y) == 3 and updates[0] == 1 and max(updates) > 20


def long_run_and_large_bound(given: list[Data]) -> bool:
    """In one dimension: two points with more than 100 updates, and data with R²/ρ² > 10,000 and one update."""
    assert all(len(x) == 1 for data in given for x in data.X)
    long = [data for data in given if sorted(data.y) == [-1, 1] and data.X[0] != data.X[1] and data.updates() > 100]
    bounds = [squared_radius(data) / squared_margin(data) for data in given if data.separable and data.updates() == 1]
    return bool(long) and max(bounds, default=0) > 10_000


def squared_radius(data: Data) -> float:
    return max(1 + x[0] ** 2 for x in data.X)


def squared_margin(data: Data) -> float:
    """Of the best w: how near to the origin the hull of all y (1, x) comes, and so one of the lines between two."""
    steps = [np.array([label, label * x[0]]) for x, label in zip(data.X, data.y, strict=True)]
    return min(squared_distance(a, b - a) for a, b in itertools.product(steps, steps))


def squared_distance(a: Any, along: Any) -> float:
    """From the origin to the segment from a to a + along."""
    length = float(along @ along)
    nearest = a + along * min(1.0, max(0.0, -float(a @ along) / length)) if length else a
    return float(nearest @ nearest)


def greedy_is_stuck(given: list[Data]) -> bool:
    """Separable, and no correction of a mistake of w = 0 makes fewer mistakes than w = 0."""
    [(X, y)] = given
    at_start = textbook_mistakes([0, 0, 0], X, y)
    after = [len(textbook_mistakes([y[n], y[n] * X[n][0], y[n] * X[n][1]], X, y)) for n in at_start]
    return len(y) >= 3 and set(y) == {-1, 1} and given[0].separable and min(after) >= len(at_start)


def fewer_updates_with_one_more(given: list[Data]) -> bool:
    """The two examples of the task, then the same with one more: separable, and fewer updates."""
    two, three = given
    assert two == Data([[4], [5]], [-1, 1])
    rests = [Data(three.X[:n] + three.X[n + 1 :], three.y[:n] + three.y[n + 1 :]) for n in range(3)]
    return two in rests and three.separable and three.updates() < two.updates()


CONSTRUCTIONS: dict[str, Callable[[list[Data]], bool]] = {
    "Exercise 1.4": three_against_one,
    "Exercise 2.3": order_matters,
    "Exercise 3.3": long_run_and_large_bound,
    "Exercise 4.4": greedy_is_stuck,
    "Exercise 5.4": fewer_updates_with_one_more,
}


def imports(chapter: str) -> str:
    """The lines at the top that make names available; a solution may use no others."""
    first = cells(read(chapter), "code")[0].source
    return "\n".join(line for line in first.splitlines() if line.startswith(("import ", "from ")))


# ---- The numbers


# The published figures, in the words and digits of `output_text`: a change of one is a change of the lecture.
FIXED = {
    "02": [
        "1 4 9 10 18 4 4 9",
        "-4 3.71997995 -0.66195783",
        "15 16 4 9 8 19 10 5 18 12 17 1 3 0 13 2 14 7 11 6",
        "15 9 18 12 4",
        "-3 3.13801068 -2.1162567",
        "-3 5.98783968 -1.78432935",
        "0 1 9 4 9",
        "-3 3.92448774 -1.4258668",
        "1 3 3 3 1 3 3",
        "-3 1 1",
    ],
    "03": [
        *("46.0654", "0.111611", "3697.9", "0.95865096 -0.38905489", "0.583910", "135.1"),
        "0.963 0.951 0.898",
    ],
    "04": ["0 2 9 16 17 18", "1.80158115 -3.38519667"],
}


@pytest.mark.parametrize("chapter", FIXED)
def test_the_published_figures_stand_in_the_stored_outputs(chapter: str) -> None:
    text = re.sub(r"(\d)\. ", r"\1 ", output_text(read(chapter)))
    assert [figure for figure in FIXED[chapter] if not re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", text)] == []


def test_the_means_of_many_runs_are_near_the_published_ones() -> None:
    """Caltech's experiment in chapter 2; Pocket against greedy in chapter 4."""
    row = r"N = (\d+): ([\d.]+) updates on average median \d+ largest \d+ g ≠ f with probability ([\d.]+)"
    caltech = re.findall(row, output_text(read("02")))
    means = {int(N): (float(updates), float(apart)) for N, updates, apart in caltech}
    assert means[10] == (pytest.approx(10, rel=0.25), pytest.approx(0.11, rel=0.15))
    assert means[100] == (pytest.approx(110, rel=0.35), pytest.approx(0.013, rel=0.15))
    [errors] = re.findall(r"Pocket +([\d.]+).*?greedy +([\d.]+)", output_text(read("04")))
    assert [float(mean) for mean in errors] == [pytest.approx(2.9, abs=0.2), pytest.approx(4.2, abs=0.2)]


def decimals(text: str) -> set[str]:
    return set(re.findall(r"(?<![\d.])\d+\.\d+(?![\d.])", text.replace("{,}", "").replace(",", "")))


@functools.cache
def formula_numbers() -> set[str]:
    """The numbers of all formulas of all chapters, such as 4.6: a formula (4.6) is no decimal number."""
    texts = (cell.source for chapter in CHAPTERS for cell in cells(read(chapter), "markdown"))
    return {number for text in texts for number in re.findall(r"\\tag\{(.*?)\}", text)}


def test_every_decimal_number_in_the_prose_is_computed_in_the_notebook(notebook: Any) -> None:
    """To as many digits as the prose gives it, in some output, in a picture's text, or in the code."""
    everything = output_text(notebook) + " ".join(cell.source for cell in cells(notebook, "code"))
    everything += json.dumps([output.get("metadata", {}) for _, output in outputs(notebook)], ensure_ascii=False)
    computed = [float(number) for number in re.findall(r"\d+(?:\.\d+)?(?:e[-+]?\d+)?", everything.replace(",", ""))]
    for cell in cells(notebook, "markdown"):
        prose = re.sub(r"```.*?```|Exercise \d\.\d|\\tag\{.*?\}", "", cell.source, flags=re.DOTALL)
        for number in formula_numbers():
            prose = prose.replace(f"({number})", "")
        for number in decimals(prose):
            digits = len(number.split(".")[1])
            near = (abs(float(number) - value * scale) for value in computed for scale in (1, 100))
            assert min(near) <= 0.5000001 * 10**-digits, f"{cell.id}: {number}"


# ---- Running them again


def without_pictures(notebook: Any) -> tuple[str, list[bytes]]:
    pictures = []
    for _, output in outputs(notebook):
        if "image/png" in output.get("data", {}):
            pictures.append(base64.b64decode(output.data.pop("image/png")))
    return nbformat.writes(notebook), pictures


def test_a_refresh_changes_no_byte(tmp_path: Path, chapter: str) -> None:
    """But for odd rounding on the edges of pictures (which nbval does not compare) on another machine."""
    copy = Path(shutil.copy(ROOT / "notebooks" / CHAPTERS[chapter], tmp_path))
    changed, trouble = refresh.refresh(copy)
    assert trouble == ""
    stored, pictures = without_pictures(read(chapter))
    fresh, again = without_pictures(nbformat.read(copy, as_version=4))
    assert stored == fresh
    assert changed == (pictures != again)
    for one, other in zip(pictures, again, strict=True):
        a, b = (Image.open(io.BytesIO(png)) for png in (one, other))
        assert (a.size, a.info) == (b.size, b.info)  # no date either
        pixels = [np.asarray(image.convert("RGB"), dtype=int) for image in (a, b)]
        assert np.mean(np.abs(pixels[0] - pixels[1]).max(axis=2) > 8) < 0.001


def test_a_stored_picture_has_few_colours_and_flat_ones_are_exact() -> None:
    file = io.BytesIO()
    plots.hypothesis(pla(*running_example())).figure.savefig(file)
    fresh = file.getvalue()
    stored = refresh.packed(base64.b64encode(fresh).decode())
    before, after = (Image.open(io.BytesIO(png)) for png in (fresh, base64.b64decode(stored)))
    assert (after.mode, after.size) == ("P", before.size)
    pixels, packed = (np.asarray(image.convert("RGB")) for image in (before, after))
    for colour in (_theme.PLUS, _theme.MINUS, _theme.PLUS_REGION, _theme.MINUS_REGION, _theme.INK, "#FFFFFF"):
        flat = (pixels == np.array(to_rgb(colour)) * 255).all(axis=2)
        assert flat.sum() > 100
        assert {to_hex(pixel / 255).upper() for pixel in np.unique(packed[flat], axis=0)} == {colour}


def test_what_the_property_inspector_adds_to_a_cell_is_not_stored() -> None:
    """As JupyterLab 4.6 writes it when a cell's slide type is set to "-"; what somebody has chosen stays."""
    place = {"slideshow": {"slide_type": ""}}
    plain = nbformat.v4.new_markdown_cell("Text.", metadata={**place, "editable": True, "deletable": True, "tags": []})
    chosen = nbformat.v4.new_markdown_cell("Text.", metadata={**place, "editable": False, "tags": ["mine"]})
    stored = refresh.normalised(nbformat.v4.new_notebook(cells=[plain, chosen])).cells
    going_on = {"slideshow": {"slide_type": "-"}}
    assert [cell.metadata for cell in stored] == [going_on, {**going_on, "editable": False, "tags": ["mine"]}]
