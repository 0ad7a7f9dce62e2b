"""Fun Time: questions that tell you, for every answer, what it shows.

    from plahelpers import quizzes
    quizzes.quiz("02")            # the questions of one notebook
    quizzes.ask("next-w")         # one question; seed= gives it other numbers
    quizzes.everything()          # all of them, with a score and what to read again

The questions stand in `questions/<language>/*.toml`. In a live notebook a quiz is a form of ipywidgets, elsewhere
folded HTML that needs no script, in a terminal text. An output stored in a notebook holds all three. The form's part,
under the key `application/vnd.jupyter.widget-view+json`, has a random model id and dies with its kernel: to store a
notebook for good, delete that key from the output's data, and the folded HTML, always the same, is what is shown.
"""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from importlib.resources.abc import Traversable
from typing import Any, Final

import ipywidgets

from plahelpers import _theme
from plahelpers._validation import check_choice, check_count
from plahelpers.quizzes import bank as _quiz_file, generators, text as texts
from plahelpers.quizzes.bank import Bank, BrokenQuestionError, Choice, Number, Question, fill

__all__ = ["BrokenQuestionError", "Quiz", "Score", "Verdict", "ask", "everything", "ids", "quiz"]


def quiz(section: str, *, seed: int = 0, language: str = "en", folder: str | Traversable | None = None) -> Quiz:
    """Ask the questions of one notebook, "01" to "04".

    seed      gives the generated questions their numbers.
    language  which of the folders in `questions` to read.
    folder    a folder of questions of your own, with one folder for each language in it.

    Built in notebook 05, "By section".
    """
    bank = _quiz_file.load(language, folder)
    if check_choice(section, "section", (*_quiz_file.SECTIONS, "05")) == "05":
        raise ValueError('notebook 05 gathers the questions of all the others: call everything(), or quiz("01").')
    return Quiz(bank, [it for it in bank.questions.values() if it.section == section], seed)


def ask(id: str, *, seed: int = 0, language: str = "en", folder: str | Traversable | None = None) -> Quiz:
    """Ask one question, by its id; `ids()` lists them.

    Built in notebook 05, "By section".
    """
    bank = _quiz_file.load(language, folder)
    return Quiz(bank, [bank.questions[_check_id(id, bank.questions)]], seed)


def everything(*, seed: int = 0, language: str = "en", folder: str | Traversable | None = None) -> Quiz:
    """Ask all questions, section by section.

    Built in notebook 05, "All of it".
    """
    bank = _quiz_file.load(language, folder)
    return Quiz(bank, list(bank.questions.values()), seed)


def ids(
    section: str | None = None, *, language: str = "en", folder: str | Traversable | None = None
) -> tuple[str, ...]:
    """The names of all questions, or of one section's, for `ask`.

    Built in notebook 05, "By section".
    """
    if section is not None:
        check_choice(section, "section", _quiz_file.SECTIONS)
    questions = _quiz_file.load(language, folder).questions.values()
    return tuple(it.id for it in questions if section in (None, it.section))


def _check_id(id: Any, questions: Mapping[str, object]) -> str:
    if not isinstance(id, str) or id not in questions:
        raise ValueError(f"there is no question {id!r} here; there are {', '.join(questions)}.")
    return id


# --- a question with its numbers -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Asked:
    """A question as it is asked: its generator's values, if it has one, filled in."""

    question: Question
    seed: int
    values: Mapping[str, Any]
    prompt: str
    choices: tuple[Choice, ...]
    number: Number | None
    picture: str  # SVG, or nothing
    alt: str


def _with_numbers(question: Question, seed: int) -> Asked:
    """Draw the question's values from the seed and fill them in."""
    values = generators.make(question.generator, seed) if question.generator else {}
    choices = [Choice(fill(it.text, values), fill(it.feedback, values), it.right) for it in question.choices]
    if question.generator:
        choices.sort(key=lambda choice: choice.text)  # by letter: the file's order would give the right one away
    return Asked(
        question, seed, values, fill(question.prompt, values), tuple(choices),
        question.number and _number_with_values(question.number, values),
        values.get("picture", ""), fill(question.alt, values),
    )  # fmt: skip


def _number_with_values(number: Number, values: Mapping[str, Any]) -> Number:
    """The answers as numbers, without known wrong ones that happen to be right, or known already, this time."""

    def valued(answer: Any) -> Any:
        return values[answer] if isinstance(answer, str) else answer

    right = valued(number.answer)
    taken, known = [right], []
    for it in number.known:
        wrong = valued(it.answer)
        if not any(_near(_entries(wrong), other, number.tolerance) for other in taken):
            taken.append(wrong)
            known.append(_quiz_file.Known(wrong, fill(it.feedback, values)))
    return Number(right, number.tolerance, fill(number.feedback, values), fill(number.wrong, values), tuple(known))


def _entries(answer: Any) -> tuple[float, ...]:
    return tuple(answer) if isinstance(answer, tuple) else (float(answer),)


def _near(given: Sequence[float], answer: Any, tolerance: float) -> bool:
    """Is each entry as close as asked for? (Rounding in the last digits is never held against anyone.)"""
    wanted = _entries(answer)
    if len(given) != len(wanted):
        return False
    return all(abs(a - b) <= tolerance + 1e-9 * max(1.0, abs(b)) for a, b in zip(given, wanted, strict=True))


# --- judging ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Verdict:
    """What an answer shows. `right` is None where there was nothing to judge; such an answer does not count."""

    right: bool | None
    text: str  # Markdown

    def __repr__(self) -> str:
        return texts.as_plain(self.text)

    def _repr_html_(self) -> str:
        # An alert is read out by screen readers when it appears; its colour says nothing that its words do not.
        colour = {True: _theme.POCKET, False: _theme.MISTAKE, None: _theme.FAINT}[self.right]
        style = f"border-left: 5px solid {colour}; padding: 0.1em 0 0.1em 0.8em; margin: 0.4em 0"
        return f"<div role='alert' style='{style}'>{texts.as_html(self.text)}</div>"


Words = Callable[..., str]


def _judge_choices(asked: Asked, chosen: Iterable[int], words: Words) -> Verdict:
    picked = [asked.choices[n] for n in sorted(set(chosen))]
    if not picked:
        return Verdict(None, words("nothing_chosen"))
    said = [choice.feedback for choice in picked]
    missing = sum(choice.right for choice in asked.choices) > sum(choice.right for choice in picked)
    if all(choice.right for choice in picked) and missing:
        return _verdict(asked, False, [words("some_missing"), *said], words)
    return _verdict(asked, all(choice.right for choice in picked), said, words)


def _judge_number(asked: Asked, typed: str, words: Words) -> Verdict:
    assert asked.number is not None
    try:
        given = texts.parse_numbers(typed)
    except ValueError as problem:
        return Verdict(None, words("not_a_number", typed=_harmless(str(problem))))
    expected = len(_entries(asked.number.answer))
    if not given:
        return Verdict(None, words("nothing_typed"))
    if len(given) != expected and not any(_near(given, it.answer, asked.number.tolerance) for it in asked.number.known):
        word = "one_number_please" if expected == 1 else "vector_please"
        return Verdict(None, words(word, count=len(given), expected=expected))
    if _near(given, asked.number.answer, asked.number.tolerance):
        return _verdict(asked, True, [asked.number.feedback], words)
    for known in asked.number.known:
        if _near(given, known.answer, asked.number.tolerance):
            return _verdict(asked, False, [known.feedback], words)
    return _verdict(asked, False, [asked.number.wrong], words)


def _verdict(asked: Asked, right: bool, said: list[str], words: Words) -> Verdict:
    first, *rest = said
    judged, read = ("right", "more_on_this") if right else ("wrong", "read_again")
    return Verdict(right, "\n\n".join([f"{words(judged)} {first}", *rest, words(read, where=asked.question.where)]))


def _harmless(typed: str) -> str:
    """What was typed, short, as it can stand between backquotes."""
    return typed.replace("`", "'")[:40] or " "


def _letter(n: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[n]


def _label(n: int, choice: Choice) -> str:
    """A choice with its letter in front; "A" alone where that is all it says, as for arrow A of a picture."""
    return choice.text if choice.text == _letter(n) else f"{_letter(n)}. {choice.text}"


# --- the score -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, repr=False)
class Score:
    """How many were right at the first try, and what is worth reading again.

    Built in notebook 05, "Your score".
    """

    right: int
    answered: int
    total: int
    missed: tuple[Question, ...]
    _words: Words

    def review(self) -> list[str]:
        """The sections to read again, each once: those of the questions whose first answer was wrong."""
        return list(dict.fromkeys(self._words("notebook", section=question.where) for question in self.missed))

    def __repr__(self) -> str:
        return texts.as_plain(self._text())

    def _repr_html_(self) -> str:
        return f"<div>{texts.as_html(self._text())}</div>"

    def _text(self) -> str:
        if not self.answered:
            return f"{self._words('score_none', total=self.total)} {self._words('score_rule')}"
        said = self._words("score", right=self.right, answered=self.answered, total=self.total)
        if not self.missed:
            return f"{said} {self._words('all_right')}"
        return "\n\n".join([said, self._words("review"), "\n".join(f"- {where}" for where in self.review())])


# --- the quiz --------------------------------------------------------------------------------------------------------


class Quiz:
    """Some questions, to be shown and answered: a form, folded HTML, or text.

    Built in notebook 05, "All of it".
    """

    def __init__(self, bank: Bank, questions: Sequence[Question], seed: int = 0) -> None:
        self.seed = check_count(seed, "seed")
        self._bank = bank
        self._asked = {question.id: _with_numbers(question, self.seed) for question in questions}
        self._first: dict[str, bool] = {}  # whether the first answer to a question was right

    @property
    def asked(self) -> tuple[Asked, ...]:
        """The questions as they stand now, in order."""
        return tuple(self._asked.values())

    def answer(self, answer: Any, id: str | None = None) -> Verdict:
        """Answer a question: "B", or "A, C", or a number, or a vector. One question needs no id.

        The first answer counts for the score; later ones are for practice.
        """
        if id is None and len(self._asked) > 1:
            raise ValueError(f'say which question you answer, as in answer("B", "{next(iter(self._asked))}").')
        name = next(iter(self._asked)) if id is None else id
        question = self._find(name)
        if question.number is not None:
            typed = answer if isinstance(answer, str) else " ".join(map(str, _listed(answer)))
            return self._count(name, _judge_number(question, typed, self._say))
        chosen, unknown = _letters(str(answer), len(question.choices))
        if unknown or (len(chosen) > 1 and not question.question.several):
            letters = ", ".join(_letter(n) for n in range(len(question.choices)))
            return Verdict(None, self._say("not_a_choice", typed=_harmless(str(answer)), letters=letters))
        return self._count(name, _judge_choices(question, chosen, self._say))

    def new_numbers(self, id: str) -> Asked:
        """Draw other numbers for a generated question, from the next seed."""
        asked = self._find(id)
        if not asked.question.generator:
            raise ValueError(f"question {id!r} is not a generated one: it has no numbers to draw.")
        self._asked[id] = _with_numbers(asked.question, asked.seed + 1)
        return self._asked[id]

    @property
    def score(self) -> Score:
        """How it went so far."""
        missed = tuple(self._asked[name].question for name, right in self._first.items() if not right)
        right = sum(self._first.values())
        return Score(right, len(self._first), len(self._asked), missed, self._say)

    def _find(self, id: str) -> Asked:
        return self._asked[_check_id(id, self._asked)]

    def _count(self, id: str, verdict: Verdict) -> Verdict:
        """Keep the first answer; say of a later one that it does not count."""
        if verdict.right is None:
            return verdict
        if id in self._first:
            return Verdict(verdict.right, f"{verdict.text}\n\n{self._say('practice')}")
        self._first[id] = verdict.right
        more = "" if verdict.right else f"\n\n{self._say('counts_already')}"
        return Verdict(verdict.right, verdict.text + more)

    def _say(self, word: str, **values: Any) -> str:
        return fill(self._bank.words[word], values)

    # --- shown as ...

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:  # noqa: ARG002
        """The form for a live notebook, folded HTML where there is no kernel, and text."""
        return {**self.form._repr_mimebundle_(), "text/html": self._repr_html_(), "text/plain": repr(self)}

    def _repr_html_(self) -> str:
        heading = f"<p><strong>{html.escape(self._say('title'))}</strong></p>"
        blocks = [_folded(asked, self._headings(n), self._say) for n, asked in enumerate(self.asked)]
        return (
            f"<div class='plahelpers-quiz {_MATHEMATICS}'>{heading if len(blocks) > 1 else ''}{''.join(blocks)}</div>"
        )

    def __repr__(self) -> str:
        return "\n\n".join(self._one_as_text(n, asked) for n, asked in enumerate(self.asked))

    def _one_as_text(self, n: int, asked: Asked) -> str:
        lines = [": ".join(self._headings(n)), "", texts.as_plain(asked.prompt)]
        if asked.alt:
            lines += ["", texts.as_plain(f"[{asked.alt}]")]
        if asked.choices:
            lines += ["", self._say("choose_several" if asked.question.several else "choose_one")]
            lines += [f"  {texts.as_plain_line(_label(k, choice))}" for k, choice in enumerate(asked.choices)]
        example = _example(asked)
        which = f', "{asked.question.id}"' if len(self._asked) > 1 else ""
        return "\n".join([*lines, "", self._say("answer_by", call=f".answer({example}{which})")])

    def _headings(self, n: int) -> list[str]:
        """Where the question belongs, and its number among the others."""
        section = self._say("notebook", section=self.asked[n].question.section)
        if len(self._asked) == 1:
            return [section]
        return [section, self._say("question", n=n + 1, total=len(self._asked))]

    @cached_property
    def form(self) -> ipywidgets.VBox:
        """The questions as a form of ipywidgets, with the score below."""
        score = [self._score_line] if len(self._asked) > 1 else []  # one question's feedback says it all
        box = ipywidgets.VBox([ipywidgets.HTML(_STYLE), *(card.box for card in self.cards.values()), *score])
        box.add_class("plahelpers-quiz")
        return box

    @cached_property
    def cards(self) -> dict[str, Card]:
        """The controls of each question, by its id."""
        return {
            asked.question.id: Card(self, asked, self._headings(n), self._show_score)
            for n, asked in enumerate(self.asked)
        }

    @cached_property
    def _score_line(self) -> ipywidgets.HTMLMath:
        return ipywidgets.HTMLMath(self.score._repr_html_())

    def _show_score(self) -> None:
        self._score_line.value = self.score._repr_html_()


def _listed(answer: Any) -> list[Any]:
    """A number, or the entries of a list, tuple or array."""
    return list(answer) if hasattr(answer, "__iter__") else [answer]


def _letters(typed: str, count: int) -> tuple[list[int], bool]:
    """Which choices the letters stand for, and whether there is something else among them."""
    letters = re.findall(r"\w+", typed.upper())
    known = [_letter(n) for n in range(count)]
    return [known.index(it) for it in letters if it in known], any(it not in known for it in letters)


def _example(asked: Asked) -> str:
    """What an answer looks like, as it is typed in Python."""
    if asked.choices:
        return '"A, B"' if asked.question.several else '"A"'
    return "1" if len(_answer_entries(asked)) == 1 else "(1, 2, 3)"


def _answer_entries(asked: Asked) -> tuple[float, ...]:
    assert asked.number is not None
    return _entries(asked.number.answer)


# --- folded HTML -----------------------------------------------------------------------------------------------------

# Pages that typeset only where they are told to look for these classes (Sphinx, MathJax).
_MATHEMATICS: Final = "tex2jax_process mathjax_process"
_BLOCK: Final = "margin: 1em 0; padding: 0.2em 1em 0.6em; border: 1px solid #8a8a8a; border-radius: 6px"


def _folded(asked: Asked, headings: list[str], words: Words) -> str:
    """One question as folded HTML: each answer opens what it shows. No script, no ids."""
    heading = html.escape(" · ".join(headings))
    if asked.number is None:
        call = words("choose_several") if asked.question.several else words("open_choice")
        answers = [
            (texts.as_inline_html(_label(n, choice)), _verdict(asked, choice.right, [choice.feedback], words))
            for n, choice in enumerate(asked.choices)
        ]
    else:
        call, answers = words("open_number"), _folded_numbers(asked, asked.number, words)
    return (
        f"<div role='group' aria-label='{heading}' style='{_BLOCK}'><p><strong>{heading}</strong></p>"
        f"{texts.as_html(asked.prompt)}{_picture(asked)}<p>{html.escape(call)}</p>"
        + "".join(_details(summary, verdict) for summary, verdict in answers)
        + "</div>"
    )


def _folded_numbers(asked: Asked, number: Number, words: Words) -> list[tuple[str, Verdict]]:
    """The right number among the known wrong ones, by size, so that its place tells nothing."""
    answers = [(number.answer, _verdict(asked, True, [number.feedback], words))]
    answers += [(known.answer, _verdict(asked, False, [known.feedback], words)) for known in number.known]
    answers.sort(key=lambda pair: _entries(pair[0]))
    shown = [(texts.as_inline_html(words("got", answer=answer)), verdict) for answer, verdict in answers]
    return [*shown, (texts.as_inline_html(words("got_other")), _verdict(asked, False, [number.wrong], words))]


def _details(summary: str, verdict: Verdict) -> str:
    style = "cursor: pointer; padding: 0.25em 0"
    inside = verdict._repr_html_().replace(" role='alert'", "")  # nothing appears by itself here
    return f"<details><summary style='{style}'>{summary}</summary>{inside}</details>"


def _picture(asked: Asked) -> str:
    """The picture as an image: with its alternative text, and safe from a page's styles and sanitisers."""
    if not asked.picture:
        return ""
    data = base64.b64encode(asked.picture.encode()).decode()
    alt = html.escape(texts.as_plain_line(asked.alt), quote=True)
    return f"<p><img alt='{alt}' width='380' style='max-width: 100%' src='data:image/svg+xml;base64,{data}'></p>"


# --- the form --------------------------------------------------------------------------------------------------------

# Checkboxes with long labels that wrap. ipywidgets' own radio buttons cannot have mathematics in their labels (and are
# no group for the keyboard either); a checkbox's label is typeset. Where one choice is asked for, they look round and
# choosing one lets the other go.
_STYLE: Final = """<style>
.plahelpers-quiz { overflow: visible; max-width: 52em; }
.plahelpers-quiz .plahelpers-card { border: 1px solid #8a8a8a; border-radius: 6px; padding: 0.2em 1em 0.6em; margin: 0.5em 0; overflow: visible; }
.plahelpers-quiz .widget-html-content, .plahelpers-quiz .widget-htmlmath-content { line-height: 1.5; font-size: 1.05em; }
.plahelpers-quiz .widget-checkbox { width: auto; height: auto; }
.plahelpers-quiz .widget-checkbox label { display: flex; align-items: baseline; gap: 0.6em; width: auto; height: auto; white-space: normal; overflow: visible; line-height: 1.5; font-size: 1.05em; cursor: pointer; }
.plahelpers-quiz .widget-checkbox input { flex: none; width: 1em; height: 1em; margin: 0; position: relative; top: 0.1em; }
.plahelpers-quiz .plahelpers-one input[type=checkbox] { appearance: none; border: 2px solid currentColor; border-radius: 50%; }
.plahelpers-quiz .plahelpers-one input[type=checkbox]:checked { background: currentColor; box-shadow: inset 0 0 0 2px var(--jp-layout-color0, white); }
.plahelpers-quiz input:focus-visible, .plahelpers-quiz button:focus-visible { outline: 3px solid #1F78D1; outline-offset: 2px; }
.plahelpers-quiz .widget-hbox { margin: 0.5em 0 0.2em; }
.plahelpers-quiz button { width: auto; padding: 0 1.2em; }
</style>"""  # noqa: E501


class Card:
    """The controls of one question: prompt, choices or a field, the button that checks, and the feedback.

    Built in notebook 05, "All of it".
    """

    def __init__(self, quiz: Quiz, asked: Asked, headings: list[str], after: Callable[[], None]) -> None:
        self._quiz, self._headings, self._after = quiz, headings, after
        self.id = asked.question.id
        self.prompt = ipywidgets.HTMLMath()
        self.choices: tuple[ipywidgets.Checkbox, ...] = ()
        self.entry: ipywidgets.Text | None = None
        self.feedback = ipywidgets.HTMLMath()
        self.check = ipywidgets.Button(description=quiz._say("check"), button_style="primary")
        self.check.on_click(self._judge)
        buttons = [self.check]
        self.again: ipywidgets.Button | None = None
        if asked.question.generator:
            self.again = ipywidgets.Button(description=quiz._say("new_numbers"))
            self.again.on_click(self._draw_again)
            buttons.append(self.again)
        self._answers = ipywidgets.VBox()
        self._show(asked)
        self.box = ipywidgets.VBox([self.prompt, self._answers, ipywidgets.HBox(buttons), self.feedback])
        self.box.add_class("plahelpers-card")

    def _show(self, asked: Asked) -> None:
        """Put the question and empty answers into the controls."""
        heading = html.escape(" · ".join(self._headings))
        call = ""
        if asked.choices:
            call = (
                f"<p>{html.escape(self._quiz._say('choose_several' if asked.question.several else 'choose_one'))}</p>"
            )
        self.prompt.value = f"<p><strong>{heading}</strong></p>{texts.as_html(asked.prompt)}{_picture(asked)}{call}"
        self.feedback.value = ""
        if asked.choices:
            self._offer(asked)
        elif self.entry is None:
            self._ask_for_numbers(len(_answer_entries(asked)))
        else:
            self.entry.value = ""

    def _offer(self, asked: Asked) -> None:
        labels = [texts.as_inline_html(_label(n, choice)) for n, choice in enumerate(asked.choices)]
        self.choices = tuple(
            ipywidgets.Checkbox(description=label, description_allow_html=True, indent=False) for label in labels
        )
        for n, box in enumerate(self.choices):
            if not asked.question.several:
                box.observe(partial(self._let_the_others_go, n), "value")
        self._answers.children = self.choices
        if not asked.question.several:
            self._answers.add_class("plahelpers-one")

    def _let_the_others_go(self, chosen: int, change: Any) -> None:
        if change["new"]:
            for n, box in enumerate(self.choices):
                if n != chosen:
                    box.value = False

    def _ask_for_numbers(self, count: int) -> None:
        kind = "number" if count == 1 else "vector"
        self.entry = ipywidgets.Text(
            description=self._quiz._say(f"your_{kind}"),
            placeholder=self._quiz._say(f"example_{kind}"),
            style={"description_width": "initial"},
        )
        self.entry.on_msg(self._on_enter)
        self._answers.children = (self.entry,)

    def _on_enter(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content.get("event") == "submit":
            self._judge(None)

    def _judge(self, _button: Any) -> None:
        if self.entry is not None:
            verdict = self._quiz.answer(self.entry.value, self.id)
        else:
            verdict = self._quiz.answer(
                " ".join(_letter(n) for n, box in enumerate(self.choices) if box.value), self.id
            )
        self.feedback.value = verdict._repr_html_()
        self._after()

    def _draw_again(self, _button: Any) -> None:
        self._show(self._quiz.new_numbers(self.id))
