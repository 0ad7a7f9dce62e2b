"""The pages: what was written is shown, nothing of it does harm, and the summary reads well."""

import base64
import re

import pytest

from exercises.grader import answers, judge, notebook, pages, results
from exercises.grader.submissions import SubmissionFile
from tests.browser import browser, needs_chromium, opened, troubles  # noqa: F401
from tests.grader import submissions as made
from tests.grader.submissions import SMALL

ASSIGNMENT = notebook.Assignment(SMALL)


def result(answer="", **states):
    """A result as the judge makes it: {question: (points, state, …)}; the others are right."""
    verdicts = []
    for each in ASSIGNMENT.questions:
        points, state, more = (*states.get(each.id.split("-")[0], (each.points, "right")), {})[:3]
        verdicts.append(judge.Verdict(points, state, **more))
    verdicts[-1] = judge.Verdict(None, "by hand", answer=answers.as_html(answer))
    return judge._result(ASSIGNMENT, verdicts, [], "b01")


def page_of(result, student="b01"):
    return pages.feedback("hw", results.Grade(SubmissionFile(student, f"{student}.ipynb"), result, {}), {})


def text_of(page):
    return re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page.partition("</head>")[2]))


# --- Written answers -------------------------------------------------------------------------------------------------


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


def test_the_number_of_formulas_is_bounded_and_beyond_all_is_text():
    page = answers.as_html("$x$ " * 300)
    assert (page.count("<math"), page.count("<code>$x$</code>")) == (200, 100)


def test_what_is_no_picture_or_a_huge_one_is_not_shown():
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
    for data in (svg, "", "!!!", made.picture() + '"onerror="', made.picture() * 100_000):
        assert answers.picture(data) == ""
    assert "cannot be shown" in answers.as_html("![x](attachment:a)", {"a": ""})


HOSTILE = r"""
<script>document.title = "harmed"</script>

<img src=x onerror="document.title = 'harmed'"> <svg onload="document.title = 'harmed'"></svg>
<style>body { display: none }</style>

[click](javascript:document.title='harmed') [click](data:text/html,<script>1</script>) <javascript:alert(1)>
[click](vbscript:x) [a]( JaVaScRiPt:alert(1)) [q](https://e.example/"onclick="document.title='harmed')

![remote](https://e.example/x.png) ![svg](data:image/svg+xml;base64,PHN2Zy8+) ![r][ref]
![quote](attachment:a.png"onerror="document.title='harmed')

[ref]: https://e.example/y.png "title"

[another page](../summary.html)

$\text{<svg/onload=document.title='harmed'>}$ $\href{javascript:document.title='harmed'}{x}$
$\class{a" onmouseover="document.title='harmed'}{x}$ $\style{background:url(https://e.example/z)}{x}$

```html"onmouseover="document.title='harmed'
</code></pre><script>document.title = "harmed"</script>
```

<iframe src="https://e.example"></iframe> <base href="https://e.example"> <form action="https://e.example"><button>
<meta http-equiv="refresh" content="0; url=https://e.example"> <link rel=stylesheet href=https://e.example/a.css>
"""


@needs_chromium
def test_hostile_markdown_does_nothing_in_a_browser(browser, troubles, tmp_path):  # noqa: F811
    path = tmp_path / "page.html"
    path.write_text(page_of(result(HOSTILE)), encoding="utf-8")
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
    assert troubles == []


@needs_chromium
def test_the_policy_of_a_page_stops_what_would_slip_through(browser, troubles, tmp_path):  # noqa: F811
    slips = "<main><img src='https://e.example/x.png'><script>document.title = 1</script>"
    path = tmp_path / "page.html"
    path.write_text(page_of(result("x")).replace("<main>", slips), encoding="utf-8")
    page = opened(browser, troubles)
    page.goto(path.as_uri())
    assert page.title() == "hw: b01"
    assert len([each for each in troubles if "Content Security Policy" in each]) == 2


def test_whatever_a_student_is_called_or_writes_is_text():
    evil = "<script>alert(1)</script>"
    wrong = {
        "messages": (evil,),
        "details": ((evil, evil, ()), (evil, evil, ((1, 3),))),
        "given": evil,
        "mistake": evil,
        "meaning": evil,
    }
    marked = result(evil, sign=(0, "not right", wrong)) | {"remarks": [evil], "student": evil}
    grade = results.Grade(SubmissionFile(evil, evil), marked, {"why": (1.0, evil)})
    for page in (pages.feedback("hw", grade, {}), pages.summary("hw", [grade])):
        assert "<script" not in page
        assert "&lt;script&gt;" in page


# --- The summary -----------------------------------------------------------------------------------------------------


def summary_of(**every):
    """The page, and the text of each of its sections."""
    grades = [results.Grade(SubmissionFile(student, f"{student}.ipynb"), each, {}) for student, each in every.items()]
    page = pages.summary("hw", grades)
    sections = re.findall(r"<h2>(.*?)</h2>(.*?)</section>", page, re.S)
    return page, {title: text_of(f"</head>{body}") for title, body in sections}


def test_what_we_failed_to_grade_is_no_zero_and_what_cannot_be_graded_is():
    failed = judge.not_graded(SMALL, "The machine was unplugged.", failed=True)
    text = text_of(page_of(failed))
    assert "Not graded yet" in text
    assert "not your fault" in text
    assert "0 of" not in text
    unreadable = judge.not_graded(SMALL, "The file is not a notebook.")
    assert {each["points"] for each in unreadable["questions"]} == {0.0}
    page, _ = summary_of(b01=result(), b02=failed, b03=unreadable)
    assert "1 not graded , because the grader failed." in text_of(page)
    assert "1 could not be graded, and got 0 points: b03 ." in text_of(page)
    assert "Histogram of 2 scores" in page
    assert "mean" not in text_of(summary_of(b02=failed)[0])  # nobody is left


def test_the_summary_lists_who_made_which_mistake_and_whose_has_no_name():
    known = {"mistake": "no_bias", "meaning": "the bias is forgotten. Put x0 = 1 in front."}
    wrong = result(pla=(0, "not right", known))
    page, sections = summary_of(b01=wrong, b02=result(sign=(0, "not right")), b03=wrong)
    assert "2 2. PLA The bias is forgotten. Put x0 = 1 in front. b01 , b03" in sections["Mistakes"]
    assert sections["Mistakes"].endswith("1 1. The sign not right, and no known mistake b02 ")
    assert 'href="feedback/b02.html#q1"' in page
