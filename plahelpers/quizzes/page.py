"""A question as folded HTML, for pages without Python: each answer opens what it shows. No script, no ids."""

from __future__ import annotations

import base64
import html
from collections.abc import Sequence
from typing import Final

from plahelpers.quizzes import markup
from plahelpers.quizzes.bank import Instance, Number, Words, entries
from plahelpers.quizzes.judge import Verdict, as_block, verdict

# Pages that typeset only where they are told to look for these classes (Sphinx, MathJax).
_MATHEMATICS: Final = "tex2jax_process mathjax_process"
_BLOCK: Final = "margin: 1em 0; padding: 0.2em 1em 0.6em; border: 1px solid #8a8a8a; border-radius: 6px"


def page(instances: Sequence[Instance], headings: Sequence[str], say: Words) -> str:
    """Some questions, one below the other, with a title if there are several."""
    title = f"<p><strong>{html.escape(say('title'))}</strong></p>" if len(instances) > 1 else ""
    blocks = [_block(instance, heading, say) for instance, heading in zip(instances, headings, strict=True)]
    return f"<div class='plahelpers-quiz {_MATHEMATICS}'>{title}{''.join(blocks)}</div>"


def opening(instance: Instance, heading: str) -> str:
    """The question itself, above its answers."""
    heading = html.escape(heading)
    return f"<p><strong>{heading}</strong></p>{markup.as_html(instance.prompt)}{_picture(instance)}"


def _block(instance: Instance, heading: str, say: Words) -> str:
    if instance.number is not None:
        call, answers = say("open_number"), _numbers(instance, instance.number, say)
    else:
        call = say("choose_several" if instance.question.several else "open_choice")
        answers = [
            (label, verdict(instance, choice.right, [choice.feedback], say))
            for label, choice in zip(instance.labels, instance.choices, strict=True)
        ]
    return (
        f"<div role='group' aria-label='{html.escape(heading)}' style='{_BLOCK}'>{opening(instance, heading)}"
        f"<p>{html.escape(call)}</p>{''.join(_details(summary, outcome) for summary, outcome in answers)}</div>"
    )


def _numbers(instance: Instance, number: Number, say: Words) -> list[tuple[str, Verdict]]:
    """The right number among the known wrong ones, by size, so that its place tells nothing."""
    answers = [(number.answer, True, number.feedback)]
    answers += [(known.answer, False, known.feedback) for known in number.known]
    answers.sort(key=lambda answer: entries(answer[0]))
    known = [(say("got", answer=answer), verdict(instance, right, [text], say)) for answer, right, text in answers]
    return [*known, (say("got_other"), verdict(instance, False, [number.wrong], say))]


def _details(summary: str, outcome: Verdict) -> str:
    style = "cursor: pointer; padding: 0.25em 0"
    return f"<details><summary style='{style}'>{markup.as_inline_html(summary)}</summary>{as_block(outcome)}</details>"


def _picture(instance: Instance) -> str:
    """The picture as an image: with its alternative text, and safe from a page's styles and sanitisers."""
    if not instance.picture:
        return ""
    data = base64.b64encode(instance.picture.encode()).decode()
    alt = html.escape(markup.as_plain_line(instance.alt), quote=True)
    return f"<p><img alt='{alt}' width='380' style='max-width: 100%' src='data:image/svg+xml;base64,{data}'></p>"
