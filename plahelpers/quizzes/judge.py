"""Judging an answer: right, a known mistake, another one, or nothing that can be judged; always with a reason."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from plahelpers import _theme
from plahelpers.quizzes import markup
from plahelpers.quizzes.bank import LETTERS, Instance, Number, Words, entries, is_close


@dataclass(frozen=True, repr=False)
class Verdict:
    """What an answer shows. `right` is None where there was nothing to judge; such an answer does not count."""

    right: bool | None
    text: str  # Markdown

    def __repr__(self) -> str:
        return markup.as_plain(self.text)

    def _repr_html_(self) -> str:
        return as_block(self, " role='alert'")  # an alert is read out by screen readers when it appears


def as_block(verdict: Verdict, attributes: str = "") -> str:
    """A verdict as HTML; its colour says nothing that its words do not."""
    colour = {True: _theme.POCKET, False: _theme.MISTAKE, None: _theme.FAINT}[verdict.right]
    style = f"border-left: 5px solid {colour}; padding: 0.1em 0 0.1em 0.8em; margin: 0.4em 0"
    return f"<div{attributes} style='{style}'>{markup.as_html(verdict.text)}</div>"


def judge(instance: Instance, answer: Any, say: Words) -> Verdict:
    """Judge an answer: letters such as "A, C", or numbers, as text or as what Python has for them."""
    if instance.number is None:
        return _judge_choices(instance, str(answer), say)
    if not isinstance(answer, str):
        answer = " ".join(map(str, answer)) if hasattr(answer, "__iter__") else str(answer)
    return _judge_number(instance, instance.number, answer, say)


def verdict(instance: Instance, right: bool, feedback: list[str], say: Words) -> Verdict:
    """Right or wrong, what the answer shows, and where to read."""
    first, *others = feedback
    opening = f"{say('right' if right else 'wrong')} {first}"
    reading = say("more_on_this" if right else "read_again", where=instance.question.where)
    return Verdict(right, "\n\n".join([opening, *others, reading]))


def _judge_choices(instance: Instance, answer: str, say: Words) -> Verdict:
    choices = dict(zip(LETTERS, instance.choices, strict=False))
    letters = sorted(set(re.findall(r"\w+", answer.upper())))
    if not letters:
        return Verdict(None, say("nothing_chosen"))
    if not choices.keys() >= set(letters) or (len(letters) > 1 and not instance.question.several):
        return Verdict(None, say("not_a_choice", answer=_harmless(answer), letters=", ".join(choices)))
    feedback = [choices[letter].feedback for letter in letters]
    if not all(choices[letter].right for letter in letters):
        return verdict(instance, False, feedback, say)
    if len(letters) < sum(choice.right for choice in instance.choices):
        return verdict(instance, False, [say("some_missing"), *feedback], say)
    return verdict(instance, True, feedback, say)


def _judge_number(instance: Instance, number: Number, answer: str, say: Words) -> Verdict:
    try:
        numbers = parse_numbers(answer)
    except ValueError as problem:
        return Verdict(None, say("not_a_number", answer=_harmless(str(problem))))
    if not numbers:
        return Verdict(None, say("nothing_typed"))
    if is_close(numbers, number.answer, number.tolerance):
        return verdict(instance, True, [number.feedback], say)
    for known in number.known:
        if is_close(numbers, known.answer, number.tolerance):
            return verdict(instance, False, [known.feedback], say)
    count, expected = len(numbers), len(entries(number.answer))
    if count == expected:
        return verdict(instance, False, [number.wrong], say)
    return Verdict(None, say("one_number_please" if expected == 1 else "vector_please", count=count, expected=expected))


def _harmless(answer: str) -> str:
    """An answer, short, as it can stand between backquotes."""
    return answer.replace("`", "'")[:40] or " "


def parse_numbers(text: str) -> tuple[float, ...]:
    """The numbers that somebody typed: −1.5, 3/4 or (1, 2, −3), with whatever minus sign and brackets they like.

    Raises ValueError naming the part that is no number.
    """
    text = re.sub("[−–‐‑﹣－]", "-", text).strip()  # the minus signs and hyphens that keyboards and pages offer
    text = text.strip("()[]{}⟨⟩<> ")
    parts = re.split(r"\s*[,;]\s*|\s+", re.sub(r"\s*/\s*", "/", text))
    return tuple(_parse_number(part) for part in parts if part)


def _parse_number(part: str) -> float:
    try:
        numerator, *denominators = map(Fraction, part.split("/"))
        if len(denominators) > 1:
            raise ValueError
        return float(numerator / denominators[0] if denominators else numerator)
    except (ValueError, ZeroDivisionError, OverflowError):
        raise ValueError(part) from None
