"""Fun Time: the bank is complete and right, and the page shows it. What a reader does with it: test_quizzes_browser."""

import html
import re
import sys
from fractions import Fraction
from functools import cache
from inspect import getmembers, isfunction
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest

from book.sections import with_headings
from plahelpers import _format, _theme, quizzes
from plahelpers.quizzes import bank, generators, page as pages, pictures
from tests.oracles import textbook_mistakes, textbook_pla

IDS = quizzes.ids()
ENTRIES = list(bank.load().values())
QUESTIONS = quizzes.ask(*quizzes.ids()).asked
NUMBERS = [question.id for question in QUESTIONS if question.tolerance is not None]
PICTURES = [question.id for question in QUESTIONS if question.alt]
NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("0*.ipynb"))


def ask(id, seed=0):
    return quizzes.ask(id, seed=seed).asked[0]


# --- the questions ---------------------------------------------------------------------------------------------------


def test_the_fourteen_misconceptions_the_lectures_questions_and_enough_numbers_and_pictures_are_there():
    assert sorted(q.misconception for q in QUESTIONS if q.misconception) == list(range(1, 15))
    assert {q.lecture: q.chapter for q in QUESTIONS if q.lecture} == {1: 1, 2: 2, 3: 3, 4: 4}
    assert len(set(NUMBERS) - set(PICTURES)) >= 6
    assert len(PICTURES) >= 4
    own = [name for name, one in getmembers(generators, isfunction) if one.__module__ == generators.__name__]
    public = {name for name in own if not name.startswith("_")} - {"tries"}
    assert {q.generator for q in QUESTIONS} - {""} == public
    assert sum((quizzes.ids(chapter) for chapter in quizzes.CHAPTERS), ()) == IDS
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in IDS)
    files = "".join(file.read_text(encoding="utf-8") for file in Path(quizzes.__file__).parent.glob("*.toml"))
    assert files.count("[[question]]") == len(IDS)  # no id is there twice


@pytest.mark.parametrize("entry", ENTRIES, ids=IDS)
def test_every_text_can_be_shown_and_every_answer_has_a_feedback_of_its_own(entry):
    number, choices, values = entry.get("number", {}), entry.get("choice", []), ask(entry["id"]).values
    answers = [*choices, *number.get("known", []), *([number, {"feedback": number["wrong"]}] if number else [])]
    keys = ("read", "quote", "prompt", "alt", "text", "feedback", "wrong")
    for text in [table[key] for table in (entry, *answers) for key in keys if key in table]:
        assert text.strip()
        assert text.count("$") % 2 == 0
        assert "\\" not in "".join(text.split("$")[::2])  # a command of TeX stands in a formula
    assert ("alt" in entry) == ("picture" in values)
    assert len({answer["feedback"] for answer in answers}) == len(answers)
    if number:
        assert 0 <= number["tolerance"] < 1
        assert choices == []
    else:
        rights = sum(choice.get("right", False) for choice in choices)
        assert rights > 1 if entry.get("several", False) else rights == 1
        assert len({choice["text"] for choice in choices}) == len(choices) >= 2


def test_an_unknown_key_stops_the_reading_of_a_question():
    with pytest.raises(TypeError, match="unexpected keyword argument 'promt'"):
        bank.instantiate({"promt": "typed wrong"}, 0)


def test_the_right_choice_is_not_always_in_the_same_place():
    choices = [question for question in QUESTIONS if question.tolerance is None]
    places = [[answer.right for answer in question.answers].index(True) for question in choices]
    assert all(places.count(place) <= len(places) / 2 for place in places)


# --- generated questions against the definitions ---------------------------------------------------------------------


def dot(a, b):
    return sum(Fraction(str(p)) * Fraction(str(q)) for p, q in zip(a, b, strict=True))


def score(w, x):
    return dot(w, [1, *x])


def w_after(v):
    return textbook_pla([v["x"]], [int(v["y"])], [0], start=v["w"], max_updates=1)[1][1]


def next_pick(v):
    cycle = [*range(v["at"] + 1, 8), *range(v["at"] + 1)]
    return textbook_pla(*v["examples"], cycle, start=v["w"], max_updates=1)[0][0]


# The answer to each question with a number, worked out from what its text and its picture show.
ANSWERS = {
    "threshold-as-weight": lambda v: (-v["threshold"], v["a"], v["b"]),
    "next-w": w_after,
    "rise": lambda v: int(v["y"]) * score(w_after(v), v["x"]),
    "mistakes-on-the-line": lambda v: len(textbook_mistakes(v["w"], *v["examples"], int(v["sign_of_zero"]))),
    "radius": lambda v: max(dot([1, *x], [1, *x]) for x in v["examples"].X),
    "margin": lambda v: min(y * score(v["w_f"], x) for x, y in zip(*v["examples"], strict=True)) / v["length"],
    "bound": lambda v: v["R_squared"] / Fraction(v["rho"]) ** 2,
    "updates-by-hand": lambda v: len(textbook_pla(*v["examples"], range(3))[0]),
    "other-step-size": lambda v: len(textbook_pla(*v["examples"], range(8), eta=float(v["eta"]))[0]),
    "pocket-content": lambda v: v["errors"].index(min(v["errors"])),
    "next-point": next_pick,
    "count-mistakes": lambda v: len(textbook_mistakes(v["w"], *v["examples"])),
}


def on_the_line(v):
    X, w, sign = v["examples"].X, v["w"], int(v["sign_of_zero"])
    forgetful = len(textbook_mistakes((0, *w[1:]), *v["examples"], sign))  # who leaves out w₀ finds another number
    return sum(score(w, x) == 0 for x in X) == 3 and len(set(X)) == 5 and forgetful != v["wrong"]


def by_hand(v):
    X, y = v["examples"]
    picks, path, halted = textbook_pla(X, y, range(3))
    first_pass = [n for t, n in enumerate(picks) if picks[: t + 1] == sorted(set(picks[: t + 1]))]
    return halted and tuple(path[-1]) == v["last"] and set(y) == {-1, 1} and len(first_pass) == v["first_round"]


def next_in_turn(v):
    wrong, over = textbook_mistakes(v["w"], *v["examples"]), v["next"] < v["at"]
    return v["next"] != (v["at"] + 1) % 8 and v["from_start"] == (None if over else min(wrong))


# What else the texts say of their numbers.
FACTS = {
    "next-w": lambda v: v["score"] == score(v["w"], v["x"]) and int(v["y"]) * v["score"] < 0,
    "rise": lambda v: v["before"] == int(v["y"]) * score(v["w"], v["x"]) < 0,
    "mistakes-on-the-line": on_the_line,
    "margin": lambda v: v["length"] ** 2 == dot(v["w_f"], v["w_f"]) and not textbook_mistakes(v["w_f"], *v["examples"]),
    "updates-by-hand": by_hand,
    "other-step-size": lambda v: np.allclose(v["scaled"], float(v["eta"]) * np.array(v["w"])),
    "pocket-content": lambda v: v["T"] == len(v["errors"]) - 1,
    "next-point": next_in_turn,
}


def gap(one, other):
    """How far are two answers apart, in the entry in which they differ most?"""
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) if len(one) == len(other) else np.inf


@pytest.fixture
def untraced():
    """Without coverage, which would double the time. (pytest-cov's own marker does nothing in a worker of xdist.)"""
    tracer = sys.gettrace()
    sys.settrace(None)
    yield
    sys.settrace(tracer)


@pytest.mark.slow
@pytest.mark.usefixtures("untraced")
@pytest.mark.parametrize("id", NUMBERS)
def test_in_2000_draws_the_answer_is_what_the_definition_gives_and_no_misconception_comes_to_the_same(id, monkeypatch):
    monkeypatch.setattr(pictures, "draw", lambda *_, **__: "")  # it takes time, and holds nothing but the values
    draws = [bank.instantiate(bank.load()[id], seed) for seed in range(2000)]
    for seed, one in enumerate(draws):
        expected = np.array(ANSWERS[id](one.values), dtype=np.float64)
        assert np.abs(np.subtract(one.answer, expected)).max() <= (1e-4 if id == "margin" else 0), seed
        assert FACTS.get(id, bool)(one.values), seed
        entries = [answer.entries for answer in one.answers[:-1]]
        assert all(gap(*pair) > 2 * one.tolerance for pair in combinations(entries, 2)), seed
        assert entries == sorted(entries)  # so the place of the right one tells nothing
    for known in bank.load()[id]["number"]["known"]:  # each is there in many draws, and most in all
        assert sum(one.values[known["answer"]] is not None for one in draws) > 800


# --- pictures --------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def plane(x, y):
    """From pixels back to the plane, by the box that the picture draws."""
    return np.array([(float(x) - 190) / 32.8, (190 - float(y)) / 32.8])


def elements(picture, path):
    return ElementTree.fromstring(picture).findall(SVG + path)


def points_in(picture):
    crosses = [re.findall(r"[-\d.]+", path.get("transform")) for path in elements(picture, f"g/{SVG}path")]
    plus = elements(picture, f"g[@fill='{_theme.PLUS}']/{SVG}circle")
    discs = [(disc.get("cx"), disc.get("cy")) for disc in plus]
    return [(plane(*disc), 1) for disc in discs] + [(plane(*cross), -1) for cross in crosses]


def names_in(picture):
    return {text.text: plane(text.get("x"), text.get("y")) for text in elements(picture, "text")}


def arrows_in(picture):
    """The tips of the arrows by name, and the foot they share: an arrow's name is straight beyond its tip."""
    heads = [plane(*polygon.get("points").split()[0].split(",")) for polygon in elements(picture, "polygon")]
    shaft = elements(picture, "line[@stroke-width='3']")[0]
    names = names_in(picture)
    tips = {min(names, key=lambda name: np.hypot(*(names[name] - head))): head for head in heads}
    return tips, plane(shaft.get("x1"), shaft.get("y1"))


def lines_in(picture):
    """Both ends of each line, and whether it is dashed."""
    lines = elements(picture, "line[@stroke-width='1.8']") + elements(picture, "line[@stroke-width='2.6']")
    ends = [[line.get(name) for name in ("x1", "y1", "x2", "y2", "stroke-dasharray")] for line in lines]
    return [(plane(x1, y1), plane(x2, y2), dashes is not None) for x1, y1, x2, y2, dashes in ends]


def drawn(id):
    """Forty draws of a question with its picture, and the text of the right choice."""
    for seed in range(40):
        one = ask(id, seed)
        yield one, next(answer.text for answer in one.answers if answer.right)


def test_which_arrow():
    for one, right in drawn("which-arrow"):
        tips, foot = arrows_in(one.picture)
        w = tips[right] - foot
        assert sorted(tips) == ["A", "B", "C", "D"]
        # seen from the foot, which is on the line, w has every o ahead of it and every × behind
        sides = [(np.dot(point - foot, w) > 0) == (label == 1) for point, label in points_in(one.picture)]
        assert sides == [True] * one.values["N"]
        ((start, end, _),) = lines_in(one.picture)
        assert abs(np.dot(end - start, w)) < 0.05 * np.hypot(*(end - start))


def test_which_side():
    for one, right in drawn("which-side"):
        tips, foot = arrows_in(one.picture)
        P, Q = (np.dot(names_in(one.picture)[name] - foot, tips["w"] - foot) for name in "PQ")
        assert min(abs(P), abs(Q)) > 0.5
        assert P * Q < 0
        assert right.endswith(f"The point {'P' if P > 0 else 'Q'}")


def test_next_line():
    for one, right in drawn("next-line"):
        w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
        assert y * score(w, x) < 0
        new = [float(a + y * b) for a, b in zip(w, [1, *x], strict=True)]
        ends = [(p, q) for p, q, dashed in lines_in(one.picture) if dashed]
        distances = [max(abs(new[0] + new[1:] @ p) for p in pair) / np.hypot(*new[1:]) for pair in ends]
        assert distances["ABCD".index(right)] < 0.02
        assert sorted(distances)[1] > 0.5  # no other line looks like it


@pytest.mark.parametrize("id", ["next-point", "count-mistakes"])
def test_the_picture_shows_the_examples(id):
    for seed in range(40):
        one = ask(id, seed)
        points = sorted((round(p[0], 1) + 0, round(p[1], 1) + 0, label) for p, label in points_in(one.picture))
        assert points == sorted((*x, y) for x, y in zip(*one.values["examples"], strict=True))


@pytest.mark.parametrize("id", PICTURES)
def test_a_picture_is_an_image_whose_words_do_not_give_the_answer_away(id):
    page = quizzes.ask(id)._repr_html_()
    shown = re.findall('<img alt="(.*?)" width="380" src="data:image/svg.xml,(.*?)">', page)
    assert [unquote(source) for _, source in shown] == [ask(id, seed).picture for seed in range(quizzes.DRAWS)]
    assert len({source for _, source in shown}) == quizzes.DRAWS
    assert len({alt for alt, _ in shown}) == 1  # so it tells nothing of what this seed has drawn


# --- where to read again ----------------------------------------------------------------------------------------------

# What sums up or asks: it may name everything, and a reader is not sent there for its words alone.
SUMMARIES = {"You will", "Fun Time", "Try it yourself", "Take-aways"}


@cache
def sections(chapter):
    """The text and code of each section of a chapter, by its title, without the outputs."""
    (path,) = [path for path in NOTEBOOKS if path.name == _format.CHAPTERS[chapter]]
    texts = {}
    for cell, headings in with_headings(nbformat.read(path, as_version=4)):
        titles = [heading.title for heading in headings]
        for title in titles[1:] if SUMMARIES.isdisjoint(titles) else ():
            texts[title] = f"{texts.get(title, '')}\n{cell.source}"
    return {title: " ".join(text.split()) for title, text in texts.items()}


@pytest.mark.parametrize("id", IDS)
def test_read_again_leads_to_the_section_in_which_the_matter_stands(id):
    question, page = ask(id), html.unescape(quizzes.ask(id)._repr_html_())
    texts = sections(question.chapter)
    holds = [title for title, text in texts.items() if all(word.lower() in text.lower() for word in question.about)]
    assert question.about
    assert question.read in holds
    assert len(holds) <= 3, "these words tell too little"
    address = _format.section_address(question.chapter, question.read)
    words = f"Chapter {question.chapter}, “{question.read}”"
    assert f"Read more: {html.unescape(_format.section_link(address, words))}.</p></div></div>" in page
    assert page.count("<a ") == 1


def test_chapter_5_quotes_each_misconception_as_the_bank_does():
    texts = {}
    for cell, headings in with_headings(nbformat.read(NOTEBOOKS[-1], as_version=4)):
        titles = [heading.title for heading in headings]
        if len(titles) == 3 and titles[1] == "Where notes go wrong":
            title = titles[2].removeprefix("Further: ")
            texts[title] = f"{texts.get(title, '')} {cell.source}"
    for question in QUESTIONS:
        if question.misconception:
            (text,) = [
                text for title, text in texts.items() if title.startswith(f"Sentence {question.misconception}: ")
            ]
            assert f"> {question.quote}" in text
            assert f'quizzes.ask("{question.id}")' in text


# --- the page --------------------------------------------------------------------------------------------------------

DETAILS = re.compile(r"<details([^>]*)><summary>(.*?)</summary><div>(.*?)</div></details>", re.S)


@pytest.mark.parametrize("id", IDS)
def test_a_page_shows_the_question_and_for_each_answer_what_it_shows(id):
    page = quizzes.ask(id, seed=7)._repr_html_()
    draws = [ask(id, seed) for seed in range(7, 7 + (quizzes.DRAWS if ask(id).generator else 1))]
    answers = [answer for draw in draws for answer in draw.answers]
    shown = [("data-right" in marks, text, feedback) for marks, text, feedback in DETAILS.findall(page)]
    verdicts = ["**Right.**" if answer.right else "**Not quite.**" for answer in answers]
    assert shown == [
        (answer.right, pages.as_inline_html(answer.text), pages.as_html(f"{verdict} {answer.feedback}"))
        for answer, verdict in zip(answers, verdicts, strict=True)
    ]
    assert all(pages.as_html(draw.prompt) in page for draw in draws)
    assert not re.search(r"\$|\{\{", page.partition("<script>")[0].partition("</style>")[2])


def test_what_is_stored_is_the_same_each_time_and_its_key_changes_with_the_numbers():
    first, second, other = (quizzes.ask(*quizzes.ids(), seed=seed)._repr_html_() for seed in (5, 5, 6))
    assert first == second
    assert first[: first.index("style=")] != other[: other.index("style=")]
    questions, _, script = first.rpartition("<script>")
    assert not re.search(r"\sid=|\bon\w+=|https?:(?!//www.w3.org)", questions)
    assert not re.search(r"</|<!|\n", script.removesuffix("</script>"))  # it can stand in one line, in any page
    assert repr(quizzes.quiz("04")) == "Fun Time: 8 questions, shown in a notebook and in the book"


def test_markdown_is_shown_and_script_in_a_question_stays_text():
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    entry = {"id": "one", "chapter": 1, "read": evil, "about": (), "prompt": evil}
    question = bank.instantiate({**entry, "choice": [{"text": evil, "feedback": evil, "right": True}]}, 0)
    page = pages.page([[question]])
    assert "alert" in page
    assert not re.search("<img|<script>alert", page)
    text = "A *b* `d<e` $x < y_1$ & [c](javascript:alert)\n\n- one\n- two"
    shown = r"A <em>b</em> <code>d&lt;e</code> \(x &lt; y_1\) &amp; [c](javascript:alert)"
    assert pages.as_html(text) == f"<p>{shown}</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>"
    assert pages.as_inline_html("A. *b*") == "A. <em>b</em>"


BAD_CALLS = {
    "there is no question 'nxt-w' here; there are spam-words": lambda: quizzes.ask("nxt-w"),
    "call ask": lambda: quizzes.quiz("05"),
    "chapter must be one of '01', '02', '03', '04'; not '06'": lambda: quizzes.ids("06"),
    "seed must be a whole number": lambda: quizzes.quiz("01", seed=1.5),
}


@pytest.mark.parametrize("message", BAD_CALLS)
def test_calls_that_name_nothing_say_what_there_is(message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        BAD_CALLS[message]()
