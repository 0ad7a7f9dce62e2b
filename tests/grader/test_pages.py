"""The pages: what was written is shown, and nothing of it does harm."""

import base64
import re

import pytest

from exercises.grader import answers, judge, notebook, pages, results
from exercises.grader.submissions import SubmissionFile
from tests.browser import needs_chromium, opened
from tests.grader import submissions as made
from tests.grader.submissions import SMALL

ASSIGNMENT = notebook.Assignment(SMALL)


def page_of(answer):
    """The page of somebody who has written this answer, and nothing else."""
    written = judge.Verdict(None, "by hand", answer=answers.as_html(answer))
    verdicts = [*[judge.Verdict(0.0, "blank")] * (len(ASSIGNMENT.questions) - 1), written]
    result = judge._result(ASSIGNMENT, verdicts, [], "b01")
    return pages.feedback("hw", results.Grade(SubmissionFile("b01", "b01.ipynb"), result, {}), {})


def test_markdown_tables_and_formulas_are_rendered():
    page = answers.as_html(
        "It is **bold**, $w_0 \\ge \\frac{1}{2}$ and\n\n$$\n\\begin{aligned} a &= b \\\\ &= c \\end{aligned}\n$$\n\n"
        "| a | b |\n|---|---|\n| 1 | 2 |\n"
    )
    assert "<strong>bold</strong>" in page
    assert "<td>1</td>" in page
    assert '<math display="inline"><mrow><msub><mi>w</mi><mn>0</mn></msub><mo>≥</mo><mfrac>' in page
    assert re.search(r'<math display="block">(.*?)</math>', page)[1].count("<mtr>") == 2


@pytest.mark.parametrize("formula", [r"\frac{1}{", r"\nosuchcommand{x}", "x" * 5000, "{" * 900])
def test_a_formula_that_cannot_be_converted_is_shown_as_it_was_typed(formula):
    page = answers.as_html(f"So ${formula}$ holds")
    assert "<math" not in page
    assert f"<code>${formula}$</code>" in page


def test_what_is_no_picture_or_a_huge_one_is_not_shown():
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
    for data in (svg, "", "!!!", made.picture() + '"onerror="', made.picture() * 100_000):
        assert answers.picture(data) == ""


HOSTILE = r"""
<script>document.title = "harmed"</script>

<img src=x onerror="document.title = 'harmed'"> <svg onload="document.title = 'harmed'"></svg> <base href="//e.example">
<style>body { display: none }</style> <iframe src="https://e.example"></iframe> <form action="https://e.example"><button>

[click]( JaVaScRiPt:document.title='harmed') [click](data:text/html,<script>1</script>) [another page](../summary.html)
[quote](https://e.example/"onclick="document.title='harmed') ![remote](https://e.example/x.png)
![svg](data:image/svg+xml;base64,PHN2Zy8+) ![quote](attachment:a.png"onerror="document.title='harmed')

$\text{<svg/onload=document.title='harmed'>}$ $\href{javascript:document.title='harmed'}{x}$
$\class{a" onmouseover="document.title='harmed'}{x}$ $\style{background:url(https://e.example/z)}{x}$

```html"onmouseover="document.title='harmed'
</code></pre><script>document.title = "harmed"</script>
```
"""
SLIPS = "<main><img src='https://e.example/x.png'><script>document.title = 1</script>"


@needs_chromium
def test_hostile_markdown_does_nothing_in_a_browser_and_the_policy_stops_what_would_slip_through(
    browser, troubles, tmp_path
):
    path = tmp_path / "page.html"
    path.write_text(page_of(HOSTILE).replace("<main>", SLIPS), encoding="utf-8")
    page = opened(browser, troubles)
    page.goto(path.as_uri())
    answer = page.locator(".answer")
    for element in answer.locator("a, img, code, math, math *").all():
        element.dispatch_event("mouseover")
        element.dispatch_event("click") if not element.get_attribute("href") else None
    assert page.title() == "hw: b01"
    assert answer.locator("script, style, svg, iframe, base, form, meta, link, button").count() == 0
    every = answer.evaluate("node => [...node.querySelectorAll('*')].flatMap(each => each.getAttributeNames())")
    assert not {name for name in every if name.startswith("on")} | ({"style", "srcset", "srcdoc"} & set(every))
    links = answer.evaluate("node => [...node.querySelectorAll('[href], [src]')].map(each => each.href || each.src)")
    assert all(link.startswith("https://") for link in links)  # a link to the web, on which one may click
    assert answer.locator("img").count() == 0
    assert len([each for each in troubles if "Content Security Policy" in each]) == 2
    assert len(troubles) == 3  # the third one: there is no picture
