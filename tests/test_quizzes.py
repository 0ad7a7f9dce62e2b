"""Fun Time: the bank is complete and right, broken files are refused, and every form shows and judges the same."""

import base64
import html
import math
import re
import tomllib
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from oracles import textbook_mistakes, textbook_pla

from plahelpers import quizzes
from plahelpers.quizzes import bank as _quiz_file, generators as _quiz_generators, text as _quiz_text

IDS = quizzes.ids()
GENERATED = [name for name in IDS if quizzes.ask(name).asked[0].question.generator]
PICTURES = [name for name in IDS if quizzes.ask(name).asked[0].picture]


def for_many_seeds(test):
    return settings(max_examples=60, deadline=None)(given(st.integers(0, 2**32 - 1))(test))


def asked(id, seed=0):
    return quizzes.ask(id, seed=seed).asked[0]


def questions():
    return [one.question for one in quizzes.everything().asked]


# --- the bank --------------------------------------------------------------------------------------------------------


def test_each_of_the_fourteen_misconceptions_has_its_question():
    assert sorted(q.misconception for q in questions() if q.misconception) == list(range(1, 15))


def test_the_four_questions_of_the_lecture_are_there_each_in_its_section():
    assert {q.lecture: q.section for q in questions() if q.lecture} == {1: "01", 2: "02", 3: "03", 4: "04"}


def test_there_are_enough_generated_numbers_and_pictures():
    numeric = [name for name in GENERATED if asked(name).number and name not in PICTURES]
    assert len(numeric) >= 6
    assert len(PICTURES) >= 4


def test_every_generator_is_used_and_every_section_has_questions():
    assert {q.generator for q in questions()} - {""} == set(_quiz_generators.GENERATORS)
    for section in ("01", "02", "03", "04"):
        assert [one.question.section for one in quizzes.quiz(section).asked] == [section] * len(quizzes.ids(section))
        assert len(quizzes.ids(section)) >= 4
    assert sum(len(quizzes.ids(section)) for section in ("01", "02", "03", "04")) == len(IDS)


def test_the_right_choice_is_not_always_in_the_same_place():
    places = [
        next(n for n, c in enumerate(one.choices) if c.right) for one in quizzes.everything().asked if one.choices
    ]
    assert all(places.count(place) <= len(places) / 2 for place in places)


def test_no_two_feedbacks_of_a_question_are_the_same():
    for one in quizzes.everything().asked:
        said = [c.feedback for c in one.choices]
        if one.number:
            said = [one.number.feedback, one.number.wrong, *(known.feedback for known in one.number.known)]
        assert len(set(said)) == len(said) >= 2


def test_the_figures_quoted_in_the_feedback_come_out():
    from plahelpers import best_line, datasets, noisy_running_example, pla, proof_trace, running_example, update_bound

    X, y = running_example()
    run = pla(X, y)
    assert (run.updates, run.picks.tolist()) == (8, [1, 4, 9, 10, 18, 4, 4, 9])
    assert pla(X, y, sign_of_zero=0).updates == 5
    assert round(update_bound(X, y), 1) == 135.1
    cosines = proof_trace(run, datasets.running_example().w_f).cosine
    assert [round(c, 3) for c in cosines[-3:]] == [0.963, 0.951, 0.898]
    noisy = noisy_running_example()
    assert (len(noisy.flipped), best_line(*noisy).mistakes) == (6, 2)


# --- generated questions against the definitions ---------------------------------------------------------------------


def with_one(x):
    return [1, *x]


def dot(a, b):
    return sum(Fraction(str(p)) * Fraction(str(q)) for p, q in zip(a, b, strict=True))


def score(w, x):
    return dot(w, with_one(x))


def known(one):
    return [wrong.answer for wrong in one.number.known]


@for_many_seeds
def test_threshold_as_weight(seed):
    one = asked("threshold-as-weight", seed)
    v = one.values
    for x in [(0, 0), (1, 2), (-3, 5), (7, -1), (11, 0)]:
        assert score(one.number.answer, x) == v["a"] * x[0] + v["b"] * x[1] - v["threshold"]


@for_many_seeds
def test_next_w(seed):
    one = asked("next-w", seed)
    w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
    assert y * score(w, x) < 0
    assert score(w, x) == one.values["score"]
    picks, path, _ = textbook_pla([x], [y], [0], w0=w, max_updates=1)
    assert picks == [0]
    assert tuple(path[1]) == one.number.answer
    assert len(known(one)) == 3


@for_many_seeds
def test_rise(seed):
    one = asked("rise", seed)
    w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
    assert y * score(w, x) == one.values["before"] < 0
    _, path, _ = textbook_pla([x], [y], [0], w0=w, max_updates=1)
    assert y * score(path[1], x) == one.number.answer


@for_many_seeds
def test_mistakes_on_the_line(seed):
    one = asked("mistakes-on-the-line", seed)
    X, y = one.values["examples"]
    w, zero = one.values["w"], int(one.values["sign_of_zero"])
    assert sum(score(w, x) == 0 for x in X) == 2
    assert len(textbook_mistakes(w, X, y, zero)) == one.number.answer
    assert len(set(X)) == 5


@for_many_seeds
def test_radius(seed):
    one = asked("radius", seed)
    assert max(dot(with_one(x), with_one(x)) for x in one.values["examples"].X) == one.number.answer


@for_many_seeds
def test_margin(seed):
    one = asked("margin", seed)
    (X, y), w_f = one.values["examples"], one.values["w_f"]
    least = min(label * score(w_f, x) for x, label in zip(X, y, strict=True))
    assert dot(w_f, w_f) == one.values["length"] ** 2
    assert least > 0
    assert abs(least / one.values["length"] - one.number.answer) < 1e-4
    assert set(y) == {-1, 1}


@for_many_seeds
def test_bound(seed):
    one = asked("bound", seed)
    assert one.values["R_squared"] / Fraction(one.values["rho"]) ** 2 == one.number.answer


@for_many_seeds
def test_updates_by_hand(seed):
    one = asked("updates-by-hand", seed)
    X, y = one.values["examples"]
    picks, path, halted = textbook_pla(X, y, range(3))
    assert halted
    assert len(picks) == one.number.answer
    assert tuple(path[-1]) == one.values["last"]


@for_many_seeds
def test_other_step_size(seed):
    # the claim behind the answer, on a set that is not the question's own (it shows none)
    one = asked("other-step-size", seed)
    eta = float(one.values["eta"])
    X, y = [(3, 3), (4, 3), (1, 1), (-2, 1)], [1, 1, -1, -1]
    assert textbook_pla(X, y, range(4))[0] == textbook_pla(X, y, range(4), eta=eta)[0]
    assert one.number.answer == one.values["updates"]
    assert np.allclose(one.values["scaled"], eta * np.array(one.values["w"]))
    # such a run can be: every update adds +1 or −1 to w₀
    w0, updates = one.values["w"][0], one.values["updates"]
    assert abs(w0) <= updates
    assert (w0 - updates) % 2 == 0


@for_many_seeds
def test_pocket_content(seed):
    one = asked("pocket-content", seed)
    errors = one.values["errors"]
    kept = 0
    for t in range(len(errors)):
        if errors[t] < errors[kept]:
            kept = t
    assert kept == one.number.answer
    assert one.values["T"] == len(errors) - 1


@for_many_seeds
def test_which_arrow_and_the_picture_shows_it(seed):
    one = asked("which-arrow", seed)
    (right,) = [c.text for c in one.choices if c.right]
    marks = points_in(one.picture)
    tips, foot = arrows_in(one.picture)
    assert sorted(tips) == ["A", "B", "C", "D"]
    # seen from the foot, which is on the line, w has every o ahead of it and every × behind
    assert all((np.dot(point - foot, tips[right] - foot) > 0) == (label == 1) for point, label in marks)
    ((start, end, _),) = lines_in(one.picture)
    assert abs(np.dot(end - start, tips[right] - foot)) < 0.05 * np.hypot(*(end - start))


@for_many_seeds
def test_which_side(seed):
    one = asked("which-side", seed)
    (right,) = [c.text for c in one.choices if c.right]
    P, Q = one.values["spots"]
    plus = "P" if score(one.values["w"], P) > 0 else "Q"
    assert score(one.values["w"], P) * score(one.values["w"], Q) < 0
    assert right == f"The spot {plus}"
    tips, foot = arrows_in(one.picture)
    names = names_in(one.picture)
    assert np.dot(names[plus] - foot, tips["w"] - foot) > 0


@for_many_seeds
def test_next_point(seed):
    one = asked("next-point", seed)
    (X, y), w, at = one.values["examples"], one.values["w"], one.values["at"]
    picks, _, _ = textbook_pla(X, y, [*range(at + 1, 8), *range(at + 1)], w0=w, max_updates=1)
    assert picks == [one.number.answer]
    assert same_points(one.picture, X, y)


@for_many_seeds
def test_next_line(seed):
    one = asked("next-line", seed)
    (right,) = [c.text for c in one.choices if c.right]
    w, x, y = one.values["w"], one.values["x"], int(one.values["y"])
    assert y * score(w, x) < 0
    new = [float(a + y * b) for a, b in zip(w, with_one(x), strict=True)]
    lines = dict(zip("ABCD", one.values["lines"], strict=True))
    assert np.allclose(lines[right], new, atol=1e-3)
    ends = [(np.array(p), np.array(q)) for p, q, dashed in lines_in(one.picture) if dashed]
    on_it = [
        max(abs(float(new[0] + new[1] * p[0] + new[2] * p[1])) for p in pair) / math.hypot(*new[1:]) for pair in ends
    ]
    assert on_it["ABCD".index(right)] < 0.02
    assert sorted(on_it)[1] > 0.1


@for_many_seeds
def test_count_mistakes(seed):
    one = asked("count-mistakes", seed)
    X, y = one.values["examples"]
    assert len(textbook_mistakes(one.values["w"], X, y)) == one.number.answer
    assert same_points(one.picture, X, y)


@pytest.mark.parametrize("id", GENERATED)
def test_a_generator_makes_the_values_it_names_and_different_ones_for_different_seeds(id):
    name = asked(id).question.generator
    made = [_quiz_generators.make(name, seed) for seed in range(12)]
    assert all(set(values) == _quiz_generators.fields(name) for values in made)
    assert len({repr(values) for values in made}) > 8


@pytest.mark.parametrize("id", [name for name in GENERATED if asked(name).number])
def test_each_known_wrong_answer_comes_up_for_some_seed_and_is_never_right(id):
    written = asked(id).question.number.known
    seen = set()
    for seed in range(40):
        one = asked(id, seed)
        said = {known.feedback for known in one.number.known}
        seen |= {known for known in written if _quiz_file.fill(known.feedback, one.values) in said}
        for wrong in one.number.known:
            assert not quizzes._near(quizzes._entries(wrong.answer), one.number.answer, one.number.tolerance)
    assert seen == set(written)


# --- pictures --------------------------------------------------------------------------------------------------------

SVG = "{http://www.w3.org/2000/svg}"


def plane(x, y):
    """From pixels back to the plane, by the box that the picture draws."""
    return np.array([(float(x) - 190) / 32.8, (190 - float(y)) / 32.8])


def tree(picture):
    return ElementTree.fromstring(picture)


def points_in(picture):
    plus = [(plane(c.get("cx"), c.get("cy")), 1) for c in tree(picture).iter(SVG + "circle") if c.get("r") == "7"]
    crosses = [re.findall(r"[-\d.]+", path.get("transform")) for path in tree(picture).iter(SVG + "path")]
    return plus + [(plane(*cross), -1) for cross in crosses]


def same_points(picture, X, y):
    drawn = sorted((round(p[0], 1) + 0, round(p[1], 1) + 0, label) for p, label in points_in(picture))
    return drawn == sorted((x[0], x[1], label) for x, label in zip(X, y, strict=True))


def names_in(picture):
    return {text.text: plane(text.get("x"), text.get("y")) for text in tree(picture).iter(SVG + "text")}


def arrows_in(picture):
    """The tips of the arrows by name, and the foot they share: an arrow's name is straight beyond its tip."""
    heads = [polygon.get("points").split()[0].split(",") for polygon in tree(picture).iter(SVG + "polygon")]
    shafts = [line for line in tree(picture).iter(SVG + "line") if line.get("stroke-width") == "3"]
    foot = plane(shafts[0].get("x1"), shafts[0].get("y1"))
    names = names_in(picture)
    return {min(names, key=lambda name: np.hypot(*(names[name] - plane(*head)))): plane(*head) for head in heads}, foot


def lines_in(picture):
    return [
        (plane(it.get("x1"), it.get("y1")), plane(it.get("x2"), it.get("y2")), it.get("stroke-dasharray") is not None)
        for it in tree(picture).iter(SVG + "line")
        if it.get("stroke-width") in ("1.8", "2.6")
    ]


@pytest.mark.parametrize("id", PICTURES)
def test_a_picture_is_well_formed_the_same_each_time_and_its_words_do_not_give_the_answer_away(id):
    one = asked(id, 3)
    assert one.picture == asked(id, 3).picture != asked(id, 4).picture
    assert tree(one.picture).tag == SVG + "svg"
    assert "script" not in one.picture
    assert one.alt == asked(id, 4).alt  # so it tells nothing of what this seed has drawn
    assert len(one.alt) > 60


def test_a_line_outside_the_picture_has_no_length_in_it():
    from plahelpers import _quiz_pictures

    assert _quiz_pictures.length_in_view(np.array([100.0, 1.0, 0.0])) == 0
    assert _quiz_pictures.length_in_view(np.array([0.0, 1.0, 0.0])) == 10


# --- shown in three forms --------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """Tags opened and closed in order, and what was met."""

    def __init__(self):
        super().__init__()
        self.open, self.tags, self.images, self.text = [], [], [], ""

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "img":
            self.images.append(dict(attrs))
        else:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def parsed(markup):
    page = Page()
    page.feed(markup)
    page.close()
    assert page.open == []
    return page


@pytest.mark.parametrize("id", IDS)
def test_every_question_is_shown_in_all_three_forms(id):
    one = quizzes.ask(id)
    bundle = one._repr_mimebundle_()
    assert set(bundle) == {"application/vnd.jupyter.widget-view+json", "text/html", "text/plain"}
    page = parsed(bundle["text/html"])
    answers = one.asked[0].choices or [None, None, *one.asked[0].number.known]
    assert page.tags.count("details") == page.tags.count("summary") == len(answers)
    assert len(page.images) == bool(one.asked[0].picture)
    for image in page.images:
        assert len(image["alt"]) > 60
        assert base64.b64decode(image["src"].partition(",")[2]).decode() == one.asked[0].picture
    assert "$" not in page.text
    plain = bundle["text/plain"]
    assert not re.search(r"[\\${}]|\*\*", plain)
    assert one.cards[id].prompt.value.count("<img") == len(page.images)
    parsed(one.cards[id].prompt.value)


def test_what_is_stored_is_the_same_each_time():
    first, second = quizzes.everything(seed=5), quizzes.everything(seed=5)
    assert first._repr_html_() == second._repr_html_()
    assert repr(first) == repr(second)
    assert quizzes.everything(seed=6)._repr_html_() != first._repr_html_()
    model = first.form.model_id
    assert model not in first._repr_html_()
    assert first._repr_mimebundle_()["application/vnd.jupyter.widget-view+json"]["model_id"] == model


def test_folded_html_has_no_script_no_ids_and_no_addresses():
    markup = quizzes.everything()._repr_html_()
    assert not re.search(r"<script|<style|<link|\bid=|\bon\w+=|https?:(?!//www.w3.org)", markup)


def test_folded_numbers_stand_in_order_so_that_the_place_of_the_right_one_tells_nothing():
    places = set()
    for seed in range(12):
        verdicts = re.findall(r"<details>.*?<strong>(.*?)</strong>", quizzes.ask("rise", seed=seed)._repr_html_(), re.S)
        assert verdicts.count("Right.") == 1
        places.add(verdicts.index("Right."))
    assert len(places) > 1


def test_a_terminal_shows_letters_and_how_to_answer():
    said = repr(quizzes.ask("the-bound"))
    assert "T ≤ R²/ρ²" in said
    assert "w_fᵀw_T ≥ T ρ ‖w_f‖" in said
    assert said.endswith('Answer with .answer("A").')
    assert 'Answer with .answer((1, 2, 3), "next-w").' in repr(quizzes.quiz("02"))
    assert "[12 points, circles for +1" in repr(quizzes.ask("count-mistakes"))


# --- answering -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", [name for name in IDS if asked(name).choices])
def test_every_choice_gets_its_own_feedback_with_where_to_read(id):
    for n, choice in enumerate(asked(id).choices):
        verdict = quizzes.ask(id).answer("ABCDEF"[n])
        alone = sum(c.right for c in asked(id).choices) == 1
        assert verdict.right == (choice.right and alone)
        assert choice.feedback in verdict.text
        assert f"notebook {asked(id).question.section}, “{asked(id).question.read}”" in verdict.text


def test_a_wrong_answer_says_what_to_read_again_and_a_right_one_where_there_is_more():
    where = "notebook 04, “Pocket against greedy”."
    wrong, right = (quizzes.ask("going-back").answer(letter).text for letter in "AC")
    assert f"Read again: {where}" in wrong
    assert "More on this" not in wrong
    assert f"More on this: {where}" in right
    assert "Read again" not in right


@pytest.mark.parametrize("id", [name for name in IDS if asked(name).number])
@pytest.mark.parametrize("seed", [0, 1, 17])
def test_the_right_number_is_right_the_known_ones_are_told_why_and_others_how(id, seed):
    number = asked(id, seed).number
    right = quizzes.ask(id, seed=seed).answer(number.answer)
    assert right.right
    assert number.feedback in right.text
    for wrong in number.known:
        verdict = quizzes.ask(id, seed=seed).answer(wrong.answer)
        assert verdict.right is False
        assert wrong.feedback in verdict.text
    other = np.full(np.size(number.answer), 12345.5)
    assert number.wrong in quizzes.ask(id, seed=seed).answer(other).text


def test_several_right_choices_must_all_be_found():
    one = quizzes.ask("does-the-angle-shrink")
    assert one.answer("A, C").right is True
    assert quizzes.ask("does-the-angle-shrink").answer("ca").right is None
    assert quizzes.ask("does-the-angle-shrink").answer("c a").right is True
    part = quizzes.ask("does-the-angle-shrink").answer("A")
    assert part.right is False
    assert "at least one more" in part.text
    mixed = quizzes.ask("does-the-angle-shrink").answer("A, B, C")
    assert mixed.right is False
    assert "need not shrink" in mixed.text


@pytest.mark.parametrize(
    "typed", ["(−16, 8, −3)", "-16 8 -3", "[-16, 8, -3]", "–16; 16/2; −3.0", " ( -16 , 8 , - 3 ) ".replace("- 3", "-3")]
)
def test_vectors_may_be_typed_in_many_ways(typed):
    assert asked("threshold-as-weight").number.answer == (-16, 8, -3)
    assert quizzes.ask("threshold-as-weight").answer(typed).right


@pytest.mark.parametrize(
    ("typed", "numbers"),
    [
        ("−1.5", (-1.5,)), ("3/4", (0.75,)), ("3 / 4", (0.75,)), ("−3/4", (-0.75,)), ("1e3", (1000,)), ("+2", (2,)),
        ("(1, 2, −3)", (1, 2, -3)), ("", ()), ("1.5/2", (0.75,)), ("⟨1, 2⟩", (1, 2)),
    ],
)  # fmt: skip
def test_numbers_are_read_as_people_write_them(typed, numbers):
    assert _quiz_text.parse_numbers(typed) == numbers


@pytest.mark.parametrize("typed", ["two", "1/0", "nan", "inf", "1e999", "√2", "1--2", "<script>", "3/4/5"])
def test_what_is_no_number_is_told_so_kindly_and_does_not_count(typed):
    one = quizzes.ask("rise")
    verdict = one.answer(typed)
    assert verdict.right is None
    assert "I cannot read" in verdict.text
    assert one.score.answered == 0
    assert "<script" not in verdict._repr_html_()


def test_the_wrong_kind_of_answer_is_told_so_kindly_and_does_not_count():
    one = quizzes.quiz("02")
    assert "One number is asked for, and you wrote 2" in one.answer("1,5", "rise").text
    assert "vector of 3 numbers" in one.answer("4", "next-w").text
    assert "Nothing is typed" in one.answer("  ", "rise").text
    assert "Nothing is chosen" in one.answer("", "step-size").text
    assert "no choice `Z`; the choices are A, B, C, D" in one.answer("Z", "step-size").text
    assert "the choices are" in one.answer("A, C", "step-size").text  # one is asked for
    assert "the choices are" in repr(one.answer("`<zz>`", "step-size"))
    assert one.score.answered == 0


def test_the_first_answer_counts_and_later_ones_are_practice():
    one = quizzes.quiz("04")
    assert repr(one.score) == "5 to answer. Only the first answer to each counts; you can try again for practice."
    first = one.answer("A", "going-back")
    assert first.right is False
    assert "first answer is the one that counts" in first.text
    again = one.answer("C", "going-back")
    assert again.right
    assert "only your first answer counts" in again.text
    assert one.answer("C", "same-w").right
    assert (one.score.right, one.score.answered, one.score.total) == (1, 2, 5)
    assert one.score.review() == ["Notebook 04, “Pocket against greedy”"]
    assert "Worth reading again" in repr(one.score)
    assert "<li>Notebook 04" in one.score._repr_html_()


def test_a_section_to_read_again_is_listed_once_and_nothing_if_all_was_right():
    one = quizzes.quiz("03")
    assert one.answer("A", "length-of-w").right is False
    assert one.answer("A", "what-is-r").right is False
    assert one.score.review() == ["Notebook 03, “How fast can w grow?”"]
    other = quizzes.quiz("03")
    other.answer("D", "the-bound")
    assert repr(other.score) == "1 of 1 right at the first try; 10 in all. Nothing to read again."


def test_new_numbers_ask_another_question_of_the_same_kind():
    one = quizzes.ask("next-w", seed=3)
    before = one.asked[0]
    after = one.new_numbers("next-w")
    assert after.seed == 4
    assert after.prompt == asked("next-w", 4).prompt != before.prompt
    assert one.answer(after.number.answer).right
    with pytest.raises(ValueError, match="'the-bound' is not a generated one"):
        quizzes.ask("the-bound").new_numbers("the-bound")


def test_calls_that_name_nothing_say_what_there_is():
    with pytest.raises(ValueError, match="there is no question 'nxt-w' here; there are spam-words"):
        quizzes.ask("nxt-w")
    with pytest.raises(ValueError, match=r"everything\(\)"):
        quizzes.quiz("05")
    for call in (quizzes.quiz, quizzes.ids):
        with pytest.raises(ValueError, match="section must be one of '01'"):
            call("06")
    with pytest.raises(ValueError, match="language must be one of 'en'; not 'xx'"):
        quizzes.everything(language="xx")
    with pytest.raises(TypeError, match="seed must be a whole number"):
        quizzes.quiz("01", seed=1.5)
    with pytest.raises(ValueError, match="seed must be at least 0"):
        quizzes.quiz("01", seed=-1)
    with pytest.raises(ValueError, match=r'as in answer\("B", "spam-words"\)'):
        quizzes.quiz("01").answer("B")
    with pytest.raises(ValueError, match="there is no question 'rise' here"):
        quizzes.quiz("01").answer("B", "rise")


# --- the form, through its real controls -----------------------------------------------------------------------------


def text_of(widget):
    return html.unescape(re.sub("<[^>]+>", " ", widget.value))


def test_a_wrong_and_a_right_choice_are_told_in_the_form():
    one = quizzes.ask("the-bound")
    card = one.cards["the-bound"]
    assert one.form.children[-1] is card.box
    assert card.feedback.value == ""
    card.check.click()
    assert "Nothing is chosen" in text_of(card.feedback)
    card.choices[0].value = True
    card.check.click()
    assert "Not quite." in text_of(card.feedback)
    assert "A square got lost" in text_of(card.feedback)
    card.choices[3].value = True
    assert [box.value for box in card.choices] == [False, False, False, True]
    card.check.click()
    assert "Right." in text_of(card.feedback)
    assert "role='alert'" in card.feedback.value
    assert (one.score.right, one.score.answered) == (0, 1)


def test_choices_can_be_ticked_together_only_where_several_are_asked_for():
    card = quizzes.ask("does-the-angle-shrink").cards["does-the-angle-shrink"]
    card.choices[0].value = card.choices[2].value = True
    assert [box.value for box in card.choices] == [True, False, True, False]
    card.check.click()
    assert "Right." in text_of(card.feedback)
    card.choices[0].value = False
    card.check.click()
    assert "at least one more" in text_of(card.feedback)


def test_labels_are_real_and_leave_mathematics_to_the_page():
    card = quizzes.ask("the-bound").cards["the-bound"]
    assert card.choices[3].description == r"D. \(T \le R^2/\rho^2\)"
    assert card.check.description == "Check"
    entry = quizzes.ask("next-w").cards["next-w"].entry
    assert entry.description == "Your vector:"


def test_a_number_is_typed_checked_and_drawn_anew_in_the_form():
    one = quizzes.ask("next-w")
    card = one.cards["next-w"]
    card.entry.value = str(one.asked[0].number.answer).replace("-", "−")
    card.check.click()
    assert "Right." in text_of(card.feedback)
    before = card.prompt.value
    card.again.click()
    assert card.prompt.value != before
    assert (card.entry.value, card.feedback.value) == ("", "")
    card.entry.value = "x"
    card._on_enter(card.entry, {"event": "submit"}, [])
    assert "I cannot read x" in " ".join(text_of(card.feedback).split())
    card.feedback.value = ""
    card._on_enter(card.entry, {"event": "other"}, [])
    assert card.feedback.value == ""


def test_enter_in_the_field_checks_as_the_page_sends_it():
    one = quizzes.ask("rise")
    card = one.cards["rise"]
    card.entry.value = "0.5"
    card.entry._handle_custom_msg({"event": "submit"}, [])
    assert "Not quite." in text_of(card.feedback)


def test_the_score_below_the_form_follows():
    one = quizzes.quiz("04")
    score = one.form.children[-1]
    assert "5 to answer" in text_of(score)
    one.cards["same-w"].choices[2].value = True
    one.cards["same-w"].check.click()
    assert "1 of 1 right" in text_of(score)
    one.cards["going-back"].choices[0].value = True
    one.cards["going-back"].check.click()
    assert "1 of 2 right" in text_of(score)
    assert "Pocket against greedy" in text_of(score)


def test_new_numbers_in_a_picture_question_bring_a_new_picture_and_unticked_choices():
    card = quizzes.ask("which-arrow").cards["which-arrow"]
    card.choices[0].value = True
    card.check.click()
    before = card.prompt.value
    card.again.click()
    assert card.prompt.value != before
    assert not any(box.value for box in card.choices)
    card.choices[1].value = True
    card.check.click()
    assert card.feedback.value


def test_there_are_new_numbers_for_generated_questions_only():
    cards = quizzes.everything().cards
    assert {name for name, card in cards.items() if card.again} == set(GENERATED)
    assert list(cards) == list(IDS)


# --- text ------------------------------------------------------------------------------------------------------------


def test_markdown_is_shown_and_everything_else_is_escaped():
    text = "A *b* **c** `d<e` $x < y$ & <script>alert(1)</script>\n\n- one\n- two\n  more"
    shown = _quiz_text.as_html(text)
    assert shown == (
        "<p>A <em>b</em> <strong>c</strong> <code>d&lt;e</code> \\(x &lt; y\\) &amp; "
        "&lt;script&gt;alert(1)&lt;/script&gt;</p><ul><li>one</li><li>two more</li></ul>"
    )
    assert _quiz_text.as_plain(text) == "A b c d<e x < y & <script>alert(1)</script>\n\n- one\n- two more"


@pytest.mark.parametrize(
    ("latex", "plain"),
    [
        (r"w^\top x", "wᵀx"), (r"T \le R^2/\rho^2", "T ≤ R²/ρ²"), (r"w_{t+1}", "wₜ₊₁"), (r"\|w_f\|", "‖w_f‖"),
        (r"\sqrt{T}\,\rho/R", "√T ρ/R"), (r"\frac{a + b}{c}", "(a + b)/c"), (r"x^{ab}", "x^(ab)"), (r"x_T", "x_T"),
        (r"w \leftarrow w + \eta\,y x", "w ← w + η y x"), ("-1", "−1"), (r"\operatorname{sign}(0)", "sign(0)"),
    ],
)  # fmt: skip
def test_mathematics_reads_well_in_a_terminal(latex, plain):
    assert _quiz_text.as_plain(f"${latex}$") == plain


# --- broken files ----------------------------------------------------------------------------------------------------

GOOD = r"""
section = "02"

[[question]]
id = "one"
read = "Find a mistake"
prompt = "What is $w^\top x$?"
[[question.choice]]
text = "this"
feedback = "Yes."
right = true
[[question.choice]]
text = "that"
feedback = "No."

[[question]]
id = "two"
generator = "next_w"
read = "Find a mistake"
prompt = "From {{w}} to where?"
[question.number]
answer = "next_w"
tolerance = 0
feedback = "Yes, {{next_w}}."
wrong = "No."
[[question.number.known]]
answer = [1, 2, 3]
feedback = "No, not that."
""".replace("\\t", "\\\\t")


def test_the_good_file_is_read():
    one, two = _quiz_file.read_questions("good.toml", GOOD.encode())
    assert (one.id, one.section, len(one.choices)) == ("one", "02", 2)
    assert two.number.known[0].answer == (1, 2, 3)


@pytest.mark.parametrize(
    ("old", "new", "question", "reason"),
    [
        ('section = "02"', "section = ", None, "is not TOML in UTF-8: Invalid value (at line 2"),
        ('section = "02"', 'section = "07"', None, "section must be one of 01, 02, 03, 04; not '07'"),
        ('section = "02"', 'sektion = "02"', None, "there is no such thing as 'sektion' here"),
        ('section = "02"', "", None, "'section' is missing"),
        ("[[question]]", "[question]", None, "is not TOML"),
        ('id = "one"', "", "number 1", "it has no id"),
        ('id = "one"', "id = 3", "3", "an id is made of small letters"),
        ('id = "one"', 'id = "One!"', "One!", "an id is made of small letters"),
        ('id = "two"', 'id = "one"', "one", "the id is used twice in this file"),
        ('id = "one"', 'id = "one"\npromt = "?"', "one", "there is no such thing as 'promt' here; known are alt"),
        ('read = "Find a mistake"', "", "one", "'read' is missing"),
        ('read = "Find a mistake"', "read = 3", "one", "read must be text, and not empty; it is 3"),
        ('feedback = "Yes."', "", "one", "'feedback' is missing"),
        ('feedback = "No."', 'feedback = " "', "one", "feedback must be text, and not empty"),
        ("right = true", "", "one", "none of its choices is right"),
        ("right = true", 'right = "yes"', "one", "right must be true or false; not 'yes'"),
        ('feedback = "No."', 'feedback = "No."\nright = true', "one", "2 of its choices are right: write several"),
        ('text = "that"', 'text = "this"', "one", "two of its choices have the same text"),
        ('[[question.choice]]\ntext = "that"\nfeedback = "No."', "", "one", "it needs two choices at least"),
        ('text = "that"', 'text = "that"\nanswer = 3', "one", "there is no such thing as 'answer' here"),
        ('[[question.choice]]\ntext = "this"', '[[question.choise]]\ntext = "this"', "one", "such thing as 'choise'"),
        ('id = "one"', 'id = "one"\nseveral = 1', "one", "several must be true or false; not 1"),
        ('id = "two"', 'id = "two"\nseveral = true', "two", "several is for choices"),
        ('id = "one"', 'id = "one"\nmisconception = 15', "one", "must be a whole number from 1 to 14; not 15"),
        ('id = "one"', 'id = "one"\nlecture = true', "one", "lecture must be a whole number from 1 to 4; not True"),
        ('id = "one"', 'id = "one"\nalt = "A picture."', "one", "needs an alternative text: alt"),
        ('generator = "next_w"', 'generator = "which_arrow"', "two", "needs an alternative text: alt"),
        ('generator = "next_w"', 'generator = "nxt"', "two", "there is no generator 'nxt'; there are threshold"),
        ('generator = "next_w"', "generator = [1]", "two", "there is no generator [1]"),
        ('generator = "next_w"', "", "two", "prompt uses {{w}}, which nothing fills in"),
        ("From {{w}}", "From {{v}}", "two", "prompt uses {{v}}, which nothing fills in; there are next_w, no_bias"),
        ("From {{w}}", "From {{ w }}", "two", "prompt uses {{ w }}, which nothing fills in"),
        ("Yes, {{next_w}}.", "Yes, {{nextw}}.", "two", "feedback uses {{nextw}}"),
        ('answer = "next_w"', 'answer = "w_next"', "two", "the answer 'w_next' is none of its generator's values"),
        ('answer = "next_w"', "answer = true", "two", "the answer must be a number or a list of numbers; not True"),
        ("answer = [1, 2, 3]", "answer = []", "two", "the answer must be a number or a list of numbers; not []"),
        ("answer = [1, 2, 3]", "answer = nan", "two", "the answer must be a number or a list of numbers; not nan"),
        ("tolerance = 0", "tolerance = -1", "two", "tolerance must be a number, 0 or more; not -1"),
        ("tolerance = 0", "", "two", "'tolerance' is missing"),
        ('wrong = "No."', "", "two", "'wrong' is missing"),
        ("[[question.number.known]]", "[question.number.known]", "two", "known must be a list of tables"),
        ("[question.number]", "[question.numbers]", "two", "there is no such thing as 'numbers' here"),
        ('prompt = "What is', 'number = 3\nprompt = "What is', "one", "it needs choices or a number, and not both"),
        ('answer = "next_w"\ntolerance = 0\nfeedback = "Yes, {{next_w}}."\nwrong = "No."', "", "two", "is missing"),
        (r"$w^\\top x$", "$w", "one", "prompt: mathematics is opened with $ and not closed"),
        (r"$w^\\top x$", r"$\\href{javascript:alert(1)}{x}$", "one", "uses \\href; known are"),
        (r"$w^\\top x$", "$w_{t$", "one", "the braces of $w_{t$ do not match"),
        (r"$w^\\top x$", "$w_$", "one", "$w_$ ends too early"),
        (r"$w^\\top x$", r"\\(x\\)", "one", "there is a backslash outside mathematics"),
    ],
)  # fmt: skip
def test_a_broken_file_is_refused_with_file_question_and_reason(old, new, question, reason):
    broken = GOOD.replace(old, new, 1)
    assert broken != GOOD
    with pytest.raises(quizzes.BrokenQuestionError) as refused:
        _quiz_file.read_questions("mine.toml", broken.encode())
    said = str(refused.value)
    assert said.startswith("mine.toml" + (f", question {question!r}: " if question else ""))
    assert reason in said


def test_a_number_that_is_no_table_is_refused():
    broken = GOOD[: GOOD.index("[question.number]")] + "number = 3\n"
    with pytest.raises(quizzes.BrokenQuestionError, match=r"mine.toml, question 'two': number must be a table"):
        _quiz_file.read_questions("mine.toml", broken.encode())


def test_a_file_that_is_not_utf_8_is_refused():
    with pytest.raises(quizzes.BrokenQuestionError, match=r"^mine.toml is not TOML in UTF-8"):
        _quiz_file.read_questions("mine.toml", "section = 'é'".encode("latin-1"))


WORDS = (Path(_quiz_file.__file__).parent / "questions/en/words.toml").read_text(encoding="utf-8")


@pytest.fixture
def folder(tmp_path):
    """A folder of questions of one's own, in a language of one's own."""
    (tmp_path / "eo").mkdir()
    (tmp_path / "eo" / "a.toml").write_text(GOOD, encoding="utf-8")
    (tmp_path / "eo" / "words.toml").write_text(WORDS.replace('"Check"', '"Kontroli"'), encoding="utf-8")
    return tmp_path


def test_another_language_is_another_folder(folder):
    one = quizzes.ask("one", language="eo", folder=folder)
    assert one.cards["one"].check.description == "Kontroli"
    assert quizzes.ids(language="eo", folder=folder) == ("one", "two")
    assert len(quizzes.quiz("02", language="eo", folder=folder).asked) == 2


def test_an_id_used_in_two_files_is_refused(folder):
    (folder / "eo" / "b.toml").write_text(GOOD, encoding="utf-8")
    with pytest.raises(
        quizzes.BrokenQuestionError, match=r"b.toml, question 'one': the id is taken already, .* a.toml"
    ):
        quizzes.everything(language="eo", folder=folder)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("check = ", "chek = ", "there is no such thing as 'chek'"),
        ('check = "Check"', "", "'check' is missing"),
        ("{{total}} to answer.", "{{totl}} to answer.", r"score_none uses \{\{totl\}\}"),
    ],
)
def test_the_words_of_the_form_are_checked_too(folder, old, new, reason):
    (folder / "eo" / "words.toml").write_text(WORDS.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(quizzes.BrokenQuestionError, match=f"^words.toml: {reason}"):
        quizzes.everything(language="eo", folder=folder)


def test_a_language_without_words_is_refused(folder):
    (folder / "eo" / "words.toml").unlink()
    with pytest.raises(quizzes.BrokenQuestionError, match=r"^words.toml: it is missing"):
        quizzes.everything(language="eo", folder=folder)


def test_every_word_of_the_form_is_in_use():
    source = Path(quizzes.__file__).read_text(encoding="utf-8")
    for word in tomllib.loads(WORDS):
        stem = word.replace("_number", "_").replace("_vector", "_") if word.startswith(("your", "example")) else word
        assert f'"{word}"' in source or f"'{word}'" in source or f'"{stem}' in source, word


def test_script_in_a_question_stays_text_in_every_form(folder):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>"
    text = GOOD
    for words in ("What is", "this", "that", "Yes.", "No.", "Find a mistake"):
        text = text.replace(words, words + evil, 1)
    (folder / "eo" / "a.toml").write_text(text, encoding="utf-8")
    one = quizzes.ask("one", language="eo", folder=folder)
    card = one.cards["one"]
    card.choices[0].value = True
    card.check.click()
    for markup in (one._repr_html_(), card.prompt.value, card.feedback.value, card.choices[0].description):
        page = parsed(markup)
        assert "script" not in page.tags
        assert page.images == []
        assert evil in page.text


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: quizzes.quiz(np.zeros(3)), "section must be one of '01'"),
        (lambda: quizzes.quiz("05"), r"call everything\(\)"),
        (lambda: quizzes.quiz("01", language=[]), "language must be the name of a folder"),
        (lambda: quizzes.quiz("01", language="xx"), "language must be one of 'en'"),
        (lambda: quizzes.quiz("01", folder="nowhere"), "folder must be a folder of questions; nowhere is none"),
    ],
)
def test_bad_calls_get_a_sentence(call, message):
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def test_a_folder_may_be_named_as_text():
    folder = str(Path(quizzes.__file__).parent / "questions")
    assert quizzes.ids(folder=folder) == quizzes.ids()
