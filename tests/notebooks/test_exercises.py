"""The exercises of the chapters: each has hints and a solution, and the solution does what is asked for."""

import itertools
import re
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import plahelpers
from plahelpers import mistakes, pla, separate
from plahelpers.datasets import Data
from plahelpers.guarantee import update_bound
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


@pytest.mark.parametrize("number", CHAPTERS)
def test_each_chapter_has_three_to_five_exercises_of_at_least_three_kinds(number: str) -> None:
    titles = [title for where, title in EXERCISES if where == number]
    assert [title.split(":")[0] for title in titles] == [f"Exercise {int(number)}.{n + 1}" for n in range(len(titles))]
    assert 3 <= len(titles) <= 5
    assert len({parts(number, title)[0] for title in titles}) >= 3


@pytest.mark.parametrize(("number", "title"), EXERCISES)
def test_an_exercise_has_hints_and_a_solution_that_passes_its_check(number: str, title: str) -> None:
    kind, task, folded = parts(number, title)
    assert re.findall(r"<summary>(.*?)</summary>", folded) == ["Hint", "A bigger hint", "Solution"]
    if not task:
        return
    solution = re.search(r"<summary>Solution</summary>\s.*?```python\n(.*?)```", folded, flags=re.DOTALL)
    assert solution, "no code in the solution"
    if kind == "Widget":
        exec(solution[1], dict(run(CHAPTERS[number])))
        return
    if kind == "Construction":
        judge = CONSTRUCTIONS[title.partition(":")[0]]
        assert [judge(*data_in(code, number)) for code in (task, solution[1])] == [False, True]
    names = imported(number)
    calls = re.findall(r"checks\.\w+\([\w, ]+\)", task)
    assert task.endswith(calls[-1])
    for code, passes in ((task, False), (solution[1], True)):
        exec(code.removesuffix(calls[-1]), names)
        for call in calls:
            report = eval(call, names)
            assert report.passed is passes, f"{report}"


def imported(number: str) -> dict[str, Any]:
    """The names that the first cell of a chapter makes available; a solution may use no others."""
    first = next(cell.source for cell in read(number).cells if cell.cell_type == "code")
    names: dict[str, Any] = {"plahelpers": plahelpers}
    exec("\n".join(line for line in first.splitlines() if line.startswith(("import ", "from "))), names)
    return names


# --- constructions ----------------------------------------------------------------------------------------------------
# Each is also judged here, by the data that its code gives to `pla` or `separate`. What stands in its cell, as a
# learner finds it, does not have the property that is asked for.


def data_in(code: str, number: str) -> list[Data]:
    """The data on which the code calls `pla` or, if it never does, `separate`."""
    names = imported(number)
    calls: dict[str, list[Data]] = {"pla": [], "separate": []}

    def recording(name: str, function: Any) -> Any:
        def call(X: Any, y: Any, **options: Any) -> Any:
            calls[name].append(Data(np.array(X, dtype=float), np.array(y)))
            return function(X, y, **options)

        return call

    names |= {name: recording(name, names[name]) for name in calls if name in names}
    names["plahelpers"] = SimpleNamespace(pla=recording("pla", pla))  # in chapter 2, `pla` is the reader's own
    exec(code, names)
    return calls["pla"] or calls["separate"]


def three_against_one(data: Data) -> bool:
    """Three + and one −, no three on a line, and no line gets them right."""
    corners = itertools.combinations(data.X, 3)
    bent = all(np.linalg.det([b - a, c - a]) != 0 for a, b, c in corners)
    return sorted(data.y) == [-1, 1, 1, 1] and bent and not separate(*data).separable


def order_matters(data: Data, *_: Data) -> bool:
    """Three points, whole from −5 to 5: one update in the order 0, 1, 2, and more than 20 in another order."""
    whole = np.array_equal(data.X, data.X.round()) and np.abs(data.X).max() <= 5
    updates = [pla(*data, order=order).updates for order in itertools.permutations(range(3))]
    return whole and len(data.y) == 3 and updates[0] == 1 and max(updates) > 20


def long_run_and_large_bound(*given: Data) -> bool:
    """In one dimension: two points with more than 100 updates, and data with R²/ρ² > 10,000 and one update."""
    assert all(data.X.shape[1] == 1 for data in given)
    updates = [pla(*data).updates for data in given]
    long = [len(data.y) == 2 and T > 100 for data, T in zip(given, updates, strict=True)]
    large = [T == 1 and update_bound(*data) > 10_000 for data, T in zip(given, updates, strict=True)]
    return any(long) and any(large)


def greedy_is_stuck(data: Data) -> bool:
    """Separable, and no correction of a mistake of w = 0 makes fewer mistakes than w = 0."""
    X, y = data
    at_start = mistakes([0, 0, 0], X, y)
    after = [len(mistakes([y[n], *(y[n] * X[n])], X, y)) for n in at_start]
    return len(y) >= 3 and set(y) == {-1, 1} and separate(X, y).separable and min(after) >= len(at_start)


def fewer_updates_with_one_more(two: Data, three: Data) -> bool:
    """The two examples of the task, then the same with one more: separable, and fewer updates."""
    assert (two.X.tolist(), two.y.tolist()) == ([[4], [5]], [-1, 1])
    examples = [[(*x, label) for x, label in zip(*data, strict=True)] for data in (two, three)]
    return (
        set(examples[0]) < set(examples[1]) and separate(*three).separable and pla(*three).updates < pla(*two).updates
    )


CONSTRUCTIONS = {
    "Exercise 1.4": three_against_one,
    "Exercise 2.3": order_matters,
    "Exercise 3.3": long_run_and_large_bound,
    "Exercise 4.4": greedy_is_stuck,
    "Exercise 5.3": fewer_updates_with_one_more,
}
