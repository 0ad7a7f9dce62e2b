"""The questions of Fun Time: read from their files, and with the numbers of a seed filled in.

A file has a `chapter` and a list of `[[question]]`, each with an `id`, the heading to `read` again, a `prompt`, and
either a list of `[[question.choice]]` or a `[question.number]`. A `generator` fills the `{{names}}` in its texts with
values; they are drawn again until the right answer and the known wrong ones all differ. The tests check every file
that comes with the package, so reading one takes it as it is.
"""

import re
import string
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import combinations, count
from typing import Any, Final, TypeAlias

import numpy as np

from plahelpers import _format
from plahelpers.quizzes import generators

PLACEHOLDER: Final = re.compile(r"\{\{(.*?)\}\}")

Entry: TypeAlias = Mapping[str, Any]  # a table of a file


@dataclass(frozen=True)
class Answer:
    """What a reader may answer, and what that shows."""

    text: str
    feedback: str
    right: bool = False
    letter: str = ""  # of a choice
    entries: tuple[float, ...] = ()  # of the vector, or the one of a number; none for any other result


@dataclass(frozen=True, kw_only=True)
class Question:
    """One question as it is asked: its generator's values, if it has one, filled in."""

    id: str
    chapter: int
    read: str
    prompt: str
    answers: Sequence[Answer]
    several: bool = False
    tolerance: float | None = None  # of the number, if one is asked for
    generator: str = ""
    values: Mapping[str, Any]
    alt: str = ""
    lecture: int | None = None

    @property
    def picture(self) -> str:
        """SVG, or nothing."""
        return str(self.values.get("picture", ""))

    @property
    def where(self) -> str:
        """The chapter and the heading to read again, as a link in Markdown."""
        return f"[Chapter {self.chapter}, “{self.read}”]({_format.section_address(self.chapter, self.read)})"


@cache
def load() -> dict[str, Entry]:
    """All questions as they stand in their files, by id."""
    folder = resources.files("plahelpers.quizzes")
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    tables = [tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in files]
    return {entry["id"]: {**entry, "chapter": table["chapter"]} for table in tables for entry in table["question"]}


def instantiate(entry: Entry, seed: int) -> Question:
    """Draw the question's values from the seed and fill them in."""
    values = _draw(entry, seed) if "generator" in entry else {}
    filled = _fill(entry, values)
    number, choices = filled.pop("number", {}), filled.pop("choice", [])
    if values:
        choices.sort(key=lambda choice: choice["text"])  # by letter: the file's order would give the right one away
    letters = zip(string.ascii_uppercase, choices, strict=False)
    answers = _numbers(number, values) if number else [Answer(**choice, letter=letter) for letter, choice in letters]
    return Question(**filled, answers=answers, tolerance=number.get("tolerance"), values=values)


def _draw(entry: Entry, seed: int) -> generators.Values:
    """The first values from the seed that make a good question."""
    rng, generator = np.random.default_rng(seed), getattr(generators, entry["generator"])
    draws = (generator(rng) for _ in count())
    return next(values for values in draws if "number" not in entry or _answers_differ(entry["number"], values))


def _answers_differ(number: Entry, values: generators.Values) -> bool:
    """Are the right answer and the known wrong ones too far apart for one typed number to be close to two of them?"""
    close = 2 * number["tolerance"] + 1e-9
    pairs = combinations((answer.entries for answer in _numbers(number, values)), 2)
    return all(len(one) != len(other) or np.abs(np.subtract(one, other)).max() > close for one, other in pairs)


def _numbers(number: Entry, values: generators.Values) -> list[Answer]:
    """The right number among the known wrong ones, by size, so that its place tells nothing; then any other."""
    answers = []
    for one in (number, *number["known"]):
        value = values[one["answer"]]  # the file has its name
        text, entries = _as_text(value).replace("-", "−"), tuple(np.atleast_1d(value).tolist())
        answers.append(Answer(text, one["feedback"], one is number, entries=entries))
    answers.sort(key=lambda answer: answer.entries)
    return [*answers, Answer("another result", number["wrong"])]


def _fill(part: Any, values: generators.Values) -> Any:
    """A text with its placeholders replaced by their values, or a table or a list with all its texts."""
    if isinstance(part, dict):
        return {key: _fill(each, values) for key, each in part.items()}
    if isinstance(part, list):
        return [_fill(each, values) for each in part]
    return PLACEHOLDER.sub(lambda match: _as_text(values[match[1]]), part) if isinstance(part, str) else part


def _as_text(value: Any) -> str:
    """A value as a question's text shows it."""
    if isinstance(value, generators.Examples):
        examples = enumerate(zip(value.X, value.y, strict=True))
        return "\n".join(f"- ${n}$: $x = {_as_text(x)}$, $y = {y:+d}$" for n, (x, y) in examples)
    if isinstance(value, tuple):
        return f"({', '.join(_as_text(entry) for entry in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
