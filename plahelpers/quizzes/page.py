"""A quiz as a page: folded HTML, in which each answer opens what it shows.

That needs no script. Where scripts run, page.js keeps the answers, shows the score, takes typed numbers and draws new
ones: a question with a generator carries some draws, and the page shows the first.
"""

import hashlib
import html
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, Final
from urllib.parse import quote

from markdown_it import MarkdownIt
from mdit_py_plugins.dollarmath import dollarmath_plugin

from plahelpers import _format
from plahelpers.quizzes.bank import Answer, Question

# Pages that typeset only where they are told to look for these classes (Sphinx, MathJax).
_MATHEMATICS: Final = "tex2jax_process mathjax_process"
_KEPT_IN_ADDRESS: Final = " '=:/,()<>"  # by every browser, in the address of an image that stands in double quotes


def page(questions: Sequence[Sequence[Question]]) -> str:
    """Some questions, each with its draws, one below the other."""
    total = len(questions)
    groups = "".join(_group(draws, f" · Question {n} of {total}" * (total > 1)) for n, draws in enumerate(questions, 1))
    key = hashlib.sha256(groups.encode()).hexdigest()[:16]  # a changed question does not inherit old answers
    quiz = f"class='plahelpers-quiz {_MATHEMATICS}' data-quiz='{key}'"
    return f"<div {quiz}><style>{_style()}</style>{groups}</div><script>{_script()}</script>"


def total() -> str:
    """Where the script writes the score of the whole page."""
    words = "Where scripts run, your score stands here."
    return f"<div class='plahelpers-total' role='status'><p>{words}</p></div><script>{_script()}</script>"


def _group(draws: Sequence[Question], place: str) -> str:
    """One question: its first draw, the others for the script, and where to read."""
    first = draws[0]
    heading = f"Chapter {first.chapter}{place}"
    asks = "choice" if first.tolerance is None else f"number' data-tolerance='{first.tolerance}"
    others = "".join(f"<script type='text/html'>{_draw(draw)}</script>" for draw in draws[1:])
    read = f"<p class='plahelpers-read'>Read more: {as_inline_html(first.where)}.</p>"
    return (
        f"<div role='group' data-asks='{asks}' aria-label='{heading}'><p><strong>{heading}</strong></p>"
        f"<div class='plahelpers-draw'>{_draw(first)}</div>{others}{read}</div>"
    )


def _draw(question: Question) -> str:
    """The question itself, and its answers to open."""
    if question.tolerance is not None:
        call = "Work it out and open your result:"
    else:
        call = "Choose all that are right:" if question.several else "Choose one and open it:"
    answers = "".join(_details(answer) for answer in question.answers)
    return f"{as_html(question.prompt)}{_picture(question)}<p class='plahelpers-call'>{call}</p>{answers}"


def _details(answer: Answer) -> str:
    right = " data-right='true'" if answer.right else ""
    typed = f" data-answer='{json.dumps(answer.entries)}'" if answer.entries else ""
    verdict = "**Right.**" if answer.right else "**Not quite.**"
    feedback = as_html(f"{verdict} {answer.feedback}")
    letter = f"<b>{answer.letter}</b> " if answer.letter else ""
    label = f"{letter}<span>{as_inline_html(answer.text)}</span>"
    return f"<details{right}{typed}><summary>{label}</summary><div>{feedback}</div></details>"


def _picture(question: Question) -> str:
    """The picture as an image: with its alternative text, and safe from a page's styles and sanitisers."""
    if not question.picture:
        return ""
    source = f"data:image/svg+xml,{quote(question.picture, safe=_KEPT_IN_ADDRESS)}"
    return f'<p><img alt="{html.escape(question.alt)}" width="380" src="{source}"></p>'


# --- texts -----------------------------------------------------------------------------------------------------------


def as_html(text: str) -> str:
    """Markdown as blocks of HTML, with mathematics for the page's own MathJax, between \\( and \\)."""
    return str(_markdown().render(text)).strip()


def as_inline_html(text: str) -> str:
    """The same within a line, without paragraphs: for labels."""
    return str(_markdown().renderInline(text))


@cache
def _markdown() -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False}).use(dollarmath_plugin)
    markdown.add_render_rule("math_inline", _mathematics)
    return markdown


def _mathematics(_renderer: Any, tokens: Sequence[Any], place: int, *_: Any) -> str:
    return rf"\({html.escape(tokens[place].content)}\)"


@cache
def _style() -> str:
    return resources.files("plahelpers.quizzes").joinpath("page.css").read_text(encoding="utf-8")


@cache
def _script() -> str:
    """The script in one line."""
    script = resources.files("plahelpers.quizzes").joinpath("page.js").read_text(encoding="utf-8")
    return " ".join(_format.code_lines(script))
