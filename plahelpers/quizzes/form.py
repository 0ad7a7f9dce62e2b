"""A question as a form of ipywidgets, for a notebook that runs."""

from __future__ import annotations

import html
from collections.abc import Callable
from importlib import resources
from typing import Any, TypeAlias

import ipywidgets

from plahelpers.quizzes import markup, page
from plahelpers.quizzes.bank import LETTERS, Instance, Words
from plahelpers.quizzes.judge import Verdict

# What a quiz does for a card: it judges an answer, and draws new numbers, each for the question with an id.
Judge: TypeAlias = Callable[[str, str], Verdict]
Draw: TypeAlias = Callable[[str], Instance]


def style() -> ipywidgets.HTML:
    """The style of the form, as a widget of its own."""
    css = resources.files("plahelpers.quizzes").joinpath("form.css").read_text(encoding="utf-8")
    return ipywidgets.HTML(f"<style>\n{css}</style>")


class Rendered(ipywidgets.Output):  # type: ignore[misc]
    """HTML that the front end renders like any output, so that its links open chapters within JupyterLab.

    A link in an `ipywidgets.HTML` would load a new page in place of JupyterLab.
    """

    def __init__(self, value: str = "") -> None:
        super().__init__()
        self.value = value

    @property
    def value(self) -> str:
        """What is shown."""
        outputs: tuple[Any, ...] = self.outputs
        return "".join(output["data"]["text/html"] for output in outputs)

    @value.setter
    def value(self, value: str) -> None:
        output: dict[str, Any] = {"output_type": "display_data", "data": {"text/html": value}, "metadata": {}}
        self.outputs = (output,) if value else ()


class Card:
    """The controls of one question: prompt, choices or a field, the button that checks, and the feedback.

    Built in chapter 5, "All of it".
    """

    def __init__(self, instance: Instance, heading: str, say: Words, *, answer: Judge, new_numbers: Draw) -> None:
        self._heading, self._say, self._answer, self._new_numbers = heading, say, answer, new_numbers
        self.id = instance.question.id
        self.prompt = ipywidgets.HTMLMath()
        self.choices: tuple[ipywidgets.Checkbox, ...] = ()
        self.entry: ipywidgets.Text | None = None
        self.feedback = Rendered()
        self.check = ipywidgets.Button(description=say("check"), button_style="primary")
        self.check.on_click(self._judge)
        buttons = [self.check]
        self.again: ipywidgets.Button | None = None
        if instance.question.generator:
            self.again = ipywidgets.Button(description=say("new_numbers"))
            self.again.on_click(self._draw_again)
            buttons.append(self.again)
        self._answers = ipywidgets.VBox()
        self._show(instance)
        self.box = ipywidgets.VBox([self.prompt, self._answers, ipywidgets.HBox(buttons), self.feedback])
        self.box.add_class("plahelpers-card")

    def _show(self, instance: Instance) -> None:
        """Put the question and empty answers into the controls."""
        call = ""
        if instance.choices:
            call = f"<p>{html.escape(self._say('choose_several' if instance.question.several else 'choose_one'))}</p>"
            self._show_choices(instance)
        elif self.entry is None:
            self._show_entry(instance)
        else:
            self.entry.value = ""
        self.prompt.value = page.opening(instance, self._heading) + call
        self.feedback.value = ""

    def _show_choices(self, instance: Instance) -> None:
        self.choices = tuple(
            ipywidgets.Checkbox(description=markup.as_inline_html(label), description_allow_html=True, indent=False)
            for label in instance.labels
        )
        if not instance.question.several:
            self._answers.add_class("plahelpers-one")
            for box in self.choices:
                box.observe(self._clear_others, "value")
        self._answers.children = self.choices

    def _clear_others(self, change: Any) -> None:
        if change["new"]:
            for box in self.choices:
                box.value = box is change["owner"]

    def _show_entry(self, instance: Instance) -> None:
        vector = instance.asks_for_vector
        self.entry = ipywidgets.Text(
            description=self._say("your_vector" if vector else "your_number"),
            placeholder=self._say("example_vector" if vector else "example_number"),
            style={"description_width": "initial"},
        )
        self.entry.on_msg(self._on_enter)
        self._answers.children = (self.entry,)

    def _on_enter(self, _widget: Any, content: Any, _buffers: Any) -> None:
        if content.get("event") == "submit":
            self._judge(None)

    def _judge(self, _button: Any) -> None:
        letters = " ".join(LETTERS[n] for n, box in enumerate(self.choices) if box.value)
        answer = letters if self.entry is None else self.entry.value
        self.feedback.value = self._answer(answer, self.id)._repr_html_()

    def _draw_again(self, _button: Any) -> None:
        self._show(self._new_numbers(self.id))
