"""How a check speaks: praise, criticism with the smallest case that is not right, and a sentence for every trouble."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plahelpers import _format
from plahelpers._validation import FloatArray
from plahelpers.checks.answers import Answer, same
from plahelpers.checks.diagnosis import CHANGES_INPUTS, NOT_REPEATABLE, Tried, asked_twice
from plahelpers.checks.report import Case
from plahelpers.checks.tasks import Task
from plahelpers.checks.wrong_base import Wrong
from plahelpers.guard import Other, Outcome

# What a function may use; whoever uses more is told these numbers.
MEGABYTES: Final = 512.0
OUTPUT_KB: Final = 64.0


@dataclass(frozen=True)
class Voice:
    """The sentences about one function."""

    task: Task
    name: str
    seconds: float
    ignored: str | None = None  # the part of the answers that was left out

    def case(self, tried: Tried) -> Case:
        got, trouble = self._got(tried)
        # To what was not returned, its first part is the reply.
        names = self.task.parts or tried.answer or list(tried.right)[:1]
        expected = {name: value for name, value in tried.right.items() if name in names}
        return Case(tried.passed, self._tried(tried.arguments), got, _answer_in_words(expected), trouble)

    def praise(self, tried: Sequence[Tried]) -> tuple[str, ...]:
        compared = [name for name in tried[-1].right if tried[-1].answer and name in tried[-1].answer]
        head = f"{self.task.title}: passed. {self.subject()} is right in all {len(tried)} cases."
        called = f"Compared: {', '.join(compared)}. It was called as {self.call()}."
        return head, called, *self._left_out()

    def _left_out(self) -> list[str]:
        if not self.ignored:
            return []
        return [f"A value where {self.ignored} may stand was taken for something else, and not compared."]

    def criticism(
        self,
        tried: Sequence[Tried],
        shown: Sequence[Case],
        wrong: Wrong | None,
        changed: Sequence[str],
        trouble: str | None,
        printed: str,
    ) -> tuple[str, ...]:
        right = sum(each.passed for each in tried)
        messages = [f"{self.task.title}: not yet. {self.subject()} passes {right} of {len(tried)} cases."]
        if wrong:
            messages.append(f"Likely mistake: {wrong.what}. {capital(wrong.why)} Read {wrong.read}.")
        if changed and wrong is not CHANGES_INPUTS:
            messages.append(f"It also changes what it is given ({', '.join(changed)}): work on a copy.")
        elif changed:
            messages.append(f"Changed: {', '.join(changed)}. The answers themselves are right.")
        messages += [*self._example(tried, shown, wrong), *self._left_out()]
        if self.task.note and wrong is None:
            messages.append(self.task.note)
        if printed and (trouble or wrong is None):
            messages.append(f"It printed: {short(printed, 200)}")
        return tuple(messages)

    def _example(self, tried: Sequence[Tried], shown: Sequence[Case], wrong: Wrong | None) -> list[str]:
        """The smallest case that is not right, in full."""
        if wrong is NOT_REPEATABLE:
            first, again = (shown[tried.index(each)] for each in asked_twice(tried))
            return [
                f"Tried: {first.tried}",
                f"Came out: {first.got}; and then {again.got}",
                f"Expected: {first.expected}",
            ]
        # A wrong answer says more than one that only lacks a part.
        failed = [k for k, each in enumerate(tried) if not each.answered and each.outcome.kind != "not tried"]
        failed += [k for k, each in enumerate(tried) if each.answered and not each.whole]
        if not failed:
            return []
        case, each = shown[failed[0]], tried[failed[0]]
        lines = [f"Tried: {case.tried}", f"Came out: {case.got}", f"Expected: {case.expected}"]
        if wrong is None and each.answer and not each.answered and self.task.story:
            lines += [*_where_it_departs(each), self.task.story(*each.arguments)]
        return lines

    def subject(self) -> str:
        return capital(self.name) if self.name == "your function" else self.name

    def call(self) -> str:
        return f"{'f' if self.name == 'your function' else self.name}({', '.join(self.task.arguments)})"

    def _tried(self, arguments: Sequence[Any]) -> str:
        values = ", ".join(
            f"{name} = {short(value_in_words(value), 160)}"
            for name, value in zip(self.task.arguments, arguments, strict=True)
        )
        return f"{self.call()} with {values}"

    def _got(self, tried: Tried) -> tuple[str, str | None]:
        """What came out, in words; and the kind of trouble, if the call did not return."""
        outcome = tried.outcome
        if tried.answer is not None and tried.whole:
            return _answer_in_words(tried.answer), None
        if missing := [name for name in self.task.parts if tried.answer and name not in tried.answer]:
            words = f"{_answer_in_words(tried.answer or {})} only. Missing: {', '.join(missing)}"
            return f"{words}. It should return {self.task.returns}.", None
        if outcome.kind == "returned":
            return self.unreadable(outcome), None
        return self.trouble(outcome), outcome.kind

    def unreadable(self, outcome: Outcome) -> str:
        value = outcome.value
        if value is None:
            seen = " What it printed is not its answer." if outcome.printed else ""
            return f"nothing: it returned None. Is its `return` missing?{seen} It should return {self.task.returns}."
        return f"{short(as_it_is(value), 160)}. It should return {self.task.returns}."

    def trouble(self, outcome: Outcome) -> str:
        at = f" It was at line {outcome.line}: `{outcome.code}`." if outcome.code else ""
        words = f": {short(outcome.message, 200)}" if outcome.message else ""
        return {
            "slow": f"no answer in {_in_seconds(self.seconds / 4)}, so it was stopped.{at} Does its loop "
            "ever end? (seconds= gives it more time.)",
            "memory": f"it needed more than {MEGABYTES:g} MB of memory, so it was stopped.{at}",
            "output": f"it printed more than {OUTPUT_KB:g} kB, so it was stopped.{at}",
            "processes": "it started process after process, so it was stopped, and they were too.",
            "raised": f"{_ended(f'it raised {outcome.error}{words}')}{at}{self._about_sizes(outcome.message)}",
            "exited": f"{_ended(f'it called sys.exit{words}')}{at} A function should return.",
            "died": f"its process came to an end ({outcome.message}) before it could return.",
            "unshippable": f"it cannot be sent to the process in which it would be checked ({outcome.error}{words}). "
            "Perhaps it uses something of another cell that cannot travel, such as an open file, a generator or a "
            "widget: give it that as an argument, or make it inside the function.",
            "not tried": "not tried: too much time was spent on the cases before.",
        }[outcome.kind]

    def _about_sizes(self, complaint: str) -> str:
        """What to ask when two sizes differ by one: often, w has its w₀ and an example has no x₀."""
        found = _SIZES.search(complaint) if {"x", "X"} & set(self.task.arguments) else None
        if not found:
            return ""
        one, other = (int(size) for size in found.groups() if size)
        if abs(one - other) != 1:
            return ""
        return " Two sizes differ by one. Is x₀ = +1 missing somewhere, or is a length written as a fixed number?"


# How NumPy complains, in @, in np.dot and in +, of two sizes that do not fit.
_SIZES: Final = re.compile(
    r"size (\d+) is different from (\d+)|: (\d+) \(dim \d\) != (\d+) \(dim"
    r"|shapes \((?:\d+,)?(\d+),?\) \((?:\d+,)?(\d+),?\)"
)


def _ended(text: str) -> str:
    """The text with one full stop, unless it brings an end of its own."""
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def _in_seconds(seconds: float) -> str:
    shown = _format.number(seconds)
    return f"{shown} second{'' if shown == '1' else 's'}"


def _where_it_departs(tried: Tried) -> list[str]:
    """The first step at which the walk is another one, as far as the answer shows it."""
    answer, right = tried.answer or {}, tried.right
    differ = [name for name, value in answer.items() if not same({name: value}, right)]
    if "w" in answer and answer["w"].shape != right["w"].shape:
        size = f"Its w has {_entries(answer['w'])}, where {len(right['w'])} are expected"
        return [f"{size}: w₀ for the constant x₀ = +1, then one for each column of X."]
    lines = [] if "w" in differ else [f"Its w is right; what differs is {' and '.join(differ)}."]
    if "picks" in differ:
        lines.append(_where_picks_differ(answer["picks"].tolist(), right["picks"].tolist()))
    at = next((t for t, w in enumerate(right["path"]) if np.allclose(w, answer["w"])), None)
    if "w" in differ and "picks" not in differ and at is not None:
        lines.append(_where_on_the_way(at, right))
    return lines


def _where_picks_differ(theirs: list[float], ours: list[float]) -> str:
    t = next((t for t, pair in enumerate(zip(theirs, ours, strict=False)) if pair[0] != pair[1]), None)
    if t is None:
        return f"Its first picks are right, but their number is {len(theirs)}, not {len(ours)}."
    return f"The first difference is at update {t + 1}: it corrected example {theirs[t]:g}, not {ours[t]:g}."


def _where_on_the_way(t: int, right: Answer) -> str:
    """What is to be said of a w that the right walk passes by after t updates."""
    if "errors" not in right:
        return f"Its w is the right one after {_format.count(t, 'update')}: did it stop there?"
    errors = right["errors"].astype(int)
    return (
        f"This is w_t for t = {t}, with {_format.count(errors[t], 'mistake')}; "
        f"the fewest is {errors.min()}, first at t = {errors.argmin()}."
    )


def _entries(w: FloatArray) -> str:
    return "1 entry" if len(w) == 1 else f"{len(w)} entries"


def _answer_in_words(answer: Answer) -> str:
    shown = {name: value for name, value in answer.items() if name not in _SILENT}
    return ", ".join(
        _NAMELESS[name](value) if name in _NAMELESS else f"{name} = {short(value_in_words(value), 160)}"
        for name, value in shown.items()
    )


def _truth_in_words(value: FloatArray) -> str:
    return {0.0: "False", 1.0: "True"}.get(float(value), value_in_words(value))


def value_in_words(value: Any) -> str:
    array = np.asarray(value)
    if array.ndim == 0:
        return f"{float(array):.6g}"
    if array.ndim == 1:
        return f"({', '.join(f'{each:.5g}' for each in array.tolist())})"
    rows = [value_in_words(row) for row in array[:6]]
    more = f", … ({len(array)} rows)" if len(array) > 6 else ""
    return f"[{', '.join(rows)}{more}]"


_SILENT: Final = ("path", "errors")
_NAMELESS: Final = {"answer": value_in_words, "truth": _truth_in_words}


def as_it_is(value: Any) -> str:
    """A value that is no number, as Python shows it."""
    return f"{a_or_an(value.type)}: {value.text}" if isinstance(value, Other) else repr(value)


def short(text: str, most: int) -> str:
    text = text.strip()
    return text if len(text) <= most else f"{text[: most - 1]}…"


def capital(text: str) -> str:
    """The text with a capital, unless it begins with a symbol or a name of a program: w₀, y, ρ, max_updates."""
    word = text.split(" ", 1)[0].rstrip(".,:;")
    ordinary = word == "a" or (len(word) > 1 and word.isascii() and word.isalpha())
    return text[:1].upper() + text[1:] if ordinary else text


def a_or_an(noun: str) -> str:
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def name_of(function: Any) -> str:
    name = getattr(function, "__name__", "<")
    return "your function" if name.startswith("<") else str(name)
