"""Some questions that somebody answers: how they are shown, which answers count, and the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import ipywidgets

from plahelpers._validation import check_count
from plahelpers.quizzes import markup, page
from plahelpers.quizzes.bank import Bank, Instance, Question, Words, instantiate
from plahelpers.quizzes.form import Card, Rendered, style
from plahelpers.quizzes.judge import Verdict, judge


def check_id(id: Any, questions: Mapping[str, object]) -> str:
    """The id, if there is such a question."""
    if not isinstance(id, str) or id not in questions:
        raise ValueError(f"there is no question {id!r} here; there are {', '.join(questions)}.")
    return id


@dataclass(frozen=True, repr=False, kw_only=True)
class Score:
    """How many were right at the first try, and what is worth reading again.

    Built in chapter 5, "Your score".
    """

    right: int
    answered: int
    total: int
    missed: tuple[Question, ...]
    _say: Words

    def review(self) -> list[str]:
        """The sections to read again, each once: those of the questions whose first answer was wrong."""
        return [markup.as_plain_line(where) for where in self._sections()]

    def __repr__(self) -> str:
        return markup.as_plain(self._text())

    def _repr_html_(self) -> str:
        return f"<div>{markup.as_html(self._text())}</div>"

    def _text(self) -> str:
        if not self.answered:
            return f"{self._say('score_none', total=self.total)} {self._say('score_rule')}"
        score = self._say("score", right=self.right, answered=self.answered, total=self.total)
        if not self.missed:
            return f"{score} {self._say('all_right')}"
        return "\n\n".join([score, self._say("review"), "\n".join(f"- {where}" for where in self._sections())])

    def _sections(self) -> list[str]:
        return list(dict.fromkeys(question.where for question in self.missed))


class Quiz:
    """Some questions, to be shown and answered: a form, folded HTML, or text.

    Built in chapter 5, "All of it".
    """

    def __init__(self, bank: Bank, questions: Sequence[Question], seed: int = 0) -> None:
        self.seed = check_count(seed, "seed")
        self._say = bank.say
        self._instances = {question.id: instantiate(question, self.seed) for question in questions}
        self._first: dict[str, bool] = {}  # whether the first answer to a question was right

    @property
    def asked(self) -> tuple[Instance, ...]:
        """The questions as they stand now, in order."""
        return tuple(self._instances.values())

    def answer(self, answer: Any, id: str | None = None) -> Verdict:
        """Answer a question: "B", or "A, C", or a number, or a vector. One question needs no id.

        The first answer counts for the score; later ones are for practice.
        """
        first = next(iter(self._instances))
        if id is None and len(self._instances) > 1:
            raise ValueError(f'say which question you answer, as in answer("B", "{first}").')
        name = first if id is None else check_id(id, self._instances)
        return self._count(name, judge(self._instances[name], answer, self._say))

    def new_numbers(self, id: str) -> Instance:
        """Draw other numbers for a generated question, from the next seed."""
        before = self._instances[check_id(id, self._instances)]
        if not before.question.generator:
            raise ValueError(f"question {id!r} is not a generated one: it has no numbers to draw.")
        self._instances[id] = instantiate(before.question, before.seed + 1)
        return self._instances[id]

    @property
    def score(self) -> Score:
        """How it went so far."""
        missed = tuple(self._instances[name].question for name, right in self._first.items() if not right)
        answered = len(self._first)
        return Score(
            right=answered - len(missed), answered=answered, total=len(self._instances), missed=missed, _say=self._say
        )

    def _count(self, id: str, verdict: Verdict) -> Verdict:
        """Keep the first answer; say of a later one that it does not count."""
        if verdict.right is None:
            return verdict
        if id in self._first:
            return Verdict(verdict.right, f"{verdict.text}\n\n{self._say('practice')}")
        self._first[id] = verdict.right
        more = "" if verdict.right else f"\n\n{self._say('counts_already')}"
        return Verdict(verdict.right, verdict.text + more)

    # --- as a form, as HTML, as text ---

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:  # noqa: ARG002
        """The form for a live notebook, folded HTML where there is no kernel, and text."""
        return {**self.form._repr_mimebundle_(), "text/html": self._repr_html_(), "text/plain": repr(self)}

    def _repr_html_(self) -> str:
        return page.page(self.asked, self._headings(" · "), self._say)

    def __repr__(self) -> str:
        pairs = zip(self.asked, self._headings(": "), strict=True)
        return "\n\n".join(self._as_text(instance, heading) for instance, heading in pairs)

    def _as_text(self, instance: Instance, heading: str) -> str:
        lines = [heading, "", markup.as_plain(instance.prompt)]
        if instance.alt:
            lines += ["", markup.as_plain(f"[{instance.alt}]")]
        if instance.choices:
            lines += ["", self._say("choose_several" if instance.question.several else "choose_one")]
            lines += [f"  {markup.as_plain_line(label)}" for label in instance.labels]
        which = f', "{instance.question.id}"' if len(self._instances) > 1 else ""
        return "\n".join([*lines, "", self._say("answer_by", call=f".answer({_example(instance)}{which})")])

    def _headings(self, separator: str) -> list[str]:
        """For each question the chapter it belongs to, and its number if there are others."""
        total = len(self._instances)
        return [
            self._say("chapter", chapter=instance.question.chapter)
            + (separator + self._say("question", n=n, total=total) if total > 1 else "")
            for n, instance in enumerate(self.asked, 1)
        ]

    @cached_property
    def form(self) -> ipywidgets.VBox:
        """The questions as a form of ipywidgets, with the score below."""
        score = [self._score_line] if len(self._instances) > 1 else []  # one question's feedback says it all
        box = ipywidgets.VBox([style(), *(card.box for card in self.cards.values()), *score])
        box.add_class("plahelpers-quiz")
        return box

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The controls of each question, by its id."""
        return {
            instance.question.id: Card(instance, heading, self._say, answer=self._judge, new_numbers=self.new_numbers)
            for instance, heading in zip(self.asked, self._headings(" · "), strict=True)
        }

    @cached_property
    def _score_line(self) -> Rendered:
        return Rendered(self.score._repr_html_())

    def _judge(self, answer: str, id: str) -> Verdict:
        verdict = self.answer(answer, id)
        self._score_line.value = self.score._repr_html_()
        return verdict


def _example(instance: Instance) -> str:
    """What an answer looks like, as it is typed in Python."""
    if instance.choices:
        return '"A, B"' if instance.question.several else '"A"'
    return "(1, 2, 3)" if instance.asks_for_vector else "1"
