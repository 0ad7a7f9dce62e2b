"""The questions of Fun Time: read from their files, and with the numbers of a seed filled in.

A file has a `chapter` and a list of `[[question]]`, each with an `id`, the heading to `read` again, words that this
section is `about`, a `prompt`, and either a list of `[[question.choice]]` or a `[question.number]`. A `generator` fills
the `{{names}}` in its texts with values; they are drawn again until the right answer and the known wrong ones all
differ. The tests check every file that comes with the package, so reading one takes it as it is.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import resources
from itertools import combinations
from typing import Any, Final, TypeAlias

from plahelpers import _format
from plahelpers.quizzes import generators

LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
PLACEHOLDER: Final = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)

# An answer is a number or a vector of them, or the name of one among the generator's values.
Answer: TypeAlias = float | Sequence[float] | str


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from."""

    text: str
    feedback: str
    right: bool = False


@dataclass(frozen=True)
class Known:
    """A wrong number that shows a certain misunderstanding."""

    answer: Answer
    feedback: str


@dataclass(frozen=True)
class Number:
    """The number, or vector, that is asked for."""

    answer: Answer
    tolerance: float
    feedback: str
    wrong: str  # for a number that is not known
    known: tuple[Known, ...] = ()


@dataclass(frozen=True)
class Question:
    """One question, as it stands in its file."""

    id: str
    chapter: int
    read: str
    about: Sequence[str]  # words that the section to read again must contain
    prompt: str
    choices: tuple[Choice, ...] = ()
    several: bool = False
    number: Number | None = None
    generator: str = ""
    alt: str = ""
    misconception: int | None = None
    quote: str = ""  # the misconception, as it stands in somebody's notes
    lecture: int | None = None

    @property
    def where(self) -> str:
        """The chapter and the heading to read again, as a link in Markdown."""
        return f"[Chapter {self.chapter}, “{self.read}”]({_format.section_address(self.chapter, self.read)})"


# --- reading ---------------------------------------------------------------------------------------------------------


@cache
def load() -> dict[str, Question]:
    """All questions, by id."""
    folder = resources.files("plahelpers.quizzes")
    files = sorted(file.name for file in folder.iterdir() if file.name.endswith(".toml"))
    tables = [tomllib.loads(folder.joinpath(name).read_text(encoding="utf-8")) for name in files]
    questions = [make_question(entry, table["chapter"]) for table in tables for entry in table["question"]]
    return {question.id: question for question in questions}


def make_question(entry: Mapping[str, Any], chapter: int) -> Question:
    """A question from its table in a file."""
    fields = {key: value for key, value in entry.items() if key not in ("choice", "number")}
    choices = tuple(Choice(**choice) for choice in entry.get("choice", ()))
    number = _number(entry["number"]) if "number" in entry else None
    return Question(**fields, chapter=chapter, choices=choices, number=number)


def _number(entry: Mapping[str, Any]) -> Number:
    return Number(**{**entry, "known": tuple(Known(**known) for known in entry.get("known", ()))})


# --- filling in ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Instance:
    """A question as it is asked: its generator's values, if it has one, filled in."""

    question: Question
    seed: int
    values: Mapping[str, Any]
    prompt: str
    choices: tuple[Choice, ...]
    number: Number | None
    picture: str  # SVG, or nothing
    alt: str

    @property
    def labels(self) -> list[str]:
        """The choices with their letters; "A" alone where that is all it says, as for arrow A of a picture."""
        pairs = zip(LETTERS, self.choices, strict=False)
        return [letter if choice.text == letter else f"{letter}. {choice.text}" for letter, choice in pairs]


def instantiate(question: Question, seed: int) -> Instance:
    """Draw the question's values from the seed and fill them in."""
    is_good = partial(answers_differ, question.number)
    values = generators.make(question.generator, seed, is_good) if question.generator else {}
    choices = [
        replace(choice, text=fill(choice.text, values), feedback=fill(choice.feedback, values))
        for choice in question.choices
    ]
    if question.generator:
        choices.sort(key=lambda choice: choice.text)  # by letter: the file's order would give the right one away
    return Instance(
        question=question,
        seed=seed,
        values=values,
        prompt=fill(question.prompt, values),
        choices=tuple(choices),
        number=question.number and _with_values(question.number, values),
        picture=values.get("picture", ""),
        alt=fill(question.alt, values),
    )


def _with_values(number: Number, values: Mapping[str, Any]) -> Number:
    """The answers as numbers, without known wrong ones that do not occur this time."""
    known = [
        Known(answer, fill(wrong.feedback, values))
        for wrong in number.known
        if (answer := _value(wrong.answer, values)) is not None
    ]
    return replace(
        number,
        answer=_value(number.answer, values),
        feedback=fill(number.feedback, values),
        wrong=fill(number.wrong, values),
        known=tuple(known),
    )


def answers_differ(number: Number | None, values: Mapping[str, Any]) -> bool:
    """Are the right answer and the known wrong ones too far apart for one typed number to be close to two of them?"""
    if number is None:
        return True
    names = [number.answer, *(wrong.answer for wrong in number.known)]
    answers = [answer for name in names if (answer := _value(name, values)) is not None]
    pairs = combinations(map(entries, answers), 2)
    return not any(is_close(one, other, 2 * number.tolerance) for one, other in pairs)


def _value(answer: Answer, values: Mapping[str, Any]) -> Any:
    """The answer itself; a name stands for one of the values."""
    return values[answer] if isinstance(answer, str) else answer


def entries(answer: Any) -> tuple[float, ...]:
    """The entries of a vector, or the one of a number."""
    return tuple(answer) if isinstance(answer, list | tuple) else (float(answer),)


def is_close(numbers: Sequence[float], answer: Answer, tolerance: float) -> bool:
    """Is each entry as close as asked for? (Rounding in the last digits is never held against anyone.)"""
    expected = entries(answer)
    if len(numbers) != len(expected):
        return False
    return all(abs(a - b) <= tolerance + 1e-9 * max(1.0, abs(b)) for a, b in zip(numbers, expected, strict=True))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """The text with its placeholders replaced by their values."""
    return PLACEHOLDER.sub(lambda match: _as_text(values[match[1]]), text)


def _as_text(value: Any) -> str:
    """A value as a question's text shows it."""
    if isinstance(value, generators.Examples):
        examples = enumerate(zip(value.X, value.y, strict=True))
        return "\n".join(f"- ${n}$: $x = {_as_text(x)}$, $y = {y:+d}$" for n, (x, y) in examples)
    if isinstance(value, tuple):
        return f"({', '.join(_as_text(entry) for entry in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
