"""Reading the files of questions, and refusing a broken one with file, question and reason.

A file is `questions/<language>/<name>.toml`: a `section`, and a list of `[[question]]`, each with an `id`, the heading
to `read` again, a `prompt`, and either a list of `[[question.choice]]` or a `[question.number]`. A `generator` fills
the `{{names}}` in its texts with values. `words.toml` beside them has the words of the form itself.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

from plahelpers.quizzes import generators, text as texts
from plahelpers.quizzes.generators import Vector

SECTIONS: Final = ("01", "02", "03", "04")
MISCONCEPTIONS: Final = range(1, 15)
LECTURE: Final = range(1, 5)

# An answer is a number or a vector of them, or the name of one among the generator's values.
Answer: TypeAlias = float | Vector | str

_FIELD = re.compile(r"\{\{(.*?)\}\}", re.DOTALL)
_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class BrokenQuestionError(ValueError):
    """A file of questions cannot be used: which file, which question, and why."""


@dataclass(frozen=True)
class Choice:
    """One of the answers to choose from."""

    text: str
    feedback: str
    right: bool


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
    known: tuple[Known, ...]


@dataclass(frozen=True)
class Question:
    """One question, as it stands in its file."""

    id: str
    section: str
    read: str
    prompt: str
    choices: tuple[Choice, ...] = ()
    several: bool = False
    number: Number | None = None
    generator: str = ""
    alt: str = ""
    misconception: int | None = None
    lecture: int | None = None

    @property
    def where(self) -> str:
        """The section and heading to read again."""
        return f"{self.section}, “{self.read}”"


@dataclass(frozen=True)
class Bank:
    """All questions of a language, by id, and the words of the form."""

    questions: Mapping[str, Question]
    words: Mapping[str, str]


# The words that the form needs, and the names that may stand in each.
WORDS: Final[dict[str, frozenset[str]]] = {
    name: frozenset(fields.split())
    for name, fields in {
        "title": "", "question": "n total", "notebook": "section", "choose_one": "", "choose_several": "",
        "your_number": "", "your_vector": "", "example_number": "", "example_vector": "", "check": "",
        "new_numbers": "", "right": "", "wrong": "", "some_missing": "", "nothing_chosen": "", "nothing_typed": "",
        "not_a_number": "typed", "one_number_please": "count", "vector_please": "expected count",
        "not_a_choice": "typed letters", "counts_already": "", "practice": "", "read_again": "where",
        "more_on_this": "where", "open_choice": "", "open_number": "", "got": "answer",
        "got_other": "", "answer_by": "call", "score_none": "total", "score": "right answered total",
        "score_rule": "", "all_right": "", "review": "",
    }.items()
}  # fmt: skip


def load(language: str = "en", folder: str | Traversable | None = None) -> Bank:
    """All questions of a language, checked; from the package, or from a folder of one's own."""
    if not isinstance(language, str):
        raise TypeError(f'language must be the name of a folder of questions, such as "en"; not {language!r}.')
    if folder is None:
        return _shipped(language)
    home = Path(folder) if isinstance(folder, str) else folder
    if not home.is_dir():
        raise ValueError(f"folder must be a folder of questions; {folder} is none.")
    return read_folder(home, language)


@cache
def _shipped(language: str) -> Bank:
    return read_folder(resources.files("plahelpers.quizzes"), language)


def read_folder(folder: Traversable, language: str) -> Bank:
    """Every file of the language's folder, in the order of their names."""
    languages = sorted(entry.name for entry in folder.iterdir() if entry.is_dir())
    if language not in languages:
        raise ValueError(f"language must be one of {', '.join(map(repr, languages))}; not {language!r}.")
    files = sorted(
        (entry for entry in folder.joinpath(language).iterdir() if entry.name.endswith(".toml")), key=lambda it: it.name
    )
    found: dict[str, Question] = {}
    home: dict[str, str] = {}
    for file in files:
        if file.name == "words.toml":
            continue
        for question in read_questions(file.name, file.read_bytes()):
            if question.id in found:
                _refuse(file.name, question.id, f"the id is taken already, by a question in {home[question.id]}")
            found[question.id], home[question.id] = question, file.name
    return Bank(found, read_words(folder.joinpath(language, "words.toml")))


def read_words(file: Traversable) -> dict[str, str]:
    """The form's own words, all of them and no others."""
    try:
        raw = file.read_bytes()
    except FileNotFoundError:
        _refuse(file.name, "", "it is missing: each language needs the words of the form")
    table = _parse(file.name, raw)
    _check_keys(file.name, "", table, needed=set(WORDS), allowed=set())
    for name, allowed in WORDS.items():
        _text(file.name, "", table, name, allowed)
    return table


def read_questions(name: str, raw: bytes) -> list[Question]:
    """The questions of one file."""
    table = _parse(name, raw)
    _check_keys(name, "", table, needed={"section", "question"}, allowed=set())
    if table["section"] not in SECTIONS:
        _refuse(name, "", f"section must be one of {', '.join(SECTIONS)}; not {table['section']!r}")
    questions = [
        _question(name, table["section"], entry, n) for n, entry in enumerate(_tables(name, "", table, "question"), 1)
    ]
    ids = [question.id for question in questions]
    for each in ids:
        if ids.count(each) > 1:
            _refuse(name, each, "the id is used twice in this file")
    return questions


def _parse(name: str, raw: bytes) -> dict[str, Any]:
    try:
        return tomllib.loads(raw.decode("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise BrokenQuestionError(f"{name} is not TOML in UTF-8: {problem}.") from None


def _refuse(file: str, id: str, reason: str) -> NoReturn:
    question = f", question {id!r}" if id else ""
    raise BrokenQuestionError(f"{file}{question}: {reason}.") from None


# --- one question ----------------------------------------------------------------------------------------------------


def _question(file: str, section: str, table: dict[str, Any], n: int) -> Question:
    name = table.get("id")
    if name is None:
        _refuse(file, f"number {n}", "it has no id")
    if not isinstance(name, str) or not _ID.fullmatch(name):
        _refuse(file, str(name), "an id is made of small letters, digits and hyphens, such as next-w")
    _check_keys(
        file, name, table, needed={"id", "read", "prompt"},
        allowed={"choice", "number", "several", "generator", "alt", "misconception", "lecture"},
    )  # fmt: skip
    fields = _fields(file, name, table)
    if ("choice" in table) == ("number" in table):
        _refuse(file, name, "it needs choices or a number, and not both")
    if ("alt" in table) != ("picture" in fields):
        _refuse(file, name, "a question with a picture, and no other, needs an alternative text: alt")
    several = table.get("several", False)
    if not isinstance(several, bool):
        _refuse(file, name, f"several must be true or false; not {several!r}")
    if several and "number" in table:
        _refuse(file, name, "several is for choices; this question asks for a number")
    return Question(
        id=name,
        section=section,
        read=_text(file, name, table, "read"),
        prompt=_text(file, name, table, "prompt", fields),
        choices=_choices(file, name, table, fields, several) if "choice" in table else (),
        several=several,
        number=_number(file, name, table["number"], fields) if "number" in table else None,
        generator=table.get("generator", ""),
        alt=_text(file, name, table, "alt", fields) if "alt" in table else "",
        misconception=_one_of(file, name, table, "misconception", MISCONCEPTIONS),
        lecture=_one_of(file, name, table, "lecture", LECTURE),
    )


def _fields(file: str, id: str, table: dict[str, Any]) -> frozenset[str]:
    """The names that this question's texts may use: those of its generator's values."""
    name = table.get("generator")
    if name is None:
        return frozenset()
    if not isinstance(name, str) or name not in generators.GENERATORS:
        _refuse(file, id, f"there is no generator {name!r}; there are {', '.join(generators.GENERATORS)}")
    return generators.fields(name)


def _choices(file: str, id: str, table: dict[str, Any], fields: frozenset[str], several: bool) -> tuple[Choice, ...]:
    choices = []
    for entry in _tables(file, id, table, "choice"):
        _check_keys(file, id, entry, needed={"text", "feedback"}, allowed={"right"})
        right = entry.get("right", False)
        if not isinstance(right, bool):
            _refuse(file, id, f"right must be true or false; not {right!r}")
        text, feedback = (_text(file, id, entry, key, fields) for key in ("text", "feedback"))
        choices.append(Choice(text, feedback, right))
    if len(choices) < 2:
        _refuse(file, id, "it needs two choices at least")
    if len({choice.text for choice in choices}) < len(choices):
        _refuse(file, id, "two of its choices have the same text")
    rights = sum(choice.right for choice in choices)
    if rights == 0:
        _refuse(file, id, "none of its choices is right: write right = true in one")
    if rights > 1 and not several:
        _refuse(file, id, f"{rights} of its choices are right: write several = true if that is meant")
    return tuple(choices)


def _number(file: str, id: str, table: Any, fields: frozenset[str]) -> Number:
    if not isinstance(table, dict):
        _refuse(file, id, "number must be a table, [question.number]")
    _check_keys(file, id, table, needed={"answer", "tolerance", "feedback", "wrong"}, allowed={"known"})
    tolerance = table["tolerance"]
    if isinstance(tolerance, bool) or not isinstance(tolerance, int | float) or not 0 <= tolerance < float("inf"):
        _refuse(file, id, f"tolerance must be a number, 0 or more; not {tolerance!r}")
    known = []
    for entry in _tables(file, id, table, "known") if "known" in table else []:
        _check_keys(file, id, entry, needed={"answer", "feedback"}, allowed=set())
        known.append(Known(_answer(file, id, entry, fields), _text(file, id, entry, "feedback", fields)))
    return Number(
        answer=_answer(file, id, table, fields),
        tolerance=float(tolerance),
        feedback=_text(file, id, table, "feedback", fields),
        wrong=_text(file, id, table, "wrong", fields),
        known=tuple(known),
    )


def _answer(file: str, id: str, table: dict[str, Any], fields: frozenset[str]) -> Answer:
    """A number, a list of numbers, or the name of a generator's value."""
    answer = table["answer"]
    if isinstance(answer, str):
        if answer not in fields:
            _refuse(file, id, f"the answer {answer!r} is none of its generator's values{_there_are(fields)}")
        return answer
    entries = answer if isinstance(answer, list) and answer else [answer]
    if any(isinstance(it, bool) or not isinstance(it, int | float) or not abs(it) < float("inf") for it in entries):
        _refuse(file, id, f"the answer must be a number or a list of numbers; not {answer!r}")
    return tuple(entries) if isinstance(answer, list) else answer


# --- small checks ----------------------------------------------------------------------------------------------------


def _check_keys(file: str, id: str, table: dict[str, Any], needed: set[str], allowed: set[str]) -> None:
    unknown = sorted(set(table) - needed - allowed)
    if unknown:
        known = ", ".join(sorted(needed | allowed))
        _refuse(file, id, f"there is no such thing as {unknown[0]!r} here; known are {known}")
    missing = sorted(needed - set(table))
    if missing:
        _refuse(file, id, f"{missing[0]!r} is missing")


def _tables(file: str, id: str, table: dict[str, Any], key: str) -> list[dict[str, Any]]:
    entries = table[key]
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        _refuse(file, id, f"{key} must be a list of tables: write [[{key}]], with two brackets")
    return list(entries)


def _text(file: str, id: str, table: dict[str, Any], key: str, fields: frozenset[str] = frozenset()) -> str:
    """A text that is there, that can be shown in every form, and that uses only names it may."""
    text = table[key]
    if not isinstance(text, str) or not text.strip():
        _refuse(file, id, f"{key} must be text, and not empty; it is {text!r}")
    for name in field_names(text):
        if name not in fields:
            _refuse(file, id, f"{key} uses {{{{{name}}}}}, which nothing fills in{_there_are(fields)}")
    try:
        texts.check(_FIELD.sub("0", text))
    except texts.BadTextError as problem:
        _refuse(file, id, f"{key}: {problem}")
    return text


def _one_of(file: str, id: str, table: dict[str, Any], key: str, allowed: range) -> int | None:
    value = table.get(key)
    if value is not None and (type(value) is not int or value not in allowed):
        _refuse(file, id, f"{key} must be a whole number from {allowed[0]} to {allowed[-1]}; not {value!r}")
    return value


def _there_are(fields: frozenset[str]) -> str:
    return f"; there are {', '.join(sorted(fields))}" if fields else ""


# --- filling in ------------------------------------------------------------------------------------------------------


def field_names(text: str) -> Iterator[str]:
    """The names between double braces."""
    return (match[1] for match in _FIELD.finditer(text))


def fill(text: str, values: Mapping[str, Any]) -> str:
    """The text with its names replaced by their values."""
    return _FIELD.sub(lambda match: shown(values[match[1]]), text)


def shown(value: Any) -> str:
    """A value as a question's text shows it."""
    if isinstance(value, generators.Examples):
        return "\n".join(
            f"- ${n}$: $x = {shown(x)}$, $y = {y:+d}$" for n, (x, y) in enumerate(zip(value.X, value.y, strict=True))
        )
    if isinstance(value, tuple):
        return f"({', '.join(shown(entry) for entry in value)})"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
