"""The exercises of the chapters: each has hints, and a solution that passes the check which the task fails."""

import re
from typing import Any

import pytest

import plahelpers
from tests.notebooks.conftest import CHAPTERS, read, run

KINDS = {"Code": True, "Widget": True, "Construction": True, "On paper": False, "Proof": False, "Explanation": False}
EXERCISES = [
    (number, cell.source.splitlines()[0].removeprefix("### "))
    for number in CHAPTERS
    for cell in read(number).cells
    if cell.source.startswith("### Exercise")
]


def parts(number: str, title: str) -> tuple[str, str, str]:
    """An exercise's kind, its code cell, if it has one, and what is folded under it."""
    cells = read(number).cells
    at = next(k for k, cell in enumerate(cells) if cell.source.startswith(f"### {title}"))
    kind = re.match(r"### .+\n\n\*(.+?)\.\*", cells[at].source)
    assert kind, f"{title}: of what kind is it?"
    task = cells[at + 1].source if KINDS[kind[1]] else ""
    return kind[1], task, cells[at + 1 + bool(task)].source


@pytest.mark.parametrize(("number", "title"), EXERCISES)
def test_an_exercise_has_hints_and_a_solution_that_passes_its_check(number: str, title: str) -> None:
    kind, task, folded = parts(number, title)
    assert re.findall(r"<summary>(.*?)</summary>", folded) == ["Hint", "A bigger hint", "Solution"]
    if not task:
        return
    solution = re.search(r"<summary>Solution</summary>\s.*?```python\n(.*?)```", folded, flags=re.DOTALL)
    assert solution, "no code in the solution"
    if kind == "Widget":
        exec(solution[1], dict(run(CHAPTERS[number]).variables))
        return
    names = imported(number)
    calls = re.findall(r"checks\.\w+\([\w, ]+\)", task)
    assert task.endswith(calls[-1])
    for code, passes in ((task, False), (solution[1], True)):
        exec(code.removesuffix(calls[-1]), names)
        for call in calls:
            report = eval(call, names)
            assert report.passed is passes, f"{report}"


@pytest.mark.parametrize("number", CHAPTERS)
def test_the_score_of_a_chapter_counts_the_checks_that_its_exercises_call(number: str) -> None:
    tasks = "".join(parts(where, title)[1] for where, title in EXERCISES if where == number)
    score = plahelpers.checks.score(int(number))
    assert {*score.passed, *score.missing} == set(re.findall(r"checks\.(\w+)\(", tasks))
    assert any(f"`checks.score({int(number)})`" in cell.source for cell in read(number).cells)


def imported(number: str) -> dict[str, Any]:
    """The names that the first cell of a chapter makes available; a solution may use no others."""
    first = next(cell.source for cell in read(number).cells if cell.cell_type == "code")
    names: dict[str, Any] = {"plahelpers": plahelpers}
    exec("\n".join(line for line in first.splitlines() if line.startswith(("import ", "from "))), names)
    return names
