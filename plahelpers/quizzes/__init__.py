"""Fun Time: questions that tell you, for every answer, what it shows.

    from plahelpers import quizzes
    quizzes.quiz("02")            # the questions of one chapter
    quizzes.ask("next-w")         # one question; seed= gives it other numbers
    quizzes.everything()          # all of them, with a score and what to read again

The questions, and all that the quizzes say, stand in `<language>/*.toml`. In a live notebook a quiz is a form of
ipywidgets, elsewhere folded HTML, in a terminal text. The folded HTML needs no script; where scripts run, the browser
keeps the reader's answers and shows the score. An output stored in a notebook holds all three. The form's part, under
the key `application/vnd.jupyter.widget-view+json`, has a random model id and dies with its kernel: to store a notebook
for good, delete that key from the output's data, and the folded HTML, always the same, is what is shown.
"""

from __future__ import annotations

from plahelpers._validation import check_choice
from plahelpers.quizzes.bank import CHAPTERS, load
from plahelpers.quizzes.judge import Verdict
from plahelpers.quizzes.session import Quiz, Score, check_id

__all__ = ["Quiz", "Score", "Verdict", "ask", "everything", "ids", "quiz"]


def quiz(chapter: str, *, seed: int = 0, language: str = "en") -> Quiz:
    """Ask the questions of one chapter, "01" to "04".

    Built in chapter 5, "By chapter".

    Parameters
    ----------
    seed : int
        Gives the generated questions their numbers.
    language : str
        Which folder of questions to read.
    """
    bank = load(language)
    if check_choice(chapter, "chapter", (*CHAPTERS, "05")) == "05":
        raise ValueError('chapter 5 gathers the questions of all the others: call everything(), or quiz("01").')
    return Quiz(bank, [question for question in bank.questions.values() if question.chapter == int(chapter)], seed)


def ask(id: str, *, seed: int = 0, language: str = "en") -> Quiz:
    """Ask one question, by its id; `ids()` lists them.

    Built in chapter 5, "By chapter".
    """
    bank = load(language)
    return Quiz(bank, [bank.questions[check_id(id, bank.questions)]], seed)


def everything(*, seed: int = 0, language: str = "en") -> Quiz:
    """Ask all questions, chapter by chapter.

    Built in chapter 5, "All of it".
    """
    bank = load(language)
    return Quiz(bank, list(bank.questions.values()), seed)


def ids(chapter: str | None = None, *, language: str = "en") -> tuple[str, ...]:
    """The names of all questions, or of one chapter's, for `ask`.

    Built in chapter 5, "By chapter".
    """
    number = None if chapter is None else int(check_choice(chapter, "chapter", CHAPTERS))
    return tuple(name for name, question in load(language).questions.items() if number in (None, question.chapter))
