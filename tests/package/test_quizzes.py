"""Fun Time: the bank is complete and right, and the page shows it. What a reader does with it: test_quizzes_browser."""

import re
from fractions import Fraction
from inspect import getmembers, isfunction
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from book.sections import HTML_LINK
from plahelpers import _theme, quizzes
from plahelpers.quizzes import bank, generators, page as pages, pictures
from tests.oracles import textbook_mistakes, textbook_pla

IDS = quizzes.ids()
ENTRIES = list(bank.load().values())
QUESTIONS = quizzes.ask(*quizzes.ids()).asked
NUMBERS = [question.id for question in QUESTIONS if question.tolerance is not None]


def ask(id, seed=0):
    return quizzes.ask(id, seed=seed).asked[0]


# --- the questions ---------------------------------------------------------------------------------------------------


def test_the_lectures_four_questions_are_there_and_every_generator_is_used():
    assert {q.lecture: q.chapter for q in QUESTIONS if q.lecture} == {1: 1, 2: 2, 3: 3, 4: 4}
    own = [name for name, one in getmembers(generators, isfunction) if one.__module__ == generators.__name__]
    public = {name for name in own if not name.startswith("_")}
    assert {q.generator for q in QUESTIONS} - {""} == public
    assert sum((quizzes.ids(chapter) for chapter in quizzes.CHAPTERS), ()) == IDS
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
    assert set(bank.PLACEHOLDER.findall(entry.get("alt", ""))) <= {"N"}  # it tells nothing of what a seed has drawn
    assert len({answer["feedback"] for answer in answers}) == len(answers)
    if number:
        assert 0 <= number["tolerance"] < 1
        assert choices == []
    else:
        rights = sum(choice.get("right", False) for choice in choices)
        assert rights > 1 if entry.get("several", False) else rights == 1
        assert len({choice["text"] for choice in choices}) == len(choices) >= 2


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
    "radius": lambda v: max(dot([1, *x], [1, *x]) for x in v["examples"].X),
    "margin": lambda v: min(y * score(v["w_f"], x) for x, y in zip(*v["examples"], strict=True)) / v["length"],
    "bound": lambda v: v["R_squared"] / Fraction(v["rho"]) ** 2,
    "updates-by-hand": lambda v: len(textbook_pla(*v["examples"], range(3))[0]),
    "pocket-content": lambda v: v["errors"].index(min(v["errors"])),
    "next-point": next_pick,
    "count-mistakes": lambda v: len(textbook_mistakes(v["w"], *v["examples"])),
}


def by_hand(v):
    X, y = v["examples"]
    picks, path, halted = textbook_pla(X, y, range(3))
    first_pass = [n for t, n in enumerate(picks) if picks[: t + 1] == sorted(set(picks[: t + 1]))]
    return halted and tuple(path[-1]) == v["last"] and set(y) == {-1, 1} and len(first_pass) == v["first_pass"]


def next_in_turn(v):
    wrong = textbook_mistakes(v["w"], *v["examples"])
    return v["following"] not in wrong and v["from_start"] == min(wrong) and v["worst"] in wrong


# What else the texts say of their numbers.
FACTS = {
    "next-w": lambda v: v["score"] == score(v["w"], v["x"]) and int(v["y"]) * v["score"] < 0,
    "rise": lambda v: v["before"] == int(v["y"]) * score(v["w"], v["x"]) < 0,
    "margin": lambda v: v["length"] ** 2 == dot(v["w_f"], v["w_f"]) and not textbook_mistakes(v["w_f"], *v["examples"]),
    "updates-by-hand": by_hand,
    "pocket-content": lambda v: v["T"] == len(v["errors"]) - 1,
    "next-point": next_in_turn,
}


@pytest.mark.slow
@pytest.mark.parametrize("id", NUMBERS)
def test_in_2000_draws_the_answer_is_what_the_definition_gives_and_no_misconception_comes_to_the_same(id, monkeypatch):
    monkeypatch.setattr(pictures, "draw", lambda *_, **__: "")  # it takes time, and holds nothing but the values
    for seed in range(2000):
        one = bank.instantiate(bank.load()[id], seed)
        (right,) = [answer.entries for answer in one.answers if answer.right]
        expected = np.array(ANSWERS[id](one.values), dtype=np.float64)
        assert np.abs(np.subtract(right, expected)).max() <= (1e-4 if id == "margin" else 0), seed
        assert FACTS.get(id, bool)(one.values), seed
        entries = [answer.entries for answer in one.answers[:-1]]
        pairs = [(a, b) for a, b in combinations(entries, 2) if len(a) == len(b)]
        assert all(np.abs(np.subtract(a, b)).max() > 2 * one.tolerance for a, b in pairs), seed
        assert entries == sorted(entries)  # so the place of the right one tells nothing


# --- pictures --------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def plane(x, y):
    """From pixels back to the plane, by the box that the picture draws."""
    return np.array([(float(x) - 190) / 32.8, (190 - float(y)) / 32.8])


def parts(picture, path):
    return ElementTree.fromstring(picture).findall(SVG + path)


def lines_in(picture, marks):
    """Both ends of each line that is drawn like this."""
    places = ([line.get(name) for name in ("x1", "y1", "x2", "y2")] for line in parts(picture, f"line[@{marks}]"))
    return [(plane(x1, y1), plane(x2, y2)) for x1, y1, x2, y2 in places]


def answers_in(picture):
    """Where a reader can click for which answer: both ends of a line, by name."""
    names = [line.get("aria-label") for line in parts(picture, "line[@role]")]
    return dict(zip(names, lines_in(picture, "role"), strict=True))


def points_in(picture):
    crosses = [re.findall(r"[-\d.]+", path.get("transform")) for path in parts(picture, f"g/{SVG}path")]
    discs = [(disc.get("cx"), disc.get("cy")) for disc in parts(picture, f"g[@fill='{_theme.PLUS}']/{SVG}circle")]
    return [(plane(*disc), 1) for disc in discs] + [(plane(*cross), -1) for cross in crosses]


def drawn(id):
    """Forty draws of a question with its picture, and the text of the right choice."""
    for seed in range(40):
        one = ask(id, seed)
        yield one, next(answer.text for answer in one.answers if answer.right)


def test_which_arrow():
    for one, right in drawn("which-arrow"):
        ((start, end),) = lines_in(one.picture, "stroke-width='2.6'")
        tail, tip = answers_in(one.picture)[right]
        w = tip - tail
        assert abs(np.dot(end - start, w)) < 0.05 * np.hypot(*(end - start))
        # seen from the line, w has every o ahead of it and every × behind
        sides = [(np.dot(point - start, w) > 0) == (label == 1) for point, label in points_in(one.picture)]
        assert sides == [True] * one.values["N"]


def test_which_side():
    for one, right in drawn("which-side"):
        ((foot, tip),) = lines_in(one.picture, "stroke-width='3'")
        sides = {name: np.dot(place - foot, tip - foot) for name, (place, _) in answers_in(one.picture).items()}
        assert min(sides.values()) < -0.5
        assert sides[right] == max(sides.values()) > 0.5


def test_next_line():
    for one, right in drawn("next-line"):
        w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
        assert y * score(w, x) < 0
        new = [float(a + y * b) for a, b in zip(w, [1, *x], strict=True)]
        far = {
            name: max(abs(new[0] + new[1:] @ end) for end in ends) / np.hypot(*new[1:])
            for name, ends in answers_in(one.picture).items()
        }
        assert far[right] < 0.02
        assert sorted(far.values())[1] > 0.5  # no other line looks like it


@pytest.mark.parametrize("id", ["which-arrow", "which-side", "next-line"])
def test_each_answer_in_a_picture_ends_at_its_name_and_is_the_choice_of_the_same_letter(id):
    close = 0.62 if id == "next-line" else 0.02  # the name of a line is outside the box
    for one, _ in drawn(id):
        answers = answers_in(one.picture)
        assert list(answers) == [answer.text for answer in one.answers][: len(answers)]
        names = [(text.text, plane(text.get("x"), text.get("y"))) for text in parts(one.picture, "text")]
        for name, (_, end) in answers.items():
            assert min(np.hypot(*(end - place)) for text, place in names if text == name[-1]) < close


@pytest.mark.parametrize("id", ["next-point", "count-mistakes"])
def test_the_picture_shows_the_examples_and_each_is_an_answer_where_one_is_asked_for(id):
    for seed in range(40):
        one = ask(id, seed)
        X, y = one.values["examples"]
        points = sorted((round(p[0], 1) + 0, round(p[1], 1) + 0, label) for p, label in points_in(one.picture))
        assert points == sorted((*x, label) for x, label in zip(X, y, strict=True))
        places = {f"Example {n}": (x, x) for n, x in enumerate(X) if id == "next-point"}
        assert list(answers_in(one.picture)) == list(places)
        np.testing.assert_allclose(list(answers_in(one.picture).values()), list(places.values()), atol=0.002)


# --- the page --------------------------------------------------------------------------------------------------------

DETAILS = re.compile(
    r"<details([^>]*)><summary>(?:<b>(.)</b> )?<span>(.*?)</span></summary><div>(.*?)</div></details>", re.DOTALL
)


@pytest.mark.parametrize("id", IDS)
def test_a_page_shows_the_question_and_for_each_answer_what_it_shows(id):
    page = quizzes.ask(id, seed=7)._repr_html_()
    draws = [ask(id, seed) for seed in range(7, 7 + (quizzes.DRAWS if ask(id).generator else 1))]
    answers = [answer for draw in draws for answer in draw.answers]
    shown = [("data-right" in marks, *texts) for marks, *texts in DETAILS.findall(page)]
    verdicts = ["**Right.**" if answer.right else "**Not quite.**" for answer in answers]
    assert shown == [
        (answer.right, answer.letter, pages.as_inline_html(answer.text), pages.as_html(f"{verdict} {answer.feedback}"))
        for answer, verdict in zip(answers, verdicts, strict=True)
    ]
    assert all(pages.as_html(draw.prompt) in page for draw in draws)
    assert len(HTML_LINK.findall(page)) == 1  # to read more; the book is not built if a link leads nowhere
    assert not re.search(r"\$|\{\{", page.partition("<script>")[0].partition("</style>")[2])


def test_what_is_stored_is_the_same_each_time_and_its_key_changes_with_the_numbers():
    first, second, other = (quizzes.ask(*quizzes.ids(), seed=seed)._repr_html_() for seed in (5, 5, 6))
    assert first == second
    assert first[: first.index("<style")] != other[: other.index("<style")]
    questions, _, script = first.rpartition("<script>")
    assert not re.search(r"\sid=|\bon\w+=|https?:(?!//www.w3.org)", questions)
    assert not re.search(r"</|<!|\n", script.removesuffix("</script>"))  # it can stand in one line, in any page
    assert repr(quizzes.quiz("04")) == "Fun Time: 8 questions, shown in a notebook and in the book"


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quizzes.ask("nxt-w"), "there is no question 'nxt-w' here; there are spam-words"),
        (lambda: quizzes.quiz("05"), "chapter must be one of '01', '02', '03', '04'; not '05'"),
        (lambda: quizzes.ask("rise", seed=1.5), "seed must be a whole number"),
    ],
)
def test_calls_that_name_nothing_say_what_there_is(call, message):
    with pytest.raises((TypeError, ValueError), match=re.escape(message)):
        call()
