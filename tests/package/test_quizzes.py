"""Fun Time: the bank is complete and right, and the page shows it. What a reader does with it: test_quizzes_browser."""

import html
import re
import tomllib
from fractions import Fraction
from functools import cache
from itertools import combinations
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from book.sections import with_headings
from plahelpers import _format, _theme, quizzes
from plahelpers.quizzes import bank, generators, page as pages, pictures
from tests.oracles import textbook_mistakes, textbook_pla

FOLDER = Path(quizzes.__file__).parent
IDS = quizzes.ids()
QUESTIONS = [instance.question for instance in quizzes.everything().asked]
GENERATED = [question.id for question in QUESTIONS if question.generator]
NUMBERS = [question.id for question in QUESTIONS if question.number]
CHOICES = [question.id for question in QUESTIONS if question.choices]
PICTURES = [question.id for question in QUESTIONS if question.alt]


def for_many_seeds(test):
    return settings(max_examples=60, deadline=None)(given(seed=st.integers(0, 2**32 - 1))(test))


def ask(id, seed=0):
    return quizzes.ask(id, seed=seed).asked[0]


# --- the questions ---------------------------------------------------------------------------------------------------

FILES = [tomllib.loads(file.read_text(encoding="utf-8")) for file in sorted(FOLDER.glob("*.toml"))]
ENTRIES = [entry for table in FILES for entry in table["question"]]
each_entry = pytest.mark.parametrize("entry", [pytest.param(entry, id=entry["id"]) for entry in ENTRIES])


def names(entry):
    return set(generators.make(entry["generator"], 0)) if "generator" in entry else set()


def test_every_question_has_a_name_of_its_own():
    assert tuple(entry["id"] for entry in ENTRIES) == tuple(dict.fromkeys(IDS))
    assert all(re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name) for name in IDS)


@each_entry
def test_every_text_can_be_shown_and_is_filled_in(entry):
    number = entry.get("number", {})
    tables = [entry, *entry.get("choice", []), number, *number.get("known", [])]
    keys = ("read", "quote", "prompt", "alt", "text", "feedback", "wrong")
    for text in [table[key] for table in tables for key in keys if key in table]:
        assert text.strip()
        assert set(bank.PLACEHOLDER.findall(text)) <= names(entry)
        assert text.count("$") % 2 == 0
        assert "\\" not in "".join(text.split("$")[::2])  # a command of TeX stands in a formula
    assert ("alt" in entry) == ("picture" in names(entry))


@each_entry
def test_there_are_choices_of_which_one_is_right_or_several_or_a_number(entry):
    assert ("choice" in entry) != ("number" in entry)
    choices = entry.get("choice", [])
    if choices:
        rights = [choice.get("right", False) for choice in choices]
        assert rights.count(True) + rights.count(False) == len(rights) >= 2
        assert rights.count(True) > 1 if entry.get("several", False) else rights.count(True) == 1
        assert len({choice["text"] for choice in choices}) == len(choices)
    else:
        known = entry["number"].get("known", [])
        assert 0 <= entry["number"]["tolerance"] < 1
        for answer in (entry["number"]["answer"], *(wrong["answer"] for wrong in known)):
            assert answer in names(entry) if isinstance(answer, str) else np.isfinite(answer).all()
        choices = [entry["number"], {"feedback": entry["number"]["wrong"]}, *known]
    assert len({choice["feedback"] for choice in choices}) == len(choices)


def test_an_unknown_key_stops_the_reading_of_a_question():
    with pytest.raises(TypeError, match="unexpected keyword argument 'promt'"):
        bank.make_question({"promt": "typed wrong"}, chapter=4)


def test_the_fourteen_misconceptions_the_lectures_questions_and_enough_numbers_and_pictures_are_there():
    assert sorted(q.misconception for q in QUESTIONS if q.misconception) == list(range(1, 15))
    assert {q.lecture: q.chapter for q in QUESTIONS if q.lecture} == {1: 1, 2: 2, 3: 3, 4: 4}
    assert len(set(GENERATED) & set(NUMBERS) - set(PICTURES)) >= 6
    assert len(PICTURES) >= 4
    assert {q.generator for q in QUESTIONS} - {""} == set(generators.GENERATORS)
    for chapter in quizzes.CHAPTERS:
        assert {one.question.chapter for one in quizzes.quiz(chapter).asked} == {int(chapter)}
        assert len(quizzes.ids(chapter)) == len(quizzes.quiz(chapter).asked) >= 4
    assert sum(len(quizzes.ids(chapter)) for chapter in quizzes.CHAPTERS) == len(IDS)


def test_the_right_choice_is_not_always_in_the_same_place():
    places = [next(n for n, choice in enumerate(ask(name).choices) if choice.right) for name in CHOICES]
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


@pytest.mark.parametrize("id", NUMBERS)
@for_many_seeds
def test_the_answer_is_what_the_definition_gives(id, seed):
    one = ask(id, seed)
    expected = np.array(ANSWERS[id](one.values), dtype=np.float64)
    assert np.allclose(one.number.answer, expected, rtol=0, atol=1e-4 if id == "margin" else 0)


@for_many_seeds
def test_what_a_text_says_of_its_numbers_is_so(seed):
    v = ask("next-w", seed).values
    assert v["score"] == score(v["w"], v["x"])
    assert int(v["y"]) * v["score"] < 0
    v = ask("rise", seed).values
    assert v["before"] == int(v["y"]) * score(v["w"], v["x"]) < 0
    v = ask("mistakes-on-the-line", seed).values
    assert sum(score(v["w"], x) == 0 for x in v["examples"].X) == 3
    assert len(set(v["examples"].X)) == 5
    v = ask("margin", seed).values
    assert dot(v["w_f"], v["w_f"]) == v["length"] ** 2
    assert textbook_mistakes(v["w_f"], *v["examples"]) == []
    assert set(v["examples"].y) == {-1, 1}
    v = ask("pocket-content", seed).values
    assert v["T"] == len(v["errors"]) - 1


@for_many_seeds
def test_a_run_by_hand_halts_and_its_first_round_is_counted(seed):
    v = ask("updates-by-hand", seed).values
    X, y = v["examples"]
    _, path, halted = textbook_pla(X, y, range(3))
    assert halted
    assert tuple(path[-1]) == v["last"]
    w, updates = [0, 0, 0], 0
    for n in range(3):
        if n in textbook_mistakes(w, X, y):
            w, updates = [a + y[n] * b for a, b in zip(w, [1, *X[n]], strict=True)], updates + 1
    assert updates == v["first_round"]


@for_many_seeds
def test_the_run_with_another_step_size_can_be(seed):
    v = ask("other-step-size", seed).values
    assert np.allclose(v["scaled"], float(v["eta"]) * np.array(v["w"]))
    assert abs(v["w"][0]) <= v["updates"]  # every update adds +1 or −1 to w₀
    assert (v["w"][0] - v["updates"]) % 2 == 0


def right_choice(one):
    (text,) = [choice.text for choice in one.choices if choice.right]
    return text


@for_many_seeds
def test_which_arrow_and_the_picture_shows_it(seed):
    one = ask("which-arrow", seed)
    tips, foot = arrows_in(one.picture)
    w = tips[right_choice(one)] - foot
    assert sorted(tips) == ["A", "B", "C", "D"]
    # seen from the foot, which is on the line, w has every o ahead of it and every × behind
    sides = [(np.dot(point - foot, w) > 0) == (label == 1) for point, label in points_in(one.picture)]
    assert sides == [True] * one.values["N"]
    ((start, end, _),) = lines_in(one.picture)
    assert abs(np.dot(end - start, w)) < 0.05 * np.hypot(*(end - start))


@for_many_seeds
def test_which_side(seed):
    one = ask("which-side", seed)
    P, Q = (score(one.values["w"], spot) for spot in one.values["spots"])
    plus = "P" if P > 0 else "Q"
    assert P * Q < 0
    assert right_choice(one) == f"The point {plus}"
    tips, foot = arrows_in(one.picture)
    assert np.dot(names_in(one.picture)[plus] - foot, tips["w"] - foot) > 0


@for_many_seeds
def test_next_line(seed):
    one = ask("next-line", seed)
    right = "ABCD".index(right_choice(one))
    w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
    assert y * score(w, x) < 0
    new = [float(a + y * b) for a, b in zip(w, [1, *x], strict=True)]
    assert np.allclose(one.values["lines"][right], new, atol=1e-3)
    ends = [(p, q) for p, q, dashed in lines_in(one.picture) if dashed]
    distances = [max(abs(new[0] + new[1:] @ p) for p in pair) / np.hypot(*new[1:]) for pair in ends]
    assert distances[right] < 0.02
    assert sorted(distances)[1] > 0.1


@for_many_seeds
def test_the_picture_shows_the_examples(seed):
    for one in (ask("next-point", seed), ask("count-mistakes", seed)):
        points = sorted((round(p[0], 1) + 0, round(p[1], 1) + 0, label) for p, label in points_in(one.picture))
        assert points == sorted((*x, y) for x, y in zip(*one.values["examples"], strict=True))


@pytest.mark.parametrize("name", generators.GENERATORS)
def test_a_generator_names_the_same_values_for_every_seed_and_they_differ(name):
    values = [generators.make(name, seed) for seed in range(12)]
    assert len({tuple(one) for one in values}) == 1
    assert len({repr(one) for one in values}) > 8


# --- what a draw can tell apart ---------------------------------------------------------------------------------------


@cache
def draws(name):
    """2,000 draws of a question, without their pictures, which take time and hold nothing that the values do not."""
    question = ask(name).question
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "draw", lambda *_, **__: "")
        return [bank.instantiate(question, seed) for seed in range(2000)]


def gap(one, other):
    """How far are two answers apart, in the entry in which they differ most?"""
    one, other = np.atleast_1d(one), np.atleast_1d(other)
    return np.abs(one - other).max() if len(one) == len(other) else np.inf


@pytest.mark.slow
@pytest.mark.parametrize("id", NUMBERS)
def test_in_no_draw_do_two_of_the_right_answer_and_the_misconceptions_come_to_the_same(id):
    seen = dict.fromkeys(ask(id).question.number.known, 0)
    for one in draws(id):
        answers = [one.number.answer, *(wrong.answer for wrong in one.number.known)]
        assert all(gap(*pair) > 2 * one.number.tolerance for pair in combinations(answers, 2)), one.seed
        feedback = {wrong.feedback for wrong in one.number.known}
        for wrong in seen:
            seen[wrong] += bank.fill(wrong.feedback, one.values) in feedback
    assert min(seen.values()) > 800  # each is there in many draws, and most in all


def between_lines(v, letter):
    """How far do the ends of a line lie from the right one, at the edge of the picture?"""
    right, other = (np.array(v["lines"]["ABCD".index(name)]) for name in (v["true"], letter))
    return np.abs(right[0] + pictures.ends(other) @ right[1:]).max() / np.hypot(*right[1:])


# How far the wrong choices of a picture are from the right one: in the picture's units, or as a change of angle.
APART = {
    "which-arrow": lambda v: 1 if sorted(v[k] for k in ("true", "opposite", "along", "back")) == [*"ABCD"] else 0,
    "which-side": lambda v: min(s * float(score(v["w"], x)) for s, x in zip(sides(v), v["spots"], strict=True)),
    "next-line": lambda v: min(between_lines(v, v[name]) for name in ("subtracted", "replaced", "through")),
}


def sides(v):
    return (1, -1) if v["plus"] == "P" else (-1, 1)


@pytest.mark.slow
@pytest.mark.parametrize("id", sorted(set(GENERATED) - set(NUMBERS)))
def test_in_no_draw_does_a_wrong_choice_look_like_the_right_one(id):
    assert min(APART[id](one.values) for one in draws(id)) > 0.5


def test_who_forgets_the_constant_weight_does_not_get_the_right_number_of_mistakes():
    for one in draws("mistakes-on-the-line"):
        w, sign = one.values["w"], int(one.values["sign_of_zero"])
        assert len(textbook_mistakes((0, *w[1:]), *one.values["examples"], sign)) != one.number.answer, one.seed


def test_cyclic_pla_starts_over_in_half_of_the_draws_and_never_corrects_the_very_next_example():
    values = [one.values for one in draws("next-point")]
    over = [v["next"] < v["at"] for v in values]
    assert 0.4 < np.mean(over) < 0.6
    assert all(v["next"] != (v["at"] + 1) % 8 for v in values)
    assert [v["from_start"] is None for v in values] == [v["backwards"] is not None for v in values] == over
    assert all(v["from_start"] in (None, min(textbook_mistakes(v["w"], *v["examples"]))) for v in values)
    still_wrong = [v["at"] in textbook_mistakes(v["w"], *v["examples"]) for v in values]
    assert 0.1 < np.mean(still_wrong) < 0.9


NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("0*.ipynb"))


@cache
def notebook(path):
    return nbformat.read(path, as_version=4)


# --- where to read again ----------------------------------------------------------------------------------------------

# What sums up or asks: it may name everything, and a reader is not sent there for its words alone.
SUMMARIES = {"You will", "Fun Time", "Try it yourself", "Take-aways"}


@cache
def sections(chapter):
    """The text and code of each section of a chapter, by its title, without the outputs."""
    (path,) = [path for path in NOTEBOOKS if path.name == _format.CHAPTERS[chapter]]
    texts = {}
    for cell, headings in with_headings(notebook(path)):
        titles = [heading.title for heading in headings]
        for title in titles[1:] if SUMMARIES.isdisjoint(titles) else ():
            texts[title] = f"{texts.get(title, '')}\n{cell.source}"
    return {title: " ".join(text.split()) for title, text in texts.items()}


@pytest.mark.parametrize("id", IDS)
def test_read_again_leads_to_the_section_in_which_the_matter_stands(id):
    question = ask(id).question
    texts = sections(question.chapter)
    holds = [title for title, text in texts.items() if all(word.lower() in text.lower() for word in question.about)]
    assert question.about
    assert question.read in holds
    assert len(holds) <= 3, "these words tell too little"


def test_chapter_5_quotes_each_misconception_as_the_bank_does():
    texts = {}
    for cell, headings in with_headings(notebook(NOTEBOOKS[-1])):
        titles = [heading.title for heading in headings]
        if len(titles) == 3 and titles[1] == "Where notes go wrong":
            title = titles[2].removeprefix("Further: ")
            texts[title] = f"{texts.get(title, '')} {cell.source}"
    for question in QUESTIONS:
        assert bool(question.quote) == (question.misconception is not None)
        if question.quote:
            (text,) = [text for title, text in texts.items() if title.startswith(f"{question.misconception} · ")]
            assert f"> {question.quote}\n" in text
            assert f'`quizzes.ask("{question.id}")`' in text


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


@pytest.mark.parametrize("id", PICTURES)
def test_a_picture_is_well_formed_the_same_each_time_and_its_words_do_not_give_the_answer_away(id):
    one = ask(id, 3)
    assert one.picture == ask(id, 3).picture != ask(id, 4).picture
    assert ElementTree.fromstring(one.picture).tag == SVG + "svg"
    assert "script" not in one.picture
    assert one.alt == ask(id, 4).alt  # so it tells nothing of what this seed has drawn


def test_a_line_outside_the_picture_has_no_ends_in_it():
    assert pictures.ends(np.array([100.0, 1.0, 0.0])).size == 0
    assert sorted(map(tuple, pictures.ends(np.array([0.0, 1.0, 0.0])))) == [(0, -5), (0, 5)]


# --- the page --------------------------------------------------------------------------------------------------------

DETAILS = re.compile(
    r"<details(?P<marks>[^>]*)><summary>(?P<summary>.*?)</summary><div>(?P<feedback>.*?)</div></details>", re.S
)


def answers_in(draw):
    """For each answer: is it right, what is read before it is opened, and what it shows."""
    found = [match.groupdict() for match in DETAILS.finditer(draw)]
    return [("data-right" in one["marks"], one["summary"], one["feedback"]) for one in found]


def draws_in(page):
    """The HTML of each set of numbers of a page's one question; the first is the one that is shown."""
    first = re.search(
        "<div class='plahelpers-draw'>(.*?)</div>(?:<script type='text/html'>|<p class='plahelpers-read'>)", page, re.S
    )
    return [first[1], *re.findall("<script type='text/html'>(.*?)</script>", page, re.S)]


@pytest.mark.parametrize("id", IDS)
def test_a_page_shows_the_question_and_for_each_answer_what_it_shows(id):
    draws = draws_in(quizzes.ask(id, seed=7)._repr_html_())
    assert len(draws) == (quizzes.DRAWS if id in GENERATED else 1)
    for seed, draw in enumerate(draws, 7):
        one = ask(id, seed)
        answers = answers_in(draw)
        feedback = [text for _, _, text in answers]
        number = one.number
        told = [choice.feedback for choice in one.choices] or [wrong.feedback for wrong in (number, *number.known)]
        told += [number.wrong] if number else []
        assert sorted(feedback) == sorted(
            pages.as_html(f"{verdict(right)} {text}") for right, text in zip(rights(one), told, strict=True)
        )
        assert [right for right, _, text in answers] == ["<strong>Right.</strong>" in text for text in feedback]
        assert draw.startswith(pages.as_html(one.prompt))
        assert "$" not in draw
        assert "{{" not in draw


def rights(one):
    return [choice.right for choice in one.choices] or [True, *[False] * (len(one.number.known) + 1)]


def verdict(right):
    return "**Right.**" if right else "**Not quite.**"


@pytest.mark.parametrize("id", PICTURES)
def test_a_picture_is_an_image_with_its_words(id):
    for seed, draw in enumerate(draws_in(quizzes.ask(id)._repr_html_())):
        ((alt, source),) = re.findall('<img alt="(.*?)" width="380" src="data:image/svg.xml,(.*?)">', draw)
        assert len(alt) > 60
        assert unquote(source) == ask(id, seed).picture


@pytest.mark.parametrize("id", IDS)
def test_a_question_ends_with_a_link_to_the_section_to_read(id):
    one = quizzes.ask(id)
    question = one.asked[0].question
    address = _format.section_address(question.chapter, question.read)
    link = (
        f"Read more: {_format.section_link(address, f'Chapter {question.chapter}, “{question.read}”')}.</p></div></div>"
    )
    assert html.unescape(link) in html.unescape(one._repr_html_())
    assert one._repr_html_().count("<a ") == 1


def test_what_is_stored_is_the_same_each_time_and_its_key_changes_with_the_numbers():
    first, second, other = (quizzes.everything(seed=seed)._repr_html_() for seed in (5, 5, 6))
    assert first == second
    keys = [re.search("data-quiz='(.*?)'", page)[1] for page in (first, other)]
    assert keys[0] != keys[1]
    assert not re.search(
        r"\sid=|\bon\w+=|https?:(?!//www.w3.org)", first.removesuffix(f"<script>{pages._script()}</script>")
    )
    assert not re.search(r"</|<!|\n", pages._script())  # it can stand in one line, in any page
    assert repr(quizzes.quiz("04")) == "Fun Time: 5 questions, shown in a notebook and in the book"


def test_markdown_is_shown_and_script_in_a_question_stays_text():
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    choices = (bank.Choice(evil, evil, right=True), bank.Choice("no", "No."))
    question = bank.Question(id="one", chapter=1, read=evil, about=(), prompt=evil, choices=choices)
    page = quizzes.Quiz([question])._repr_html_()
    assert "alert" in page
    assert not re.search("<img|<script>alert", page)
    text = "A *b* `d<e` $x < y_1$ & [c](javascript:alert)\n\n- one\n- two"
    shown = r"A <em>b</em> <code>d&lt;e</code> \(x &lt; y_1\) &amp; [c](javascript:alert)"
    assert pages.as_html(text) == f"<p>{shown}</p>\n<ul>\n<li>one</li>\n<li>two</li>\n</ul>"
    assert pages.as_inline_html("A. *b*") == "A. <em>b</em>"


def test_folded_numbers_stand_in_order_so_that_the_place_of_the_right_one_tells_nothing():
    answers = [answers_in(draws_in(quizzes.ask("rise", seed=seed)._repr_html_())[0]) for seed in range(12)]
    places = [[right for right, _, _ in some] for some in answers]
    assert all(rights.count(True) == 1 for rights in places)
    assert len({rights.index(True) for rights in places}) > 1


BAD_CALLS = {
    "there is no question 'nxt-w' here; there are spam-words": lambda: quizzes.ask("nxt-w"),
    "call everything()": lambda: quizzes.quiz("05"),
    "chapter must be one of '01', '02', '03', '04'; not '06'": lambda: quizzes.ids("06"),
    "seed must be a whole number": lambda: quizzes.quiz("01", seed=1.5),
}


@pytest.mark.parametrize("message", BAD_CALLS)
def test_calls_that_name_nothing_say_what_there_is(message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        BAD_CALLS[message]()
