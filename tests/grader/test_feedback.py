"""Feedback: parts have points, the first cause is named, what was written is shown, and no page does harm."""

import base64
import io
import json
import re
import zlib
from pathlib import Path

import pytest
from PIL import Image

from exercises.grader import borrowed, folder, grade as grading, markdown, notebook, pages, results, sandbox
from tests.browser import browser, needs_chromium, opened, troubles  # noqa: F401
from tests.grader import submissions as made

EXERCISES = Path(__file__).resolve().parents[2] / "exercises"


LIMITS = sandbox.Limits(cell_seconds=3, megabytes=400, bubblewrap=not sandbox.why_no_bubblewrap())

UPDATES_TEST = """from plahelpers import hypothesis, learning
def own():
    w, count = pla(X, y)
    return count if count and not hypothesis.mistakes(w, X, y).size else None
right = learning.pla(X, y).updates
given = checks.Given(own, 'pla')
checks.number(updates, right, 'the number of updates', tolerance=0, given=given).require()"""


def fair_source():
    """The small assignment, with points for parts, a number that follows from `pla`, and two numbers at once."""
    source = json.loads(made.small_source())
    for cell in source["cells"]:
        cell["source"] = cell["source"].replace(made.SMALL_UPDATES_TEST, UPDATES_TEST)
        cell["source"] = cell["source"].replace(
            "checks.pla(pla, seed=5).require()", "checks.pla(pla, seed=5).marks(2, 2)"
        )
    return made.packed(source)


FAIR = fair_source()


def good(student="b09"):
    return made.solved(FAIR, student)


def graded(work, source=FAIR):
    return grading.grade(source, work if isinstance(work, bytes) else made.packed(work), LIMITS)


def points(result):
    return {each["id"]: each["points"] for each in result["questions"] if not each["by_hand"]}


def question(result, name):
    return next(each for each in result["questions"] if each["id"] == name)


def said(result, name):
    """All that the page says at a question."""
    each = question(result, name)
    return "\n".join([each["given"], *each["messages"], *(f"{label}: {text}" for label, text in each["details"])])


def file_of(student):
    return folder.SubmissionFile(student, f"{student}.ipynb", b"")


def page_of(result, student="b01"):
    return pages.feedback("hw", results.Grade(file_of(student), result, {}), [])


def changed(work, old, new):
    """The notebook with another text in one place."""
    copy = json.loads(json.dumps(work))
    (cell,) = [cell for cell in copy["cells"] if old in cell["source"]]
    cell["source"] = cell["source"].replace(old, new)
    return copy


def text_cell(source, **more):
    return {"cell_type": "markdown", "metadata": {}, "source": source, **more}


FULL = {"sign-test": 2.0, "pla-test": 4.0, "updates-test": 3.0}

# --- Fair marks ------------------------------------------------------------------------------------------------------


def test_each_part_of_an_answer_has_its_points():
    result = graded(changed(good(), "return w, len(picks)", "return w, len(picks) + 5"))
    assert points(result) == {**FULL, "pla-test": 2.0}
    lost = question(result, "pla-test")
    assert lost["state"] == "partly right"
    parts = [(part["name"], part["right"], part["points"], part["max"]) for part in lost["parts"]]
    assert parts == [("w", True, 2, 2), ("updates", False, 0, 2)]
    page = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page_of(result)))
    assert "✗ updates 0 / 2 not right" in page
    assert "✓ w 2 / 2 right" in page


def test_a_function_that_changes_its_arguments_is_told_what_that_costs():
    result = graded(changed(good(), "return w, len(picks)", "X[0, 0] += 1\n    return w, len(picks)"))
    assert points(result)["pla-test"] == 2
    assert "It costs 2 besides that the arguments were changed." in said(result, "pla-test")


def test_nothing_follows_from_a_function_that_does_nothing_of_its_task():
    borrowed_w = "def pla(X, y):\n    import plahelpers\n    return plahelpers.pla(X, y).w + 1e-3, 7, [4]"
    result = graded(changed(made.with_cell(good(), "pla", borrowed_w), "updates = pla(X, y)[1]", "updates = 7"))
    assert points(result) == {"sign-test": 2.0, "pla-test": 0.0, "updates-test": 0.0}
    assert "It is what your `pla` gives. But `pla` is right in no case" in said(result, "updates-test")
    assert f"Right for your data: {learning_updates('b09')}" in said(result, "updates-test")


TWO_NUMBERS = UPDATES_TEST.replace("return count if", "return [count, len(y)] if").replace(
    "checks.number(updates, right, 'the number of updates', tolerance=0, given=given).require()",
    "checks.numbers(updates, {'updates': right, 'points': 20}, 'the two numbers', given=given).marks(2, 1)",
)


def test_of_two_numbers_the_one_that_follows_is_marked_and_the_other_one_has_its_right_value():
    source = FAIR.replace(json.dumps(UPDATES_TEST)[1:-1].encode(), json.dumps(TWO_NUMBERS)[1:-1].encode())
    source = source.replace(b"updates = pla(X, y)[1]", b"updates = [pla(X, y)[1], 21]")
    result = graded(changed(made.solved(source, "b09"), "0, 0, []", "0, 7, []"), source)
    two = question(result, "updates-test")
    assert (two["state"], two["points"], two["given"]) == ("partly right", 2.0, "given your `pla` (question 2)")
    assert [(part["right"], part["follows"]) for part in two["parts"]] == [(True, True), (False, False)]
    told = dict(two["details"])["Right for your data"]
    assert told == f"updates: {learning_updates('b09')}, points: 20"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("(w @ Z[n] > 0) == (y[n] > 0)", "(w @ Z[n] >= 0) == (y[n] > 0)"),  # sign(0) = +1
        ("(w @ Z[n] > 0) == (y[n] > 0)", "y[n] * (w @ Z[n]) > 0"),  # a mistake if y w·x <= 0, not if it is < 0
        ("0, 0, []", "0, 7, []"),  # begins elsewhere
    ],
    ids=["sign of zero", "less or equal", "first index"],
)
def test_one_wrong_character_costs_the_function_it_stands_in_and_nothing_else(old, new):
    result = graded(changed(good(), old, new))
    wrong = question(result, "pla-test")
    assert wrong["points"] < wrong["max"]
    assert points(result) == {**FULL, "pla-test": wrong["points"]}
    assert question(result, "updates-test")["given"]  # another number than with the right function


def test_a_number_that_follows_from_a_wrong_function_is_right_and_the_right_one_is_told():
    result = graded(changed(good(), "0, 0, []", "0, 7, []"))
    number = question(result, "updates-test")
    assert (number["state"], number["points"]) == ("right", 3.0)
    assert number["given"] == "given your `pla` (question 2)"
    right = learning_updates("b09")
    assert number["messages"] == (f"With a right `pla` it is {right}.",)
    page = re.sub(r"\s+", " ", re.sub("<[^>]+>", "", page_of(result)))
    assert "✓ right, given your pla (question 2) · 3 / 3 points" in page


def learning_updates(student):
    """The number of updates for a student's data, by the package."""
    from plahelpers import learning

    space = {"student": student}
    exec(made.SMALL_DATA, space)
    return learning.pla(space["X"], space["y"]).updates


@pytest.mark.parametrize("pla", ["return np.zeros(3), 7", "return np.ones(3), 7", "return None"])
def test_nothing_follows_from_a_function_that_is_no_attempt(pla):
    work = made.with_cell(good(), "pla", f"def pla(X, y):\n    {pla}")
    result = graded(changed(work, "updates = pla(X, y)[1]", "updates = 7"))
    assert points(result)["updates-test"] == 0


def test_a_number_without_the_function_that_it_should_come_from_is_judged_and_not_called_blank():
    work = made.blank(FAIR, "b09")
    (cell,) = [cell for cell in work["cells"] if cell["metadata"].get("nbgrader", {}).get("grade_id") == "updates"]
    cell["source"] = "updates = 100_000"
    result = graded(work)
    assert question(result, "pla-test")["state"] == "blank"
    assert question(result, "updates-test")["state"] == "not right"
    cell["source"] = f"updates = {learning_updates('b09')}"
    assert question(graded(work), "updates-test")["state"] == "right"


def test_a_question_is_built_on_the_functions_that_its_answer_comes_from():
    assignment = notebook.Assignment(notebook.read(FAIR).cells)
    built = {each.id: assignment.built_on(each) for each in assignment.questions}
    assert built == {"sign-test": [], "pla-test": [], "updates-test": ["pla-test"], "why": []}


def test_after_grading_the_right_number_is_told():
    result = graded(changed(good(), "updates = pla(X, y)[1]", "updates = 100_000"))
    assert ("Right for your data", str(learning_updates("b09"))) in question(result, "updates-test")["details"]


def test_a_number_that_is_only_noted_is_grey():
    source = FAIR.replace(b"learning.pla(X, y).updates", b"None")
    noted = question(graded(good(), source), "updates-test")
    assert (noted["state"], noted["points"]) == ("noted", 3.0)


# --- The first cause -------------------------------------------------------------------------------------------------

CHAIN = "Q = np.column_stck([X])\nupdates = len(Q)"


def test_the_reason_is_the_first_statement_that_failed_not_the_name_that_is_missing_since():
    result = graded(changed(good(), "updates = pla(X, y)[1]", CHAIN))
    words = said(result, "updates-test")
    assert "line 1 (`Q = np.column_stck([X])`): it raised AttributeError" in words
    assert "NameError" not in words
    remarks = "\n".join(result["remarks"])
    assert "AttributeError" in remarks
    assert "NameError" not in remarks
    assert "So 1 more statement failed, because a name was missing." in remarks


def test_a_chain_is_followed_through_several_cells():
    work = made.with_extra(good(), "Q = 1 / 0", 3)
    result = graded(changed(work, "updates = pla(X, y)[1]", "R = Q + 1\nupdates = R"))
    words = said(result, "updates-test")
    assert "line 1 (`Q = 1 / 0`): it raised ZeroDivisionError" in words
    assert "NameError" not in words


def test_a_value_that_a_failed_statement_should_have_changed_has_that_as_its_reason():
    result = graded(changed(good(), "updates = pla(X, y)[1]", "updates = -1\nupdates = pla(X, Y)[1]"))
    assert "line 2 (`updates = pla(X, Y)[1]`): it raised NameError: name 'Y' is not defined." in said(
        result, "updates-test"
    )


def test_a_function_that_misses_a_name_has_the_statement_that_failed_as_its_reason():
    work = made.with_extra(good(), "start = np.zeroes(3)", 3)
    result = graded(changed(work, "w, clean, n, picks = np.zeros(Z.shape[1])", "w, clean, n, picks = start"))
    assert "line 1 (`start = np.zeroes(3)`): it raised AttributeError" in said(result, "pla-test")


def test_an_error_is_located_in_the_function_where_it_happened():
    work = made.with_extra(good(), "def half(z):\n    z = z\n    return z / 0", 3)
    result = graded(changed(work, "updates = pla(X, y)[1]", "a = 1\nupdates = half(3)"))
    words = said(result, "updates-test")
    assert "line 2 (`updates = half(3)`): it raised ZeroDivisionError" in words
    assert re.search(r"It happened in code cell \d+, line 3 \(`return z / 0`\)\.", words)


# --- Names that are used again ---------------------------------------------------------------------------------------


def with_later_question(work, code):
    """A cell of the student's own before the last question."""
    copy = json.loads(json.dumps(work))
    copy["cells"].insert(-2, made.code_cell(code))
    return copy


@pytest.mark.parametrize(
    "code", ["updates = 3", "w, updates = 0, 0", "def pla(X, y):\n    return 0", "for k in (1, 2):\n    updates = k"]
)
def test_a_name_that_a_later_question_uses_again_costs_nothing(code):
    assert points(graded(with_later_question(good(), code))) == FULL


def test_names_of_two_tests_that_stand_one_after_the_other_are_both_kept():
    work = good()
    ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in work["cells"]]
    test = work["cells"].pop(ids.index("sign-test"))
    work["cells"].insert(ids.index("updates-test"), test)  # behind the test of `updates`
    assert points(graded(with_later_question(work, "updates = 0\ndef sign(s):\n    return 0"))) == FULL


def test_a_correction_below_counts_and_what_is_wrong_twice_is_said_to_be_there_twice():
    wrong = changed(good(), "updates = pla(X, y)[1]", "updates = -1")
    assert points(graded(with_later_question(wrong, "updates = pla(X, y)[1]"))) == FULL
    result = graded(with_later_question(wrong, "updates = 100_000"))
    assert points(result)["updates-test"] == 0
    assert re.search(r"`updates` is defined again in code cell \d+", said(result, "updates-test"))


def test_two_values_of_one_name_are_told_to_the_lecturer_only():
    result = graded(with_later_question(good(), "updates = 100_000"))
    (sentence,) = result["for_lecturer"]
    assert re.match(r"`updates` has another value in code cell \d+ than before; the better", sentence)
    assert "another value" not in page_of(result)
    assert graded(with_later_question(good(), "updates = updates + 0"))["for_lecturer"] == []


def test_a_cell_after_the_end_replaces_what_stands_above():
    assert points(graded(made.with_extra(good(), "updates = -1")))["updates-test"] == 0


@pytest.mark.parametrize(
    ("line", "defines"),
    [
        ("updates = 3", True),
        ("w, updates = 1, 2", True),
        ("updates: int = 3", True),
        ("(w, updates) = f()", True),
        ("    updates = 3", True),
        ("def updates(X):", True),
        ("class updates:", True),
        ("updates == 3", False),
        ("print(updates)", False),
        ("f(updates=3)", False),
        ("total = updates", False),
        ("updates_2 = 3", False),
        ("# updates", False),
        ("def pla(updates):", False),
    ],
)
def test_a_cells_text_tells_whether_it_defines_a_name(line, defines):
    assert notebook.may_define(f"x = 1\n{line}\n", "updates") is defines
    assert not notebook.may_define(line, "other")


# --- Functions of the package ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [
        "from plahelpers import pla as theirs\ndef pla(X, y):\n    r = theirs(X, y)",
        "import plahelpers as ph\ndef pla(X, y):\n    r = ph.learning.pla(X, y)",
        "def h(*a):\n    from plahelpers import learning\n    return learning.pla(*a)\ndef pla(X, y):\n    r = h(X, y)",
    ],
)
def test_the_packages_function_inside_ones_own_is_shown_to_the_lecturer_only(code):
    result = graded(made.with_cell(good(), "pla", f"{code}\n    return r.w, r.updates"))
    assert points(result) == FULL
    (sentence,) = result["for_lecturer"]
    assert re.fullmatch(r"The function `pla` \(question 2\) uses `plahelpers\.(learning\.)?pla`\.", sentence)
    every = [results.Grade(file_of("b01"), result, {})]
    assert "uses <code>plahelpers." in pages.summary("hw", every, [[]])
    assert "uses <code>plahelpers." not in pages.feedback("hw", every[0], [])


def test_what_the_model_solution_or_a_locked_cell_takes_from_the_package_is_allowed_and_ones_own_pla_is_ones_own():
    assert graded(good())["for_lecturer"] == []
    source = FAIR.replace(b"import zlib", b"import zlib\\nfrom plahelpers import pocket")
    code = "def pla(X, y):\n    r = pocket(X, y, order='cyclic')\n    return r.w, r.updates"
    assert graded(made.with_cell(made.solved(source, "b01"), "pla", code), source=source)["for_lecturer"] == []
    code = "from plahelpers import pla\nimport numpy as np"
    assert borrowed.calls("f", [code, "def pla(X):\n    return 0", "def f(X):\n    return pla(X) + np.sum(X)"]) == set()
    source = FAIR.replace(
        b"return np.where(X @ w[1:] + w[0] > 0, 1, -1)",
        b"import plahelpers.hypothesis\\n    return plahelpers.hypothesis.predict(w, X)",
    )
    assert source != FAIR
    assert graded(made.solved(source, "b01"), source)["for_lecturer"] == []


# --- Written answers -------------------------------------------------------------------------------------------------


def picture(kind="PNG", size=(8, 8), colour="red"):
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, kind)
    return base64.b64encode(buffer.getvalue()).decode()


def answered(source, **more):
    work = good()
    work["cells"][-1] |= {"source": source, **more}
    return graded(work)


def test_markdown_tables_and_formulas_are_rendered():
    page = page_of(
        answered(
            "It is **bold**, $w_0 \\ge \\frac{1}{2}$ and\n\n"
            "$$\n\\begin{aligned} a &= b \\\\ &= c \\end{aligned}\n$$\n\n"
            "| a | b |\n|---|---|\n| 1 | 2 |\n"
        )
    )
    assert "<strong>bold</strong>" in page
    assert "<td>1</td>" in page
    assert '<math display="inline"><mrow><msub><mi>w</mi><mn>0</mn></msub><mo>≥</mo><mfrac>' in page
    block = re.search(r'<math display="block">(.*?)</math>', page)[1]
    assert block.count("<mtr>") == 2


@pytest.mark.parametrize("formula", [r"\frac{1}{", r"\nosuchcommand{x}", "x" * 5000, "{" * 900])
def test_a_formula_that_cannot_be_converted_is_shown_as_it_was_typed(formula):
    page = markdown.as_html(f"So ${formula}$ holds", {})
    assert "<math" not in page
    assert f"<code>${formula}$</code>" in page


def test_pasted_pictures_are_shown_whatever_their_cells_call_them():
    red, blue = picture(colour="red"), picture("JPEG", colour="blue")
    work = good()
    work["cells"][-1] |= {"source": "![one](attachment:image.png)", "attachments": {"image.png": {"image/png": red}}}
    two = text_cell("![two](attachment:image.png)", attachments={"image.png": {"image/jpeg": blue}})
    work["cells"] += [two, text_cell(f"![three](data:image/png;base64,{red})")]
    page = page_of(graded(work))
    assert f'<img src="data:image/png;base64,{red}" alt="one">' in page
    assert f'<img src="data:image/jpeg;base64,{blue}" alt="two">' in page
    assert f'<img src="data:image/png;base64,{red}" alt="three">' in page


def test_a_large_picture_is_made_smaller_and_what_is_none_is_not_shown():
    noise = Image.effect_noise((2000, 1500), 80)
    buffer = io.BytesIO()
    noise.save(buffer, "PNG")
    large = base64.b64encode(buffer.getvalue()).decode()
    assert 1000 < len(markdown.picture(large)) < 250_000 < len(large)
    svg = base64.b64encode(b"<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>").decode()
    for broken in (svg, "", "!!!", picture()[:40], base64.b64encode(b"GIF89a").decode()):
        assert markdown.picture(broken) == ""
    assert "cannot be shown" in markdown.as_html("![x](attachment:a)", {"a": ""})


def white_png(side):
    """A white square of one bit for each point, made by hand: small as a file, whatever it unfolds to."""

    def chunk(kind, data):
        return len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")

    header = side.to_bytes(4, "big") * 2 + bytes([1, 0, 0, 0, 0])
    rows = zlib.compress((b"\0" + b"\xff" * (side // 8)) * side)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_a_picture_that_would_unfold_to_a_huge_one_is_not_shown():
    small, huge = (base64.b64encode(white_png(side)).decode() for side in (800, 8000))
    assert markdown.picture(small) == f"data:image/png;base64,{small}"
    assert markdown.picture(huge) == ""


def test_an_answer_in_the_questions_own_text_or_in_comments_beside_it_is_found():
    work = made.blank(FAIR, "b01")
    work["cells"][-2]["source"] += " Because of this.\n\nAnd of that."
    work["cells"].insert(-1, made.code_cell("# And of something\n# else."))
    work["cells"].insert(-1, made.code_cell("more = 1"))
    why = question(graded(work), "why")
    assert why["state"] == "by hand"
    assert why["answer"] == "Because of this.\n\nAnd of that.\n\n```python\n# And of something\n# else.\n```"


def test_the_texts_that_everybody_has_are_no_answer():
    why = question(graded(made.blank(FAIR, "b01")), "why")
    assert (why["state"], why["answer"]) == ("blank", "")
    assert question(graded(made.without_marks(good())), "why")["answer"].startswith("Because w and w_f")


def test_the_picture_that_was_drawn_stands_beside_the_question_that_follows_under_its_heading():
    red, blue = picture(colour="red"), picture(colour="blue")
    work = good()
    drawn = {"output_type": "display_data", "data": {"image/png": red, "text/plain": "<Figure>"}, "metadata": {}}
    elsewhere = {**drawn, "data": {"image/png": [blue]}}
    work["cells"].insert(3, {**made.code_cell("plt.hist(1)"), "outputs": [elsewhere]})
    work["cells"].insert(-1, {**made.code_cell("plt.hist(2)"), "outputs": [drawn]})
    result = graded(work)
    assert question(result, "why")["drawn"] == (f"data:image/png;base64,{red}",)
    page = page_of(result)
    assert f'<img src="data:image/png;base64,{red}"' in page
    assert blue not in page
    assert "as it was handed in" in page


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
    path.write_text(page_of(answered(HOSTILE)), encoding="utf-8")
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
    page_text = page_of(answered("x")).replace(
        "<main>", "<main><img src='https://e.example/x.png'><script>document.title = 1</script>"
    )
    path = tmp_path / "page.html"
    path.write_text(page_text, encoding="utf-8")
    page = opened(browser, troubles)
    page.goto(path.as_uri())
    assert page.title() == "hw: b01"
    assert len([each for each in troubles if "Content Security Policy" in each]) == 2


# --- Bounds ----------------------------------------------------------------------------------------------------------


def test_a_result_is_less_than_a_megabyte_whatever_is_handed_in():
    buffer = io.BytesIO()
    Image.effect_noise((330, 330), 80).save(buffer, "PNG")
    noise = base64.b64encode(buffer.getvalue()).decode()
    work = good("b" * 100_000)
    work["cells"][-1] |= {
        "source": "x" * 500_000 + "".join(f"![](attachment:{k})" for k in range(40)),
        "attachments": {str(k): {"image/png": noise} for k in range(40)},
        "outputs": [],
    }
    drawn = {"output_type": "display_data", "data": {"image/png": noise}, "metadata": {}}
    work["cells"].insert(-1, {**made.code_cell("1"), "outputs": [drawn] * 40})
    failing = "\n".join(f"raise ValueError('{'y' * 900}')" for _ in range(300))
    result = graded(made.with_extra(work, failing, 2))
    assert len(json.dumps(result)) < 10**6
    assert len(result["remarks"]) == 51
    assert re.fullmatch(r"… and \d+ more\.", result["remarks"][-1])
    assert len(result["student"]) == 100
    assert "more characters; see the notebook" in page_of(result)


def test_a_result_that_is_still_too_large_loses_first_what_is_in_the_notebook_anyway():
    questions = [{"drawn": ("p" * 500_000,), "pasted": {"a": "p" * 500_000}, "cases": (1,), "answer": "字" * 20_000}]
    remarks = []
    grading._make_fit(questions, remarks)
    assert questions == [{"drawn": (), "pasted": {"a": "p" * 500_000}, "cases": (1,), "answer": "字" * 20_000}]
    assert remarks == ["This is more than a page can hold; pictures were left out."]
    grading._make_fit(questions * 3, remarks)
    assert questions == [{"drawn": (), "pasted": {}, "cases": (1,), "answer": "字" * 20_000}]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b'{"cells": [' + b"{}," * 5000 + b"{}]}", "5,001 cells"),
        (b'{"cells": [' + b"{}," * 500_000 + b"{}]}", "more than 500,000 parts"),
        (b'{"cells": [' + b"[" * 499_000, "not JSON"),
    ],
)
def test_a_notebook_of_too_many_parts_is_not_read(data, words):
    result = graded(data)
    assert {each["state"] for each in result["questions"]} == {"not gradable"}
    assert words in result["remarks"][0]


def test_an_answer_of_any_form_is_rendered_in_bounded_work():
    """The number of formulas and the length of a text are bounded; beyond, all is text."""
    page = markdown.as_html("$x$ " * 300, {})
    assert page.count("<math") == 200
    assert page.count("<code>$x$</code>") == 100


# --- The summary -----------------------------------------------------------------------------------------------------


def summary_of(**every):
    grades = [results.Grade(file_of(student), result, {}) for student, result in every.items()]
    page = pages.summary("hw", grades, [[] for _ in grades])
    text = re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page.partition("</head>")[2]))
    titles = ["Scores", "Questions", "Known mistakes", "Not right, and no known mistake", "To look at", "Everybody"]
    pattern = " (.*) ".join(f"(?:{title})" for title in titles)
    found = re.search(pattern, text)
    return page, text, dict(zip(titles, found.groups(), strict=False)) if found else {}


@pytest.fixture(scope="module")
def right():
    return graded(good())


def test_the_summary_lists_mistakes_and_not_what_follows_from_them():
    wrong = made.with_cell(good(), "pla", "def pla(X, y):\n    return None")
    _, _, parts = summary_of(b01=graded(changed(wrong, "updates = pla(X, y)[1]", "updates = 1")))
    assert "2. PLA" in parts["Not right, and no known mistake"]
    assert "3. How many updates?" not in parts["Not right, and no known mistake"] + parts["Known mistakes"]


def test_the_summary_lists_who_failed_without_a_known_mistake(right):
    unknown = graded(changed(good(), "updates = pla(X, y)[1]", "updates = 100_000"))
    page, _, parts = summary_of(b01=right, b02=unknown)
    assert "3. How many updates?" in parts["Not right, and no known mistake"]
    assert 'href="feedback/b02.html#q3"' in page
    assert "Nobody made a mistake that the checks know." in parts["Known mistakes"]


def test_empty_sections_and_ties_read_well(right):
    blank = graded(made.blank(FAIR, "b02"))
    _, _, parts = summary_of(b01=right)
    assert "Nobody: every answer that is not right" in parts["Not right, and no known mistake"]
    assert "Nothing: every notebook ran" in parts["To look at"]
    assert "hardest" not in parts["Questions"]
    half = json.loads(json.dumps(right))
    for each in half["questions"][:2]:
        each["points"] = 0
    _, _, parts = summary_of(b01=half, b02=blank)
    assert parts["Questions"].count("one of the hardest") == 2


def test_what_we_fail_to_grade_counts_nowhere(right):
    assignment = notebook.Assignment(notebook.read(FAIR).cells)
    failed = grading.not_graded(assignment, "The machine was unplugged.", failed=True)
    page, text, _ = summary_of(b01=right, b02=failed)
    assert "mean 9.0 · median 9.0 of 9 points" in text
    assert "1 not graded , because the grader failed." in text
    assert "Histogram of 1 scores" in page
    own = page_of(failed, "b02")
    assert "Not graded yet" in own
    assert "not your fault" in own
    assert "0 of" not in own
    _, text, _ = summary_of(b02=failed)  # nobody is left
    assert "mean" not in text


def test_what_cannot_be_graded_has_no_points_and_the_reason():
    result = graded(b"no notebook")
    assert {each["points"] for each in result["questions"]} == {0.0}
    _, text, _ = summary_of(b01=result)
    assert "1 could not be graded, and got 0 points: b01 ." in text
    assert "not gradable" in page_of(result)
