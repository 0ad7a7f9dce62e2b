"""Fun Time: questions that tell you, for every answer, what it shows.

    from plahelpers import quizzes
    quizzes.quiz("02")            # the questions of one chapter
    quizzes.ask("next-w")         # one question; seed= gives it other numbers
    quizzes.everything()          # all of them, with a score and what to read again

The questions stand in the TOML files beside this one. A quiz is the same page in a notebook, in the book and on a
slide: HTML that needs no kernel, and a script that keeps the reader's answers in the browser.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from plahelpers._format import count
from plahelpers._validation import check_choice, check_count
from plahelpers.quizzes import page
from plahelpers.quizzes.bank import Question, instantiate, load

__all__ = ["Quiz", "ask", "everything", "ids", "quiz"]

CHAPTERS: Final = ("01", "02", "03", "04")
DRAWS: Final = 4  # so many sets of numbers a page carries; a seed gives any other


class Quiz:
    """Some questions, to be shown in a notebook.

    Built in chapter 5, "All of it".
    """

    def __init__(self, ids: Iterable[str], seed: int = 0) -> None:
        self.seed = check_count(seed, "seed")
        self.asked: tuple[Question, ...] = tuple(instantiate(load()[name], self.seed) for name in ids)

    def _repr_html_(self) -> str:
        return page.page([self._draws(first) for first in self.asked])

    def _draws(self, first: Question) -> list[Question]:
        """A question as it is asked, and with the numbers of the following seeds if it has a generator."""
        seeds = range(self.seed + 1, self.seed + DRAWS) if first.generator else ()
        return [first, *(instantiate(load()[first.id], seed) for seed in seeds)]

    def __repr__(self) -> str:
        return f"Fun Time: {count(len(self.asked), 'question')}, shown in a notebook and in the book"


def quiz(chapter: str, *, seed: int = 0) -> Quiz:
    """Ask the questions of one chapter, "01" to "04".

    Built in chapter 5, "By chapter".

    Parameters
    ----------
    seed : int
        Gives the generated questions their numbers.
    """
    if check_choice(chapter, "chapter", (*CHAPTERS, "05")) == "05":
        raise ValueError('chapter 5 gathers the questions of all the others: call everything(), or quiz("01").')
    return Quiz(ids(chapter), seed)


def ask(id: str, *, seed: int = 0) -> Quiz:
    """Ask one question, by its id; `ids()` lists them.

    Built in chapter 5, "By chapter".
    """
    if id not in ids():
        raise ValueError(f"there is no question {id!r} here; there are {', '.join(ids())}.")
    return Quiz([id], seed)


def everything(*, seed: int = 0) -> Quiz:
    """Ask all questions, chapter by chapter.

    Built in chapter 5, "All of it".
    """
    return Quiz(ids(), seed)


def ids(chapter: str | None = None) -> tuple[str, ...]:
    """The names of all questions, or of one chapter's, for `ask`.

    Built in chapter 5, "By chapter".
    """
    number = None if chapter is None else int(check_choice(chapter, "chapter", CHAPTERS))
    return tuple(name for name, entry in load().items() if number in (None, entry["chapter"]))
