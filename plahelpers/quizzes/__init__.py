"""Fun Time: questions that tell you, for every answer, what it shows.

    from plahelpers import quizzes
    quizzes.ask("next-w")         # one question, or several; seed= gives them other numbers
    quizzes.quiz("02")            # those of a chapter, but for the lecture's own
    quizzes.score()               # how many of all questions on the page were right, and what to read again

The questions stand in the TOML files beside this one. A quiz is the same page in a notebook, in the book and on a
slide: HTML that needs no kernel, and a script that keeps the reader's answers in the browser.
"""

from collections.abc import Iterable
from typing import Final

from plahelpers._format import count
from plahelpers._validation import check_choice, check_count
from plahelpers.quizzes import page
from plahelpers.quizzes.bank import Question, instantiate, load

__all__ = ["Quiz", "Score", "ask", "ids", "quiz", "score"]

CHAPTERS: Final = ("01", "02", "03", "04")
DRAWS: Final = 4  # so many sets of numbers a page carries; a seed gives any other


class Quiz:
    """Some questions, to be shown in a notebook."""

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


class Score:
    """A place in the page where the score of all its quizzes stands, and what to read again."""

    def _repr_html_(self) -> str:
        return page.total()

    def __repr__(self) -> str:
        return "Your score is shown in a notebook and in the book"


def quiz(chapter: str) -> Quiz:
    """Ask the questions of one chapter, "01" to "04"; the lecture's own, which stands before them, is left out."""
    return Quiz([name for name in ids(chapter) if "lecture" not in load()[name]])


def ask(*names: str, seed: int = 0) -> Quiz:
    """Ask one question or several, by their ids; `ids()` lists them."""
    if unknown := [name for name in names if name not in ids()]:
        raise ValueError(f"there is no question {unknown[0]!r} here; there are {', '.join(ids())}.")
    return Quiz(names, seed)


def score() -> Score:
    """Show the score of all quizzes on the page, and what to read again."""
    return Score()


def ids(chapter: str | None = None) -> tuple[str, ...]:
    """The names of all questions, or of one chapter's, for `ask`."""
    number = None if chapter is None else int(check_choice(chapter, "chapter", CHAPTERS))
    return tuple(name for name, entry in load().items() if number in (None, entry["chapter"]))
