"""Checks that come as a table, where the right functions stay with the teacher.

`record` writes down what right functions and known mistakes answer to the fixed cases of their exercises, as plain
data for a file of JSON. A `Table` reads the file and checks a learner's function as `checks` does: it shows the
smallest case that fails, and names the mistake. It contains no function, only answers to the cases in it.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from plahelpers.checks.judge import SECONDS, Check, TaskCheck, check_of, name_of
from plahelpers.checks.report import Report, Score, score_of
from plahelpers.checks.result import Section
from plahelpers.checks.task import Arguments, Endless, Mistake, Part, Task, Version


class Table:
    """The checks of one assignment: `check = checks.Table("hw1_cases.json")`, and then `check(turning_pla)`.

    path is the file that `record` has made; constructions are more checks, of functions that make data.
    """

    def __init__(self, path: str | Path, *constructions: Check) -> None:
        entries = json.loads(Path(path).read_text(encoding="utf-8"))
        self.checks: dict[str, Check] = {name: check_of(_read(name, entry)) for name, entry in entries.items()}
        self.checks |= {check.__name__: check for check in constructions}

    def __call__(self, function: Version, *, seconds: float = SECONDS) -> Report:
        """Check a function; its own name says which one it is."""
        name = name_of(function)
        if name not in self.checks:
            known = ", ".join(self.checks)
            raise ValueError(f"there is no check for {name or 'this'}. Give one of these functions itself: {known}.")
        return self.checks[name](function, seconds=seconds)

    def score(self) -> Score:
        """How many of the functions have passed so far, and which have not."""
        return score_of(self.checks)


def _recorded(answers: dict[str, Any]) -> Version:
    """A function that knows its answers to the cases of a table, and nothing else; None: it never returns."""

    def version(*arguments: Any) -> Any:
        case = json.dumps(_encode(arguments))
        if case not in answers:
            raise LookupError("this case is not in the table")
        if answers[case] is None:
            raise Endless
        return _decode(answers[case])

    return version


def _read(name: str, entry: dict[str, Any]) -> Task:
    def recorded(row: Sequence[int | None]) -> Version:
        cases = zip(entry["cases"], entry["answers"], row, strict=True)
        return _recorded({json.dumps(case): None if k is None else answers[k] for case, answers, k in cases})

    return Task(
        name=name,
        arguments=tuple(entry["arguments"]),
        parts=tuple(Part(*part) for part in entry["parts"]),
        read=Section(*entry["read"]),
        right=recorded([0] * len(entry["cases"])),
        cases=lambda: [tuple(_decode(case)) for case in entry["cases"]],
        mistakes=tuple(
            Mistake(
                each["id"], each["what"], each["why"], *map(recorded, each["versions"]), read=Section(*each["read"])
            )
            for each in entry["mistakes"]
        ),
        **entry["words"],
    )


def record(checks: Iterable[TaskCheck]) -> str:
    """The table of these checks: the text of the file."""
    entries = {check.task.name: _entry(check.task) for check in checks}
    return json.dumps(entries, ensure_ascii=False, separators=(",", ":")) + "\n"


def _entry(task: Task) -> dict[str, Any]:
    """A task as data: answers[k] are all the different ones to case k, the right one first; versions count in them."""
    answers: list[list[Any]] = [[] for _ in task.cases()]
    mistakes = []
    _row(task.right, task.cases(), answers)
    for known in task.mistakes:
        rows = dict.fromkeys(_row(version, task.cases(), answers) for version in known.versions)
        about = {"id": known.id, "what": known.what, "why": known.why, "read": known.read or task.read}
        mistakes.append({**about, "versions": [row for row in rows if any(row)]})  # without those that are never wrong
    return {
        "arguments": task.arguments,
        "parts": task.parts,
        "read": task.read,
        "words": {"title": task.title, "returns": task.returns, "ends": task.ends, "key": task.key},
        "cases": _encode(task.cases()),
        "answers": answers,
        "mistakes": mistakes,
    }


def _row(version: Version, cases: list[Arguments], answers: list[list[Any]]) -> tuple[int | None, ...]:
    """Where among the answers to each case that of this version is; a new one is added."""
    row = list[int | None]()
    for case, seen in zip(cases, answers, strict=True):
        try:
            answer = _encode(version(*case))
        except Endless:
            row.append(None)
            continue
        if answer not in seen:
            seen.append(answer)
        row.append(seen.index(answer))
    return tuple(row)


def _encode(value: Any) -> Any:
    """A value as plain data, with ten digits, which are the same on every processor; an array as {"f8": [1.0, 2.0]}."""
    if isinstance(value, np.ndarray | np.generic):
        return {value.dtype.str[1:]: _encode(value.tolist())}
    if isinstance(value, float):
        return float(f"{value:.10g}")
    return [_encode(each) for each in value] if isinstance(value, list | tuple) else value


def _decode(value: Any) -> Any:
    if isinstance(value, dict):
        ((kind, numbers),) = value.items()
        return np.array(numbers, dtype=kind)[()]  # of one number: that number, as NumPy has it
    return [_decode(each) for each in value] if isinstance(value, list) else value
