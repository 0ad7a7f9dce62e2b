"""A question as folded HTML, for pages without Python: each answer opens what it shows.

That needs no script. Where scripts run, page.js also keeps the answers and shows the score.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Final, TypeAlias

from plahelpers import _format
from plahelpers.quizzes import markup
from plahelpers.quizzes.bank import Instance, Number, Words, entries
from plahelpers.quizzes.judge import Verdict, as_block, verdict

Answers: TypeAlias = list[tuple[str, Verdict]]  # what a reader can open, and what it shows

# Pages that typeset only where they are told to look for these classes (Sphinx, MathJax).
_MATHEMATICS: Final = "tex2jax_process mathjax_process"
_BLOCK: Final = "margin: 1em 0; padding: 0.2em 1em 0.6em; border: 1px solid #8a8a8a; border-radius: 6px"


def page(instances: Sequence[Instance], headings: Sequence[str], say: Words) -> str:
    """Some questions, one below the other, with a title if there are several."""
    title = f"<p><strong>{html.escape(say('title'))}</strong></p>" if len(instances) > 1 else ""
    answers = [_answers(instance, say) for instance in instances]
    blocks = [_block(*parts, say) for parts in zip(instances, headings, answers, strict=True)]
    quiz = f"class='plahelpers-quiz {_MATHEMATICS}' data-quiz='{_data(instances, answers, say)}'"
    return f"<div {quiz}>{title}{''.join(blocks)}</div><script type='module'>{_script()}</script>"


def opening(instance: Instance, heading: str) -> str:
    """The question itself, above its answers."""
    heading = html.escape(heading)
    return f"<p><strong>{heading}</strong></p>{markup.as_html(instance.prompt)}{_picture(instance)}"


def _block(instance: Instance, heading: str, answers: Answers, say: Words) -> str:
    if instance.number is not None:
        call = say("open_number")
    else:
        call = say("choose_several" if instance.question.several else "open_choice")
    asks = "choice" if instance.number is None else "number"
    return (
        f"<div role='group' data-asks='{asks}' aria-label='{html.escape(heading)}' style='{_BLOCK}'>"
        f"{opening(instance, heading)}"
        f"<p>{html.escape(call)}</p>{''.join(_details(summary, outcome) for summary, outcome in answers)}</div>"
    )


def _answers(instance: Instance, say: Words) -> Answers:
    """What can be opened, and what it shows."""
    if instance.number is not None:
        return _numbers(instance, instance.number, say)
    pairs = zip(instance.labels, instance.choices, strict=True)
    return [(label, verdict(instance, choice.right, [choice.feedback], say)) for label, choice in pairs]


def _numbers(instance: Instance, number: Number, say: Words) -> Answers:
    """The right number among the known wrong ones, by size, so that its place tells nothing."""
    answers = [(number.answer, True, number.feedback)]
    answers += [(known.answer, False, known.feedback) for known in number.known]
    answers.sort(key=lambda answer: entries(answer[0]))
    known = [(say("got", answer=answer), verdict(instance, right, [text], say)) for answer, right, text in answers]
    return [*known, (say("got_other"), verdict(instance, False, [number.wrong], say))]


def _details(summary: str, outcome: Verdict) -> str:
    right = " data-right='true'" if outcome.right else ""  # for paper, where answers stand at the end
    style = "cursor: pointer; padding: 0.25em 0"
    opens = f"<summary style='{style}'>{markup.as_inline_html(summary)}</summary>"
    return f"<details{right}>{opens}{as_block(outcome)}</details>"


def _picture(instance: Instance) -> str:
    """The picture as an image: with its alternative text, and safe from a page's styles and sanitisers."""
    if not instance.picture:
        return ""
    data = base64.b64encode(instance.picture.encode()).decode()
    alt = html.escape(markup.as_plain_line(instance.alt), quote=True)
    return f"<p><img alt='{alt}' width='380' style='max-width: 100%' src='data:image/svg+xml;base64,{data}'></p>"


# --- for page.js -----------------------------------------------------------------------------------------------------


@cache
def _script() -> str:
    """The script in one line."""
    script = resources.files("plahelpers.quizzes").joinpath("page.js").read_text(encoding="utf-8")
    return " ".join(_format.code_lines(script))


def _data(instances: Sequence[Instance], answers: Sequence[Answers], say: Words) -> str:
    """What the script has to know, as an attribute: which answers are right, and all that it says."""
    right = [[place for place, (_, outcome) in enumerate(some) if outcome.right] for some in answers]
    words = {
        "clear": say("clear"),
        "right": f" · {say('right_at_first')}",
        "wrong": f" · {say('wrong_at_first')}",
        **(_score(instances, say) if len(instances) > 1 else {}),
    }
    data = {"key": _key(instances, answers), "right": right, "words": words}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return html.escape(text, quote=False).replace("'", "&#39;")  # its many double quotes need no escape


def _score(instances: Sequence[Instance], say: Words) -> dict[str, str]:
    """The words of a `Score`; only the reader's browser knows the numbers in them."""
    total = len(instances)
    return {
        "none": f"{say('score_none', total=total)} {say('score_rule')}",
        "score": say("score", right="{{right}}", answered="{{answered}}", total=total),
        "all_right": say("all_right"),
        "review": say("review"),
    }


def _key(instances: Sequence[Instance], answers: Sequence[Answers]) -> str:
    """Differs where a question, its numbers or its answers do: a changed question does not inherit old answers."""
    asked = [(instance.question.id, instance.seed) for instance in instances]
    choices = [[(summary, outcome.right) for summary, outcome in some] for some in answers]
    return hashlib.sha256(repr((asked, choices)).encode()).hexdigest()[:16]
